/** Controls of plain values: switches, choices and texts. */

import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  ArrowDown,
  ArrowUp,
  CaseLower,
  CaseSensitive,
  CaseUpper,
  FoldVertical,
  Italic,
  Minus,
  Moon,
  Strikethrough,
  Sun,
  Type,
  Underline,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { humanise } from "@/editor/inspector/values";
import { STRINGS, VALUES } from "@/editor/strings/inspector";
import { cx } from "@/ui/cx";
import { type ControlProps, INPUT, textOf } from "./props";

export const optionLabel = (value: string) => VALUES[value] ?? humanise(value);

export function ToggleControl({ id, label, value, isMixed, fallback, set }: ControlProps) {
  const isOn = value === undefined ? fallback === true : value === true;
  return (
    <button
      id={id}
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={isMixed ? `${label}, ${STRINGS.mixed}` : label}
      onClick={() => set(isMixed ? true : !isOn)}
      className={cx(
        "relative h-[18px] w-8 rounded-full transition-colors",
        isOn ? "bg-foreground" : "bg-border-strong",
        isMixed && "opacity-60",
      )}
    >
      <span
        className={cx(
          "absolute top-0.5 left-0.5 size-3.5 rounded-full bg-surface transition-transform",
          isMixed ? "translate-x-[7px]" : isOn && "translate-x-[14px]",
        )}
      />
    </button>
  );
}

const icon = "size-3.5";
/** Choices that are known by a sign. The name is read out. */
const SIGNS: Record<string, Record<string, ReactNode>> = {
  textAlign: {
    left: <AlignLeft className={icon} />,
    center: <AlignCenter className={icon} />,
    right: <AlignRight className={icon} />,
  },
  verticalAlign: {
    top: <ArrowUp className={icon} />,
    middle: <FoldVertical className={icon} />,
    bottom: <ArrowDown className={icon} />,
  },
  fontStyle: { normal: <Type className={icon} />, italic: <Italic className={icon} /> },
  textTransform: {
    none: <Minus className={icon} />,
    uppercase: <CaseUpper className={icon} />,
    lowercase: <CaseLower className={icon} />,
    capitalize: <CaseSensitive className={icon} />,
  },
  textDecoration: {
    none: <Minus className={icon} />,
    underline: <Underline className={icon} />,
    "line-through": <Strikethrough className={icon} />,
    overline: <Underline className={cx(icon, "rotate-180")} />,
  },
  theme: { dark: <Moon className={icon} />, light: <Sun className={icon} /> },
};

const optionsOf = ({ field }: ControlProps): readonly string[] =>
  field.spec.options ?? field.schema.enum ?? field.schema.examples ?? [];

/** A row of choices, one of them pressed. Arrow keys move between them. */
export function SegmentedControl(props: ControlProps) {
  const { id, field, label, value, isMixed, fallback, set } = props;
  const options = optionsOf(props);
  const current = isMixed ? "" : textOf(value ?? fallback);
  const active = Math.max(options.indexOf(current), 0);
  return (
    <div role="radiogroup" aria-label={label} className="flex h-8 w-full min-w-0 rounded-md bg-inset p-0.5 sm:h-7">
      {options.map((option, index) => (
        <button
          key={option}
          {...(index === 0 ? { id } : {})}
          type="button"
          role="radio"
          aria-checked={option === current}
          aria-label={optionLabel(option)}
          title={optionLabel(option)}
          tabIndex={index === active ? 0 : -1}
          onClick={() => set(option)}
          onKeyDown={(event) => {
            const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
            if (!step) return;
            event.preventDefault();
            const next = (index + step + options.length) % options.length;
            set(options[next]);
            (event.currentTarget.parentElement?.children[next] as HTMLElement | undefined)?.focus();
          }}
          className={cx(
            "grid min-w-0 flex-1 place-items-center truncate rounded-[5px] px-1 text-[12px] transition-colors",
            option === current
              ? cx("bg-selected shadow-card ring-1 ring-border", value === undefined ? "text-muted" : "text-foreground")
              : "text-muted hover:text-foreground",
          )}
        >
          {SIGNS[field.name]?.[option] ?? optionLabel(option)}
        </button>
      ))}
    </div>
  );
}

export function SelectControl(props: ControlProps) {
  const { id, value, isMixed, fallback, set, field } = props;
  const options = optionsOf(props);
  const current = isMixed ? "" : textOf(value);
  return (
    <PlainSelect id={id} value={current} onChange={(next) => set(next === "" ? undefined : next)}>
      {(isMixed || !field.required || !current) && (
        <option value="" disabled={isMixed}>
          {isMixed ? STRINGS.mixed : fallback === undefined ? STRINGS.unset : optionLabel(textOf(fallback))}
        </option>
      )}
      {current && !options.includes(current) && <option value={current}>{current}</option>}
      {options
        .filter((option) => field.required || option !== textOf(fallback) || option === current)
        .map((option) => (
          <option key={option} value={option}>
            {optionLabel(option)}
          </option>
        ))}
    </PlainSelect>
  );
}

interface PlainSelectProps {
  id?: string;
  label?: string;
  value: string;
  onChange: (value: string) => void;
  className?: string;
  children: ReactNode;
}

export const PlainSelect = ({ id, label, value, onChange, className, children }: PlainSelectProps) => (
  <select
    id={id}
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    className={cx(INPUT, "cursor-pointer truncate pr-1", className)}
  >
    {children}
  </select>
);

/** Text that is stored when the input is left, and while it is typed for what is seen at once. */
export function TextControl({ id, field, value, isMixed, fallback, set }: ControlProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const text = isMixed ? "" : textOf(value);
  const commit = () => {
    if (draft === null) return;
    setDraft(null);
    if (draft === text) return;
    set(draft === "" && !field.required ? undefined : draft);
  };
  return (
    <input
      id={id}
      autoComplete="off"
      spellCheck={false}
      value={draft ?? text}
      placeholder={isMixed ? STRINGS.mixed : textOf(fallback)}
      maxLength={field.schema.maxLength}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
        if (event.key === "Escape") setDraft(null);
      }}
      className={INPUT}
    />
  );
}

/** The text of an overlay: the picture follows each key, leaving the input ends the step. */
export function TextareaControl({ id, field, value, isMixed, drag, end }: ControlProps) {
  return (
    <textarea
      id={id}
      rows={2}
      value={isMixed ? "" : textOf(value)}
      placeholder={isMixed ? STRINGS.mixed : ""}
      maxLength={field.schema.maxLength}
      onChange={(event) => drag(event.target.value)}
      onBlur={end}
      className={cx(INPUT, "field-sizing-content h-auto! max-h-48 min-h-[52px] resize-none py-1.5 leading-[1.45]")}
    />
  );
}

export const FixedControl = ({ id, value, isMixed }: ControlProps) => (
  <output id={id} className="truncate px-2 text-[12px] text-muted">
    {isMixed ? STRINGS.mixed : textOf(value)}
  </output>
);
