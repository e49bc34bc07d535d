/** Font families, drawn in their fonts, and the weights a family has. */

import { Check, ChevronDown } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { showFont } from "@/editor/inspector/fonts";
import { type Entry, useRegistry } from "@/editor/inspector/registry";
import { useShared } from "@/editor/inspector/scope";
import { FONT, STRINGS } from "@/editor/strings/inspector";
import { useInView } from "@/lib/hooks";
import { cx } from "@/ui/cx";
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
  const found = useMemo(
    () => fonts.filter(({ name }) => name.toLowerCase().includes(query.trim().toLowerCase())),
    [fonts, query],
  );
  useEffect(() => {
    const at = found.findIndex(({ name }) => name === current);
    setActive(Math.max(at, 0));
  }, [found, current]);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
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
        {found.map((font, index) => (
          <FontOption
            key={font.name}
            index={index}
            font={font}
            isActive={index === active}
            isCurrent={font.name === current}
            onPick={onPick}
          />
        ))}
      </div>
    </>
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

function FamilyName({ family }: { family: string }) {
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
