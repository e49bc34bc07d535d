/** Gradients: a bar of stops, an angle, a colour for the chosen stop. And paints: a colour or a gradient. */

import { type PointerEvent, useRef, useState } from "react";
import { toHex } from "@/editor/inspector/css/color";
import { type Gradient, NEW_GRADIENT, readGradient, type Stop, writeGradient } from "@/editor/inspector/css/gradient";
import { clamp } from "@/editor/inspector/values";
import { GRADIENT, STRINGS } from "@/editor/strings/inspector";
import { cx } from "@/ui/cx";
import { PlainSelect } from "./basic";
import { ColorInput } from "./color";
import { CssInput, MiniNumber, RemoveButton } from "./parts";
import { type ControlProps, textOf } from "./props";

type Kind = keyof typeof GRADIENT.kinds;

/** A colour or a gradient; fields named `gradient` take no colour. */
export function PaintControl(props: ControlProps) {
  const { id, label, value, isMixed, set, drag, end, field } = props;
  const text = isMixed ? "" : textOf(value);
  const gradient = readGradient(text);
  const takesColor = field.spec.control === "paint";
  const kind: Kind | "other" = gradient
    ? gradient.kind
    : !text
      ? "none"
      : takesColor && toHex(text)
        ? "solid"
        : "other";
  const kinds: Kind[] = ["none", ...(takesColor ? (["solid"] as const) : []), "linear", "radial", "conic"];
  const change = (next: string) => {
    if (next === "none") set(undefined);
    else if (next === "solid") set(gradient?.stops[0]?.color ?? "#6366f1");
    else set(writeGradient({ ...(gradient ?? NEW_GRADIENT), shape: "", kind: next as Gradient["kind"] }));
  };
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <PlainSelect id={id} value={kind} onChange={change}>
        {kind === "other" && <option value="other">{STRINGS.css}</option>}
        {kinds.map((one) => (
          <option key={one} value={one}>
            {isMixed && one === "none" ? STRINGS.mixed : GRADIENT.kinds[one]}
          </option>
        ))}
      </PlainSelect>
      {kind === "solid" && <ColorInput label={label} value={text} onChange={drag} onEnd={end} />}
      {gradient && (
        <GradientEditor label={label} gradient={gradient} onChange={(next) => drag(writeGradient(next))} onEnd={end} />
      )}
      {kind !== "none" && kind !== "solid" && (
        <CssInput label={`${label}, ${STRINGS.css}`} value={text} onChange={(next) => set(next || undefined)} />
      )}
    </div>
  );
}

interface EditorProps {
  label: string;
  gradient: Gradient;
  onChange: (gradient: Gradient) => void;
  onEnd: () => void;
}

/** The stops keep their place in the list while they are dragged; the text lists them in order. */
export function GradientEditor({ label, gradient, onChange, onEnd }: EditorProps) {
  const [chosen, setChosen] = useState(0);
  const bar = useRef<HTMLDivElement>(null);
  const dragged = useRef<{ stops: Stop[]; index: number } | null>(null);
  const { stops } = gradient;
  const index = Math.min(chosen, stops.length - 1);
  const stop = stops[index];
  const put = (next: Stop[], at: number) => {
    const moved = next[at];
    const sorted = [...next].sort((left, right) => left.at - right.at);
    setChosen(moved ? sorted.indexOf(moved) : 0);
    onChange({ ...gradient, stops: sorted });
  };
  const placeOf = (event: PointerEvent) => {
    const box = bar.current?.getBoundingClientRect();
    return box ? Math.round(clamp((event.clientX - box.left) / box.width, 0, 1) * 100) : 0;
  };
  const addAt = (at: number) => {
    if (stops.length >= 12) return;
    const near = stops.reduce((best, one) => (Math.abs(one.at - at) < Math.abs(best.at - at) ? one : best));
    const added = { color: near.color, at };
    put([...stops, added], stops.length);
    onEnd();
  };
  const preview = writeGradient({ ...gradient, kind: "linear", angle: 90, shape: "" });
  return (
    <div className="flex flex-col gap-2">
      <div
        ref={bar}
        className="inspector-checks relative h-7 cursor-copy rounded-md"
        onPointerDown={(event) => event.target === event.currentTarget.firstChild && addAt(placeOf(event))}
      >
        <span className="absolute inset-0 rounded-md border border-border-strong" style={{ background: preview }} />
        {stops.map(({ color, at }, place) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: stops have no name, and their order is their place.
            key={place}
            type="button"
            aria-label={GRADIENT.stopAt(place, at)}
            aria-pressed={place === index}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              dragged.current = { stops: stops.toSpliced(place, 1), index: place };
              setChosen(place);
            }}
            onPointerMove={(event) => {
              if (!dragged.current) return;
              const others = dragged.current.stops;
              put([...others, { color, at: placeOf(event) }], others.length);
            }}
            onPointerUp={() => {
              dragged.current = null;
              onEnd();
            }}
            onKeyDown={(event) => {
              const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
              if (step) {
                event.preventDefault();
                put(stops.with(place, { color, at: clamp(at + step * (event.shiftKey ? 10 : 1), 0, 100) }), place);
              }
              if ((event.key === "Delete" || event.key === "Backspace") && stops.length > 2) {
                event.stopPropagation();
                put(stops.toSpliced(place, 1), 0);
              }
            }}
            onKeyUp={onEnd}
            onFocus={() => !dragged.current && setChosen(place)}
            style={{ left: `${clamp(at, 0, 100)}%`, background: color }}
            className={cx(
              "absolute top-1/2 h-6 w-3 -translate-x-1/2 -translate-y-1/2 cursor-ew-resize rounded-[4px] border-2 border-white shadow-[0_0_0_1px_rgb(0_0_0/45%)]",
              place === index && "ring-2 ring-primary ring-offset-1",
            )}
          />
        ))}
      </div>
      {stop && (
        <div className="flex items-center gap-1.5">
          <ColorInput
            className="flex-1"
            label={`${label}, ${GRADIENT.stop(index)}`}
            value={stop.color}
            onChange={(color) => put(stops.with(index, { ...stop, color }), index)}
            onEnd={onEnd}
          />
          <MiniNumber
            className="w-14 shrink-0"
            label={`${GRADIENT.position}, ${GRADIENT.stop(index)}`}
            suffix="%"
            value={stop.at}
            onChange={(at) => put(stops.with(index, { ...stop, at: clamp(at, 0, 100) }), index)}
            onEnd={onEnd}
          />
          {stops.length > 2 && (
            <RemoveButton
              label={GRADIENT.removeStop}
              onClick={() => {
                put(stops.toSpliced(index, 1), 0);
                onEnd();
              }}
            />
          )}
        </div>
      )}
      <div className="flex items-center gap-1.5">
        {gradient.kind !== "radial" && !gradient.shape && (
          <MiniNumber
            className="w-24"
            label={`${label}, ${GRADIENT.angle}`}
            short="∠"
            suffix="°"
            value={gradient.angle}
            onChange={(angle) => onChange({ ...gradient, angle })}
            onEnd={onEnd}
          />
        )}
        <button
          type="button"
          className="h-7 rounded-md px-2 text-[12px] text-muted hover:bg-hover hover:text-foreground"
          onClick={() => addAt(50)}
        >
          {GRADIENT.addStop}
        </button>
      </div>
    </div>
  );
}
