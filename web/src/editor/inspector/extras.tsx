/** What stands below some fields: size presets, seconds, the facts of a variable. */

import { Pipette } from "lucide-react";
import type { ComponentType } from "react";
import { COLOR, FILM, SIZES, VARIABLE } from "@/editor/strings/inspector";
import { useEditor, useEditorState } from "@/editor/use-editor";
import { cx } from "@/ui/cx";
import { type CheckedVariable, useChecked } from "./check";
import { type ControlProps, textOf } from "./controls/props";
import { pickFromCanvas } from "./eyedropper";
import { useShared, useType } from "./scope";

const CHIP =
  "h-7 min-w-0 flex-1 truncate rounded-md border px-1.5 text-[11.5px] text-muted hover:bg-hover hover:text-foreground aria-pressed:border-foreground aria-pressed:text-foreground";

function SizePresets() {
  const editor = useEditor();
  const [width, height] = useEditorState(({ film }) => [film.width, film.height]);
  return (
    <fieldset className="mt-1.5 flex gap-1.5" aria-label={FILM.sizes}>
      {SIZES.map(([name, w, h]) => (
        <button
          key={name}
          type="button"
          title={`${w} × ${h}`}
          aria-pressed={w === width && h === height}
          onClick={() =>
            editor.apply(
              [
                { op: "set", path: "width", value: w },
                { op: "set", path: "height", value: h },
              ],
              { name: FILM.changeSize },
            )
          }
          className={cx(CHIP, "flex items-center justify-center gap-1.5")}
        >
          <span
            className="shrink-0 rounded-[2px] border border-current"
            style={{ width: (w / Math.max(w, h)) * 12, height: (h / Math.max(w, h)) * 12 }}
            aria-hidden="true"
          />
          {name}
        </button>
      ))}
    </fieldset>
  );
}

const RATES = [24, 25, 30, 50, 60];

const RatePresets = ({ value, set }: ControlProps) => (
  <fieldset className="mt-1.5 mb-1 flex gap-1.5" aria-label={FILM.rates}>
    {RATES.map((rate) => (
      <button key={rate} type="button" aria-pressed={value === rate} onClick={() => set(rate)} className={CHIP}>
        {rate}
      </button>
    ))}
  </fieldset>
);

/** Frames as seconds. */
function Seconds({ value }: ControlProps) {
  const fps = useEditorState(({ film }) => film.fps);
  if (typeof value !== "number") return null;
  return (
    <p className="-mt-0.5 pr-7 pb-0.5 text-right text-[11px] text-muted">{FILM.seconds((value / fps).toFixed(2))}</p>
  );
}

function Poster({ set }: ControlProps) {
  const editor = useEditor();
  return (
    <button
      type="button"
      className="mb-1 ml-24 h-7 rounded-md px-2 text-[12px] text-muted hover:bg-hover hover:text-foreground"
      onClick={() => set(editor.state.frame)}
    >
      {FILM.usePoster}
    </button>
  );
}

/** Takes the colour of the background from the picture. */
function KeyPicker({ set }: ControlProps) {
  const editor = useEditor();
  return (
    <button
      type="button"
      className="mr-7 mb-1 ml-auto flex h-7 items-center gap-1.5 rounded-md px-2 text-[12px] whitespace-nowrap text-muted hover:bg-hover hover:text-foreground"
      onClick={() => void pickFromCanvas(editor, "greenscreen").then((color) => color && set(color))}
    >
      <Pipette className="size-3.5" aria-hidden="true" />
      {COLOR.pickFromCanvas}
    </button>
  );
}

/** What a variable fills, which values it takes and how much of them fits. */
function VariableFacts({ value }: ControlProps) {
  const type = useType();
  const isDynamic = useShared("isDynamic").value === true;
  const isFixed = useShared("styles.fontSizeFixed").value === true;
  const content = useShared(/^(video|image|sound)$/.test(type) ? "src" : "content").value;
  const name = textOf(value);
  const isTaken = useEditorState(
    ({ film, selection }) =>
      name !== "" &&
      film.overlays.some((one) => one["name"] === name && one["isDynamic"] === true && !selection.includes(one.id)),
  );
  const id = useEditorState(({ selection }) => selection[0]);
  const checked = useChecked(({ variables }) => variables.find(({ overlayId }) => overlayId === id));
  if (!isDynamic) return null;
  const isMedia = /^(video|image|sound)$/.test(type);
  const rows: [string, string][] = [
    [VARIABLE.fills, isMedia ? "src" : "content"],
    [VARIABLE.value, isMedia ? VARIABLE.url : VARIABLE.text],
    ...(textOf(content) ? [[VARIABLE.default, textOf(content)] as [string, string]] : []),
    ...(type === "text" ? [[VARIABLE.capacity, capacityOf(checked, isFixed)] as [string, string]] : []),
  ];
  return (
    <div className="mt-1 mb-1.5 text-[11.5px] leading-4">
      {!name && <p className="mb-1 text-warning">{VARIABLE.needsName}</p>}
      {isTaken && <p className="mb-1 text-warning">{VARIABLE.taken(name)}</p>}
      <dl className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-2 gap-y-0.5">
        {rows.map(([term, fact]) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd className="truncate" title={fact}>
              {fact}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-1.5 text-muted">{VARIABLE.hint}</p>
    </div>
  );
}

function capacityOf(variable: CheckedVariable | undefined, isFixed: boolean): string {
  if (variable?.maxCharacters) return VARIABLE.characters(variable.maxCharacters, variable.linesAvailable ?? undefined);
  return isFixed ? VARIABLE.clipped : VARIABLE.fits;
}

export const EXTRAS: Record<string, ComponentType<ControlProps> | undefined> = {
  "film:fps": RatePresets,
  "film:durationInFrames": Seconds,
  "film:posterFrame": Poster,
  from: Seconds,
  durationInFrames: Seconds,
  name: VariableFacts,
  "greenscreen.keyColor": KeyPicker,
};

/** What stands below a group. */
export const GROUP_EXTRAS: Record<string, ComponentType | undefined> = { "film:position": SizePresets };
