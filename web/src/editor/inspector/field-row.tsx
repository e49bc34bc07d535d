/** A field: its label, its control, a button that takes the field out, and what the service says about it. */

import { ChevronDown, ChevronRight, CircleAlert, Info, RotateCcw, TriangleAlert } from "lucide-react";
import { type ComponentType, memo, useId } from "react";
import { useShallow } from "zustand/react/shallow";
import { STRINGS } from "@/editor/strings/inspector";
import { useEditorState } from "@/editor/use-editor";
import { cx } from "@/ui/cx";
import { type Found, useChecked } from "./check";
import {
  FixedControl,
  SegmentedControl,
  SelectControl,
  TextareaControl,
  TextControl,
  ToggleControl,
} from "./controls/basic";
import { ColorControl } from "./controls/color";
import { BorderControl, PointControl, TransformControl } from "./controls/composed";
import { EasingControl } from "./controls/easing";
import { FilterControl } from "./controls/filter";
import { FontControl, WeightControl } from "./controls/font";
import { PaintControl } from "./controls/gradient";
import { KeyframesControl, ObjectsControl, StringsControl } from "./controls/lists";
import { NumberInput, SliderControl, useScrub } from "./controls/number";
import { PickerControl } from "./controls/picker";
import { type ControlProps, textOf } from "./controls/props";
import { ShadowControl } from "./controls/shadow";
import { EXTRAS } from "./extras";
import { labelOf } from "./labels";
import { useOpen } from "./open";
import { useSetter, useShared, useType } from "./scope";
import type { ControlName, Placed } from "./table";

const Objects = (props: ControlProps) => (
  <ObjectsControl {...props} row={(field) => <FieldRow key={field.path} field={field} />} />
);

const CONTROLS: Record<ControlName, ComponentType<ControlProps>> = {
  number: NumberInput,
  slider: SliderControl,
  toggle: ToggleControl,
  segmented: SegmentedControl,
  select: SelectControl,
  text: TextControl,
  textarea: TextareaControl,
  color: ColorControl,
  paint: PaintControl,
  gradient: PaintControl,
  shadow: ShadowControl,
  filter: FilterControl,
  font: FontControl,
  weight: WeightControl,
  easing: EasingControl,
  keyframes: KeyframesControl,
  strings: StringsControl,
  objects: Objects,
  picker: PickerControl,
  point: PointControl,
  border: BorderControl,
  transform: TransformControl,
  media: TextControl,
  fixed: FixedControl,
};

/** Controls that need the whole width, below their label. */
const WIDE = new Set<ControlName>([
  "textarea",
  "paint",
  "gradient",
  "shadow",
  "filter",
  "strings",
  "objects",
  "transform",
]);
/** Tall ones are closed while their field is not set. */
const FOLDED = new Set<ControlName>(["filter", "transform"]);
/** Their label is not that of one input. */
const GROUPED = new Set<ControlName>(["shadow", "strings", "objects", "transform", "point", "border", "segmented"]);

