/** Easings: a name of the registry, or a curve that is bent by two handles. */

import { type PointerEvent, useRef } from "react";
import { type Curve, readCurve, writeCurve } from "@/editor/inspector/css/easing";
import { useRegistry } from "@/editor/inspector/registry";
import { clamp } from "@/editor/inspector/values";
import { EASING, STRINGS } from "@/editor/strings/inspector";
import { PlainSelect } from "./basic";
import { CssInput } from "./parts";
import { type ControlProps, textOf } from "./props";

const CUSTOM = "custom";

export function EasingControl({ id, label, value, isMixed, fallback, set, drag, end }: ControlProps) {
  const names = useRegistry("easings").map(({ name }) => name);
  const text = isMixed ? "" : textOf(value);
  const isNamed = names.includes(text);
  const curve = readCurve(text || textOf(fallback) || "linear");
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <PlainSelect
        id={id}
        value={isNamed ? text : text ? CUSTOM : ""}
        onChange={(next) => set(next === CUSTOM ? writeCurve(curve ?? [0.25, 0.1, 0.25, 1]) : next || undefined)}
      >
        <option value="">{isMixed ? STRINGS.mixed : textOf(fallback) || STRINGS.unset}</option>
        <option value={CUSTOM}>{EASING.custom}</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </PlainSelect>
      {text && curve && (
        <CurveEditor label={label} curve={curve} onChange={(next) => drag(writeCurve(next))} onEnd={end} />
      )}
      {text && !isNamed && (
        <CssInput label={`${label}, ${STRINGS.css}`} value={text} onChange={(next) => set(next || undefined)} />
      )}
    </div>
  );
}

/** The box of the curve: values from −0.6 to 1.6 are seen. */
const SIZE = 100;
const LOW = -0.6;
const HIGH = 1.6;
const toY = (value: number) => ((HIGH - value) / (HIGH - LOW)) * SIZE;

interface CurveProps {
  label: string;
  curve: Curve;
  onChange: (curve: Curve) => void;
  onEnd: () => void;
}

function CurveEditor({ label, curve, onChange, onEnd }: CurveProps) {
  const box = useRef<SVGSVGElement>(null);
  const [x1, y1, x2, y2] = curve;
  const put = (handle: 0 | 1, x: number, y: number) => {
    const place = [clamp(x, 0, 1), clamp(y, LOW, HIGH)] as const;
    onChange(handle === 0 ? [...place, x2, y2] : [x1, y1, ...place]);
  };
  const follow = (handle: 0 | 1) => (event: PointerEvent) => {
    const area = box.current?.getBoundingClientRect();
    if (!area || !event.buttons) return;
    put(
      handle,
      (event.clientX - area.left) / area.width,
      HIGH - ((event.clientY - area.top) / area.height) * (HIGH - LOW),
    );
  };
  const handles = [
    [x1, y1, 0, 0],
    [x2, y2, 1, 1],
  ] as const;
  return (
    <svg
      ref={box}
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      preserveAspectRatio="none"
      role="group"
      aria-label={`${label}, ${EASING.curve}`}
      className="h-28 w-full touch-none overflow-visible rounded-md bg-inset"
    >
      <path
        d={`M0 ${toY(0)}H${SIZE}M0 ${toY(1)}H${SIZE}`}
        className="stroke-border-strong"
        vectorEffect="non-scaling-stroke"
        strokeDasharray="3 3"
      />
      {handles.map(([x, y, fromX, fromY]) => (
        <line
          key={fromX}
          x1={fromX * SIZE}
          y1={toY(fromY)}
          x2={x * SIZE}
          y2={toY(y)}
          className="stroke-muted"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      <path
        d={`M0 ${toY(0)}C${x1 * SIZE} ${toY(y1)} ${x2 * SIZE} ${toY(y2)} ${SIZE} ${toY(1)}`}
        fill="none"
        className="stroke-foreground"
        strokeWidth="2"
        vectorEffect="non-scaling-stroke"
      />
      {handles.map(([x, y], index) => (
        <ellipse
          // biome-ignore lint/suspicious/noArrayIndexKey: there are two handles.
          key={index}
          cx={x * SIZE}
          cy={toY(y)}
          rx="3"
          ry="5"
          role="slider"
          tabIndex={0}
          aria-label={`${label}, ${EASING.handle(index)}`}
          aria-valuenow={y}
          aria-valuetext={`${x}, ${y}`}
          className="cursor-grab fill-accent-fill outline-offset-4"
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={follow(index as 0 | 1)}
          onPointerUp={onEnd}
          onKeyDown={(event) => {
            const by = event.shiftKey ? 0.1 : 0.01;
            const move = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, by], ArrowDown: [0, -by] }[event.key];
            if (!move) return;
            event.preventDefault();
            put(index as 0 | 1, x + (move[0] ?? 0), y + (move[1] ?? 0));
          }}
          onKeyUp={onEnd}
        />
      ))}
    </svg>
  );
}
