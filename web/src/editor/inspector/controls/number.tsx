/** Numbers with and without a unit: typed, stepped by arrow keys, scrubbed by the label, or by a slider. */

import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { isText } from "@/editor/inspector/schema";
import { clamp, type Quantity, readQuantity, tidy, writeQuantity } from "@/editor/inspector/values";
import type { Json } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/inspector";
import { cx } from "@/ui/cx";
import { type ControlProps, INPUT, textOf } from "./props";

/** Pixels of the pointer per step of the value. */
const SCRUB_PIXELS = 2;

/** How the number of a field is shown and stored. */
export function numberOf({
  field,
  value,
  fallback,
  isMixed,
}: Pick<ControlProps, "field" | "value" | "fallback" | "isMixed">) {
  const { spec, schema } = field;
  const factor = spec.percent ? 100 : 1;
  const current = readQuantity(value);
  const base = readQuantity(fallback) ?? { number: 0, unit: spec.unit ?? "" };
  const { number, unit } = current ?? base;
  const step = spec.step ?? 1;
  const min = spec.min ?? schema.minimum;
  const max = schema.maximum;
  return {
    /** The number that is there, or the one that stands for nothing. */
    number,
    unit: current && typeof value === "number" && isText(schema) ? (spec.unit ?? "") : unit,
    step,
    isKnown: current !== null && !isMixed,
    text: isMixed ? "" : current ? String(tidy(current.number * factor)) : textOf(value),
    placeholder: isMixed ? STRINGS.mixed : fallback === undefined ? STRINGS.auto : String(tidy(base.number * factor)),
    suffix: spec.percent
      ? "%"
      : (spec.suffix ?? (current?.unit || (current && typeof value === "string" ? "" : spec.unit) || "")),
    store: (quantity: Quantity): Json =>
      writeQuantity({ number: clamp(quantity.number, min, max), unit: quantity.unit }, schema),
    parse: (text: string): Json | undefined => {
      const trimmed = text.trim();
      if (!trimmed) return undefined;
      const read = readQuantity(trimmed);
      if (!read) return isText(schema) ? trimmed : undefined;
      const typed = spec.percent ? { number: read.number / 100, unit: "" } : read;
      return writeQuantity(
        { number: clamp(typed.number, min, max), unit: typed.unit || (current ? unit : (spec.unit ?? unit)) },
        schema,
      );
    },
  };
}

const bySteps = (event: { shiftKey: boolean; altKey: boolean }) => (event.shiftKey ? 10 : event.altKey ? 0.1 : 1);

/** An input for a number. */
export function NumberInput(
  props: ControlProps & { className?: string; before?: ReactNode; describedBy?: string | undefined },
) {
  const { id, label, field, set, drag, end, className, before } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const view = numberOf(props);
  const commit = () => {
    if (draft === null) return;
    setDraft(null);
    if (draft.trim() === view.text) return;
    const next = view.parse(draft);
    if (next !== undefined || (!draft.trim() && !field.required)) set(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") commit();
    if (event.key === "Escape") setDraft(null);
    const direction = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (!direction) return;
    event.preventDefault();
    setDraft(null);
    const typed = draft === null ? null : readQuantity(draft);
    const from = typed ? typed.number / (field.spec.percent ? 100 : 1) : view.number;
    drag(view.store({ number: from + direction * view.step * bySteps(event), unit: view.unit }));
  };
  return (
    <span className={cx("relative flex min-w-0 items-center", className)}>
      {before && (
        <span className="pointer-events-none absolute left-2 text-[11px] text-muted" aria-hidden="true">
          {before}
        </span>
      )}
      <input
        id={id}
        aria-label={before ? label : undefined}
        aria-describedby={props.describedBy}
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
        value={draft ?? view.text}
        placeholder={view.placeholder}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => {
          commit();
          end();
        }}
        onKeyDown={onKeyDown}
        onKeyUp={(event) => event.key.startsWith("Arrow") && end()}
        onFocus={(event) => event.target.select()}
        className={cx(INPUT, before ? "pl-6" : "", view.suffix && "pr-7")}
      />
      {view.suffix && (
        <span className="pointer-events-none absolute right-2 text-[11px] text-muted" aria-hidden="true">
          {view.suffix}
        </span>
      )}
    </span>
  );
}

/** A slider beside the number. */
export function SliderControl(props: ControlProps & { describedBy?: string | undefined }) {
  const { field, label, drag, end } = props;
  const view = numberOf(props);
  const { min = field.schema.minimum ?? 0, max = field.schema.maximum ?? 1 } = field.spec;
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2">
      <Range
        label={label}
        min={min}
        max={max}
        step={field.spec.step ?? 0.01}
        value={view.number}
        isQuiet={!view.isKnown}
        onChange={(number) => drag(view.store({ number, unit: view.unit }))}
        onEnd={end}
      />
      <NumberInput {...props} className="w-[60px] shrink-0" />
    </span>
  );
}

interface RangeProps {
  label: string;
  min: number;
  max: number;
  step: number;
  value: number;
  /** The value is the default, or the values differ. */
  isQuiet?: boolean;
  onChange: (value: number) => void;
  onEnd: () => void;
}

/** A range input whose moves are one gesture. */
export function Range({ label, min, max, step, value, isQuiet = false, onChange, onEnd }: RangeProps) {
  const share = ((clamp(value, min, max) - min) / (max - min)) * 100;
  return (
    <input
      type="range"
      aria-label={label}
      min={min}
      max={max}
      step={step}
      value={clamp(value, min, max)}
      onChange={(event) => onChange(tidy(Number(event.target.value)))}
      onPointerUp={onEnd}
      onKeyUp={onEnd}
      onBlur={onEnd}
      onKeyDown={(event) => {
        const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
        if (!direction || !event.shiftKey) return;
        event.preventDefault();
        onChange(tidy(clamp(value + direction * step * 10, min, max)));
      }}
      style={{ "--share": `${share}%` } as React.CSSProperties}
      className={cx("inspector-range h-8 min-w-0 flex-1 sm:h-7", isQuiet && "opacity-60")}
    />
  );
}

/** Handlers for a label that changes its number when it is dragged sideways with a mouse or a pen. */
export function useScrub(props: ControlProps) {
  const start = useRef<{ x: number; number: number; moved: boolean } | null>(null);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType === "touch" || event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = { x: event.clientX, number: numberOf(props).number, moved: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = start.current;
      if (!from) return;
      const pixels = event.clientX - from.x;
      if (!from.moved && Math.abs(pixels) < 3) return;
      from.moved = true;
      const view = numberOf(props);
      const steps = Math.trunc(pixels / SCRUB_PIXELS);
      props.drag(view.store({ number: from.number + steps * view.step * bySteps(event), unit: view.unit }));
    },
    onPointerUp: () => {
      if (start.current?.moved) props.end();
    },
    onClick: (event: { preventDefault(): void }) => {
      // The label of a drag must not also focus the input.
      if (start.current?.moved) event.preventDefault();
      start.current = null;
    },
    onPointerCancel: () => {
      start.current = null;
      props.end();
    },
  };
}
