/** Font families, drawn in their fonts, and the weights a family has. */

import { Check, ChevronDown, Upload } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { showFont } from "@/editor/inspector/fonts";
import { type Entry, useRegistry } from "@/editor/inspector/registry";
import { useShared } from "@/editor/inspector/scope";
import { FONT, STRINGS } from "@/editor/strings/inspector";
import { type OwnFont, ownFonts } from "@/film/own-fonts";
import { sendFile } from "@/film/send-file";
import { useInView } from "@/lib/hooks";
import { cx } from "@/ui/cx";
import { showError } from "@/ui/toast";
import { PlainSelect } from "./basic";
import { Float } from "./parts";
import { type ControlProps, INPUT, textOf } from "./props";

/** The first family of a list such as `"Open Sans", sans-serif`. */
const firstFamily = (text: string) =>
  text
    .split(",")[0]
    ?.trim()
    .replaceAll(/^["']|["']$/g, "") ?? "";

export function FontControl({ id, label, value, isMixed, fallback, set }: ControlProps) {
  const [open, setOpen] = useState(false);
  const text = isMixed ? STRINGS.mixed : textOf(value) || textOf(fallback) || STRINGS.auto;
  return (
    <Float
      label={label}
      open={open}
      onOpenChange={setOpen}
      className="w-72 p-2"
      trigger={
        <button id={id} type="button" className={cx(INPUT, "flex items-center justify-between gap-1 text-left")}>
          <span className={cx("truncate", value === undefined && "text-muted")}>
            {isMixed || text === STRINGS.auto ? text : <FamilyName family={firstFamily(text)} />}
          </span>
          <ChevronDown className="size-3.5 shrink-0 text-muted" aria-hidden="true" />
        </button>
      }
    >
      <FontList
        current={firstFamily(textOf(value) || textOf(fallback))}
        onPick={(family) => {
          set(family);
          setOpen(false);
        }}
      />
    </Float>
  );
}

function FontList({ current, onPick }: { current: string; onPick: (family: string) => void }) {
  const fonts = useRegistry("fonts");
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  // Those of the account come first.
  const found = useMemo(
    () => fonts.filter(({ name }) => name.toLowerCase().includes(query.trim().toLowerCase())),
    [fonts, query],
  );
  const own = found.filter(isOwn).length;
  useEffect(() => {
    const at = found.findIndex(({ name }) => name === current);
    setActive(Math.max(at, 0));
  }, [found, current]);
  useEffect(() => {
    list.current?.querySelector(`#inspector-font-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const option = (font: Entry, index: number) => (
    <FontOption
      key={`${font.name} ${isOwn(font)}`}
      index={index}
      font={font}
      isActive={index === active}
      isCurrent={font.name === current}
      onPick={onPick}
    />
  );
  return (
    <>
      <input
        aria-label={FONT.search}
        placeholder={FONT.search}
        role="combobox"
        aria-expanded="true"
        aria-controls="inspector-fonts"
        aria-activedescendant={found[active] ? `inspector-font-${active}` : undefined}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => {
          const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
          if (step) {
            event.preventDefault();
            setActive(Math.max(0, Math.min(found.length - 1, active + step)));
          }
          const chosen = found[active];
          if (event.key === "Enter" && chosen) onPick(chosen.name);
        }}
        className={cx(INPUT, "mb-1.5 shrink-0")}
      />
      <div
        ref={list}
        id="inspector-fonts"
        role="listbox"
        tabIndex={-1}
        aria-label={FONT.results}
        className="min-h-0 overflow-y-auto overscroll-contain"
      >
        {own > 0 && <Group label={FONT.own}>{found.slice(0, own).map((font, index) => option(font, index))}</Group>}
        {own < found.length && own > 0 && (
          <Group label={FONT.others}>{found.slice(own).map((font, index) => option(font, own + index))}</Group>
        )}
        {own === 0 && found.map(option)}
      </div>
      {found.length === 0 && <p className="px-2 py-3 text-[13px] text-muted">{FONT.none}</p>}
      <UploadFont onPick={onPick} />
    </>
  );
}

const isOwn = (font: Entry) => font["source"] === "account";

function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label}>
      <p aria-hidden="true" className="px-2 pt-1.5 pb-1 text-[11.5px] font-medium text-muted">
        {label}
      </p>
      {children}
    </div>
  );
}

/** Uploads font files, and picks the family of the first. */
function UploadFont({ onPick }: { onPick: (family: string) => void }) {
  const chooser = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const send = async (files: readonly File[]) => {
    setBusy(true);
    try {
      const sent = await Promise.all(files.map((file) => sendFile(file)));
      const { fonts } = ownFonts.getState();
      const isSent = ({ files }: OwnFont) => files.some(({ uploadId }) => uploadId === sent[0]?.id);
      const family = fonts.find(isSent)?.family;
      if (family) onPick(family);
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="mt-1.5 shrink-0 border-t pt-1.5">
      <input
        ref={chooser}
        type="file"
        multiple
        accept=".ttf,.otf,.woff,.woff2"
        className="hidden"
        tabIndex={-1}
        aria-label={FONT.chooser}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = "";
          if (files.length) void send(files);
        }}
      />
      <button
        type="button"
        disabled={busy}
        onClick={() => chooser.current?.click()}
        className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-[13px] text-muted hover:bg-hover hover:text-foreground disabled:opacity-60"
      >
        <Upload className="size-3.5" aria-hidden="true" /> {busy ? FONT.uploading : FONT.upload}
      </button>
    </div>
  );
}

interface OptionProps {
  index: number;
  font: Entry;
  isActive: boolean;
  isCurrent: boolean;
  onPick: (family: string) => void;
}

function FontOption({ index, font, isActive, isCurrent, onPick }: OptionProps) {
  const { ref, seen } = useInView<HTMLDivElement>();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field above takes the keys.
    <div
      ref={ref}
      id={`inspector-font-${index}`}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      onClick={() => onPick(font.name)}
      className={cx(
        "flex h-9 cursor-pointer items-center justify-between gap-2 rounded-md px-2 text-[15px] hover:bg-hover",
        isActive && "bg-hover",
      )}
    >
      {seen ? <FamilyName family={font.name} /> : <span className="truncate">{font.name}</span>}
      {isCurrent && <Check className="size-3.5 shrink-0" aria-hidden="true" />}
    </div>
  );
}

export function FamilyName({ family }: { family: string }) {
  const [drawn, setDrawn] = useState<string | null>(null);
  useEffect(() => {
    let isShown = true;
    void showFont(family).then((name) => isShown && setDrawn(name));
    return () => {
      isShown = false;
    };
  }, [family]);
  return (
    <span className="truncate leading-none" style={drawn ? { fontFamily: `"${drawn}"` } : undefined}>
      {family}
    </span>
  );
}

const WEIGHTS = [100, 200, 300, 400, 500, 600, 700, 800, 900];

export function WeightControl({ id, field, value, isMixed, fallback, set }: ControlProps) {
  const family = firstFamily(textOf(useShared("styles.fontFamily").value) || "Inter");
  const font = useRegistry("fonts").find(({ name }) => name === family);
  const weights = (font?.["weights"] as number[] | undefined) ?? WEIGHTS;
  const current = isMixed
    ? ""
    : textOf(value)
        .replace(/^normal$/, "400")
        .replace(/^bold$/, "700");
  const name = (weight: number) => `${FONT.weights[weight] ?? ""} ${weight}`.trim();
  return (
    <PlainSelect id={id} value={current} onChange={(next) => set(next || undefined)}>
      <option value="">
        {isMixed
          ? STRINGS.mixed
          : fallback === undefined || field.sections.length
            ? STRINGS.unset
            : name(Number(fallback))}
      </option>
      {current && !weights.includes(Number(current)) && (
        <option value={current}>{name(Number(current)) || current}</option>
      )}
      {weights.map((weight) => (
        <option key={weight} value={String(weight)}>
          {name(weight)}
        </option>
      ))}
    </PlainSelect>
  );
}
