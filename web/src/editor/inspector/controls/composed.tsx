/** Values made of a few numbers: transforms, borders, and the point of a picture that stays in view. */

import { type PointerEvent, useRef } from "react";
import { type Border, LINES, readBorder, writeBorder } from "@/editor/inspector/css/border";
import { PARTS, partOf, readTransform, withPart } from "@/editor/inspector/css/transform";
import { clamp } from "@/editor/inspector/values";
import { BORDER, STRINGS, TRANSFORM_NAMES } from "@/editor/strings/inspector";
import { optionLabel, PlainSelect } from "./basic";
import { ColorInput } from "./color";
import { CssInput, MiniNumber } from "./parts";
import { type ControlProps, textOf } from "./props";

export function TransformControl({ label, value, isMixed, set, drag, end }: ControlProps) {
  const text = isMixed ? "" : textOf(value);
  const transform = readTransform(text);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      {transform && (
        <div className="grid grid-cols-2 gap-1.5">
          {PARTS.map((part) => (
            <span key={part.name} className="flex min-w-0 items-center gap-1.5">
              <span className="w-12 shrink-0 truncate text-[11px] text-muted" aria-hidden="true">
                {TRANSFORM_NAMES[part.name]}
              </span>
              <MiniNumber
                label={`${label}, ${TRANSFORM_NAMES[part.name]}`}
                suffix={part.unit === "deg" ? "°" : ""}
                value={partOf(transform, part)}
                step={part.step}
                onChange={(next) => drag(withPart(transform, part, next) || undefined)}
                onEnd={end}
                className="flex-1"
              />
            </span>
          ))}
        </div>
      )}
      {text && <CssInput label={`${label}, ${STRINGS.css}`} value={text} onChange={(next) => set(next || undefined)} />}
    </div>
  );
}

/** A border, or the outline of letters, which has no style of line. */
export function BorderControl({ field, label, value, isMixed, set, drag, end }: ControlProps) {
  const text = isMixed ? "" : textOf(value);
  const border = readBorder(text);
  const hasLine = field.name === "border";
  if (!border)
    return <CssInput label={`${label}, ${STRINGS.css}`} value={text} onChange={(next) => set(next || undefined)} />;
  const write = (part: Partial<Border>) => {
    const next = { ...border, ...part };
    return writeBorder({ ...next, line: hasLine ? next.line || "solid" : "" });
  };
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex gap-1.5">
        <MiniNumber
          className="flex-1"
          label={`${label}, ${BORDER.width}`}
          suffix="px"
          min={0}
          step={hasLine ? 1 : 0.5}
          value={border.width}
          onChange={(width) => drag(write({ width }))}
          onEnd={end}
        />
        {hasLine && (
          <PlainSelect
            className="flex-1"
            label={`${label}, ${BORDER.line}`}
            value={border.line || "solid"}
            onChange={(line) => set(write({ line }))}
          >
            {LINES.map((line) => (
              <option key={line} value={line}>
                {optionLabel(line)}
              </option>
            ))}
          </PlainSelect>
        )}
      </div>
      {text && (
        <ColorInput
          label={`${label}, ${BORDER.color}`}
          value={border.color}
          onChange={(color) => drag(write({ color }))}
          onEnd={end}
        />
      )}
    </div>
  );
}

const WORDS: Record<string, number> = { left: 0, top: 0, center: 50, right: 100, bottom: 100 };

/** `left top` or `30% 70%` as two numbers of per cent; null for other units. */
function readPoint(text: string): [number, number] | null {
  const words = text.trim().toLowerCase().split(/\s+/);
  if (/^(top|bottom)$/.test(words[0] ?? "") || /^(left|right)$/.test(words[1] ?? "")) words.reverse();
  const [x, y = 50] = words.map((word) => WORDS[word] ?? (/^-?[\d.]+%$/.test(word) ? Number.parseFloat(word) : null));
  return x === null || x === undefined || y === null || words.length > 2 ? null : [x, y];
}

export function PointControl({ label, value, isMixed, fallback, set, drag, end }: ControlProps) {
  const pad = useRef<HTMLDivElement>(null);
  const text = isMixed ? "" : textOf(value);
  const point = readPoint(text || textOf(fallback) || "50% 50%");
  if (!point)
    return <CssInput label={`${label}, ${STRINGS.css}`} value={text} onChange={(next) => set(next || undefined)} />;
  const put = (x: number, y: number) => drag(`${clamp(x, 0, 100)}% ${clamp(y, 0, 100)}%`);
  const follow = (event: PointerEvent) => {
    const box = pad.current?.getBoundingClientRect();
    if (!box) return;
    put(
      Math.round(((event.clientX - box.left) / box.width) * 100),
      Math.round(((event.clientY - box.top) / box.height) * 100),
    );
  };
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <div
        ref={pad}
        className="relative h-[62px] w-[72px] shrink-0 sm:h-[60px] touch-none overflow-hidden rounded-md border border-border-strong bg-inset"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          follow(event);
        }}
        onPointerMove={(event) => event.buttons && follow(event)}
        onPointerUp={end}
      >
        <span
          className="absolute size-2.5 -translate-x-1/2 -translate-y-1/2 rounded-full bg-foreground ring-2 ring-surface"
          style={{ left: `${point[0]}%`, top: `${point[1]}%` }}
        />
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        {(["X", "Y"] as const).map((axis, index) => (
          <MiniNumber
            key={axis}
            label={`${label} ${axis}`}
            short={axis}
            value={point[index] ?? 50}
            onChange={(next) => put(index ? point[0] : next, index ? next : point[1])}
            onEnd={end}
          />
        ))}
      </div>
    </div>
  );
}
