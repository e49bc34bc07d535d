/** Fields of the caption editor: a word, a time, find and replace. */

import { Replace } from "lucide-react";
import { Popover } from "radix-ui";
import { useState } from "react";
import { STRINGS } from "@/editor/strings/library";
import { cx } from "@/ui/cx";
import { showToast } from "@/ui/toast";
import { type Line, replaceIn } from "./captions";
import { IconButton, SmallButton, SmallInput } from "./parts";

const seconds = (ms: number) => Math.round(ms / 10) / 100;

export function WordText({ word, onChange }: { word: string; onChange: (word: string) => void }) {
  const [text, setText] = useState<string | null>(null);
  const commit = () => {
    const next = text?.trim().replaceAll(/\s+/g, " ");
    if (next && next !== word) onChange(next);
    setText(null);
  };
  return (
    <SmallInput
      aria-label={STRINGS.captions.word(word)}
      value={text ?? word}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === "Enter" && commit()}
      className="h-6! flex-1 px-1.5!"
    />
  );
}

/** A time in seconds. */
export function Time({
  label,
  ms,
  onChange,
  isNarrow,
}: {
  label: string;
  ms: number;
  onChange: (ms: number) => void;
  isNarrow?: boolean;
}) {
  const [text, setText] = useState<string | null>(null);
  const commit = () => {
    const value = Number(text?.replace(",", "."));
    if (text?.trim() && Number.isFinite(value) && value >= 0 && Math.round(value * 1000) !== ms)
      onChange(Math.round(value * 1000));
    setText(null);
  };
  return (
    <input
      aria-label={label}
      inputMode="decimal"
      value={text ?? seconds(ms).toFixed(2)}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === "Enter" && commit()}
      className={cx(
        isNarrow ? "w-9 px-0.5" : "w-12 px-1",
        "nums h-6 shrink-0 rounded-md border border-transparent bg-transparent text-base hover:border-border-strong focus:border-primary focus:bg-surface focus:outline-none sm:text-[12px]",
      )}
    />
  );
}

export function FindReplace({ lines, onReplace }: { lines: Line[]; onReplace: (lines: Line[]) => void }) {
  const [find, setFind] = useState("");
  const [put, setPut] = useState("");
  const { lines: next, count } = replaceIn(lines, find, put);
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <IconButton label={STRINGS.captions.findReplace}>
          <Replace aria-hidden="true" />
        </IconButton>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={STRINGS.captions.findReplace}
          align="end"
          sideOffset={6}
          collisionPadding={12}
          className="z-50 animate-pop-in rounded-xl border bg-surface p-2.5 shadow-float"
        >
          <form
            className="flex w-60 flex-col gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              if (!count) return;
              onReplace(next);
              showToast(STRINGS.captions.replaced(count));
            }}
          >
            <SmallInput
              aria-label={STRINGS.captions.find}
              placeholder={STRINGS.captions.find}
              value={find}
              onChange={(event) => setFind(event.target.value)}
            />
            <SmallInput
              aria-label={STRINGS.captions.put}
              placeholder={STRINGS.captions.put}
              value={put}
              onChange={(event) => setPut(event.target.value)}
            />
            <SmallButton type="submit" disabled={!count}>
              {STRINGS.captions.replace(count)}
            </SmallButton>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