export const FieldRow = memo(function FieldRow({ field }: { field: Placed }) {
  const id = useId();
  const type = useType();
  const label = labelOf(type, field);
  const { control, short } = field.spec;
  const { value, isMixed, isSet } = useShared(field.path);
  const setter = useSetter(field.path, label);
  const found = useFound(field);
  const fallback = field.spec.fallback ?? field.schema.default;
  const props: ControlProps = { ...setter, field, id, label, value, isMixed, fallback };
  const scrub = useScrub(props);
  const [isOpen, toggle] = useOpen(`field ${field.path}`, isSet || !FOLDED.has(control));
  const Control = CONTROLS[control];
  const Extra = EXTRAS[type === "film" ? `film:${field.path}` : field.path];
  const canReset = isSet && !field.required && control !== "fixed";

  if (short)
    return (
      <div data-path={field.path} className="min-w-0">
        <div className="relative">
          <NumberInput {...props} before={short} />
          <span className="absolute inset-y-0 left-0 w-6 cursor-ew-resize touch-none" {...scrub} />
        </div>
        <FoundList found={found} />
      </div>
    );

  const isWide = WIDE.has(control);
  const isFolded = FOLDED.has(control);
  const isScrubbed = control === "number" || control === "slider";
  const Label = GROUPED.has(control) || isFolded ? "span" : "label";
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const name = (
    <Label
      {...(Label === "label" ? { htmlFor: id } : {})}
      title={field.schema.description}
      {...(isScrubbed ? scrub : {})}
      className={cx(
        "truncate py-1 text-[12px] leading-5 select-none",
        isSet ? "text-foreground" : "text-muted",
        isScrubbed && "cursor-ew-resize",
      )}
    >
      {label}
    </Label>
  );
  return (
    <div
      {...(GROUPED.has(control) ? { role: "group", "aria-label": label } : {})}
      data-path={field.path}
      className="group/row min-w-0"
    >
      <div
        className={cx(
          "grid min-h-8 items-start gap-x-2 sm:min-h-7",
          isWide ? "grid-cols-[minmax(0,1fr)_20px]" : "grid-cols-[var(--label,88px)_minmax(0,1fr)_20px]",
        )}
      >
        {isFolded ? (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={toggle}
            className="flex min-w-0 items-center gap-1 rounded-md pr-1 text-left"
          >
            <Chevron className="size-3 shrink-0 text-muted" aria-hidden="true" />
            {name}
            {!isOpen && isSet && <span className="ml-2 truncate text-[11px] text-muted">{textOf(value)}</span>}
          </button>
        ) : (
          name
        )}
        {!isWide && (
          <div className="flex min-h-7 min-w-0 items-center *:min-w-0 [&>:not([role=switch])]:flex-1">
            <Control {...props} />
          </div>
        )}
        {canReset ? (
          <button
            type="button"
            aria-label={STRINGS.reset(label)}
            title={STRINGS.reset(label)}
            onClick={() => setter.set(undefined)}
            className="mt-1 grid size-5 place-items-center rounded text-muted opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 hover:bg-hover hover:text-foreground focus-visible:opacity-100 pointer-coarse:opacity-100"
          >
            <RotateCcw className="size-3" />
          </button>
        ) : (
          <span />
        )}
      </div>
      {isWide && isOpen && (
        <div className={cx("mt-0.5 mb-1", control !== "objects" && "pr-7")}>
          <Control {...props} />
        </div>
      )}
      {Extra && <Extra {...props} />}
      <FoundList found={found} />
    </div>
  );
});

const NONE: readonly Found[] = [];

/** What is said about a field of the selection. */
function useFound({ path, spec }: Placed): readonly Found[] {
  const isFilm = useType() === "film";
  const selection = useEditorState((state) => state.selection);
  return useChecked(
    useShallow(({ found }) => {
      if (!found.length) return NONE;
      const hits = found.filter(
        (one) =>
          (isFilm ? one.id === undefined : one.id !== undefined && selection.includes(one.id)) &&
          (one.path === path || (spec.control !== "objects" && one.path.startsWith(`${path}[`))),
      );
      return hits.length ? hits : NONE;
    }),
  );
}

export const SEVERITIES = {
  error: ["text-danger", CircleAlert],
  warning: ["text-warning", TriangleAlert],
  info: ["text-info", Info],
} as const;

function FoundList({ found }: { found: readonly Found[] }) {
  return found.map(({ severity, message, hint, code }) => {
    const [color, Icon] = SEVERITIES[severity];
    return (
      <p key={`${code} ${message}`} className="mt-0.5 mb-1 flex gap-1.5 text-[11.5px] leading-4" title={hint}>
        <Icon className={cx("mt-0.5 size-3 shrink-0", color)} aria-hidden="true" />
        <span className="min-w-0 break-words">{message}</span>
      </p>
    );
  });
}
