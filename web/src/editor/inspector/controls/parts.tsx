/** Small parts that several controls share. */

import { Plus, X } from "lucide-react";
import { Popover } from "radix-ui";
import { type ReactNode, useId, useRef, useState } from "react";
import { readQuantity, tidy } from "@/editor/inspector/values";
import { cx } from "@/ui/cx";
import { INPUT } from "./props";

interface MiniNumberProps {
  label: string;
  /** Letters inside the input, before the number. */
  short?: string;
  suffix?: string;
  value: number;
  step?: number;
  min?: number;
  onChange: (value: number) => void;
  onEnd: () => void;
  className?: string;
}

/** A number that is part of a larger value. */
export function MiniNumber({
  label,
  short,
  suffix,
  value,
  step = 1,
  min,
  onChange,
  onEnd,
  className,
}: MiniNumberProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const put = (number: number) => onChange(tidy(min === undefined ? number : Math.max(min, number)));
  const commit = () => {
    const read = draft === null ? null : readQuantity(draft);
    setDraft(null);
    if (read && read.number !== value) put(read.number);
    onEnd();
  };
  return (
    <span className={cx("relative flex min-w-0 items-center", className)}>
      {short && (
        <span className="pointer-events-none absolute left-1.5 text-[10.5px] text-muted" aria-hidden="true">
          {short}
        </span>
      )}
      <input
        aria-label={label}
        inputMode="decimal"
        autoComplete="off"
        value={draft ?? String(tidy(value))}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onFocus={(event) => event.target.select()}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
          if (event.key === "Escape") setDraft(null);
          const direction = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
          if (!direction) return;
          event.preventDefault();
          setDraft(null);
          put(value + direction * step * (event.shiftKey ? 10 : 1));
        }}
        onKeyUp={(event) => event.key.startsWith("Arrow") && onEnd()}
        className={cx(INPUT, short && (short.length > 1 ? "pl-9" : "pl-5"), suffix && "pr-5", "px-1.5")}
      />
      {suffix && (
        <span className="pointer-events-none absolute right-1.5 text-[10.5px] text-muted" aria-hidden="true">
          {suffix}
        </span>
      )}
    </span>
  );
}

export const SmallButton = ({ className, ...rest }: React.ComponentProps<"button">) => (
  <button
    type="button"
    className={cx(
      "grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-foreground disabled:opacity-40 sm:size-6",
      className,
    )}
    {...rest}
  />
);

export const RemoveButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <SmallButton aria-label={label} title={label} onClick={onClick}>
    <X className="size-3.5" />
  </SmallButton>
);

export const AddButton = ({ label, onClick, text }: { label: string; text: string; onClick: () => void }) => (
  <button
    type="button"
    aria-label={label}
    onClick={onClick}
    className="inline-flex h-7 items-center gap-1.5 self-start rounded-md px-2 text-[12px] text-muted hover:bg-hover hover:text-foreground"
  >
    <Plus className="size-3.5" aria-hidden="true" />
    {text}
  </button>
);

interface FloatProps {
  trigger: ReactNode;
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
  children: ReactNode;
}

/** Room that a panel beside the inspector needs. */
const BESIDE = 348;

/** A panel beside the inspector, at the height of what opens it; below it where there is no room. */
export function Float({ trigger, label, className, children, ...state }: FloatProps) {
  const around = useRef<HTMLSpanElement>(null);
  const [place, setPlace] = useState<{ side: "left" | "bottom"; offset: number }>({ side: "left", offset: 8 });
  const measure = () => {
    const opener = around.current?.firstElementChild;
    const left = opener?.getBoundingClientRect().left ?? 0;
    const edge = opener?.closest("[data-inspector]")?.getBoundingClientRect().left ?? left;
    setPlace(edge > BESIDE ? { side: "left", offset: left - edge + 8 } : { side: "bottom", offset: 6 });
  };
  return (
    <Popover.Root
      {...state}
      onOpenChange={(open) => {
        if (open) measure();
        state.onOpenChange?.(open);
      }}
    >
      <span ref={around} className="contents">
        <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      </span>
      <Popover.Portal>
        <Popover.Content
          side={place.side}
          align="start"
          sideOffset={place.offset}
          collisionPadding={12}
          aria-label={label}
          className={cx(
            "z-50 flex max-h-[min(560px,var(--radix-popover-content-available-height))] w-64 max-w-[calc(100vw-24px)] animate-pop-in flex-col rounded-xl border bg-surface p-3 shadow-float outline-none",
            className,
          )}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The value as it is stored, for what the control above it cannot show. */
export function CssInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const commit = () => {
    if (draft !== null && draft !== value) onChange(draft);
    setDraft(null);
  };
  return (
    <input
      id={id}
      aria-label={label}
      autoComplete="off"
      spellCheck={false}
      value={draft ?? value}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
        if (event.key === "Escape") setDraft(null);
      }}
      className={cx(INPUT, "font-mono text-[11px]!")}
    />
  );
}
