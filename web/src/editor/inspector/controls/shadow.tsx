/** Shadows of boxes and letters, one below another. */

import { readShadows, type Shadow, writeShadows } from "@/editor/inspector/css/shadow";
import { SHADOW, STRINGS } from "@/editor/strings/inspector";
import { ColorInput } from "./color";
import { AddButton, CssInput, MiniNumber, RemoveButton } from "./parts";
import { type ControlProps, textOf } from "./props";

const MOST_SHADOWS = 12;
const NEW: Shadow = { x: 0, y: 4, blur: 12, spread: 0, color: "#00000066", inset: false };

export function ShadowControl({ field, label, value, isMixed, set, drag, end }: ControlProps) {
  const text = isMixed ? "" : textOf(value);
  const shadows = readShadows(text);
  const isText = field.spec.text ?? false;
  const put = (next: readonly Shadow[], apply = drag) => apply(next.length ? writeShadows(next, isText) : undefined);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {shadows?.map((shadow, index) => {
        const change = (part: Partial<Shadow>) => put(shadows.with(index, { ...shadow, ...part }));
        const number = (key: "x" | "y" | "blur" | "spread") => (
          <MiniNumber
            key={key}
            label={SHADOW.of(SHADOW[key], index)}
            short={SHADOW[key].slice(0, 1)}
            value={shadow[key]}
            {...(key === "blur" ? { min: 0 } : {})}
            onChange={(next) => change({ [key]: next })}
            onEnd={end}
          />
        );
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: shadows have no name, and their order is their place.
          <div key={index} className="flex flex-col gap-1.5">
            <div className="grid grid-cols-4 gap-1">
              {(isText ? (["x", "y", "blur"] as const) : (["x", "y", "blur", "spread"] as const)).map(number)}
            </div>
            <div className="flex items-center gap-1">
              <ColorInput
                className="flex-1"
                label={SHADOW.of(SHADOW.color, index)}
                value={shadow.color}
                onChange={(color) => change({ color })}
                onEnd={end}
              />
              {!isText && (
                <label className="flex shrink-0 items-center gap-1.5 px-1 text-[12px] text-muted">
                  <input
                    type="checkbox"
                    className="size-3.5 accent-(--foreground)"
                    aria-label={SHADOW.of(SHADOW.inset, index)}
                    checked={shadow.inset}
                    onChange={(event) => put(shadows.with(index, { ...shadow, inset: event.target.checked }), set)}
                  />
                  {SHADOW.inset}
                </label>
              )}
              <RemoveButton label={SHADOW.remove(index)} onClick={() => put(shadows.toSpliced(index, 1), set)} />
            </div>
          </div>
        );
      })}
      {shadows === null && (
        <CssInput label={`${label}, ${STRINGS.css}`} value={text} onChange={(next) => set(next || undefined)} />
      )}
      {(shadows?.length ?? 0) < MOST_SHADOWS && (
        <AddButton
          label={`${SHADOW.add}: ${label}`}
          text={isMixed ? `${STRINGS.mixed} · ${SHADOW.add}` : SHADOW.add}
          onClick={() => put([...(shadows ?? []), NEW], set)}
        />
      )}
    </div>
  );
}
