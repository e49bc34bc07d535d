/** Filters: a preset of the registry, and sliders for what it is made of. */

import { DIALS, dialOf, readFilters, withDial } from "@/editor/inspector/css/filter";
import { useRegistry } from "@/editor/inspector/registry";
import { humanise, tidy } from "@/editor/inspector/values";
import type { Json } from "@/editor/model/film";
import { FILTER, STRINGS } from "@/editor/strings/inspector";
import { PlainSelect } from "./basic";
import { Range } from "./number";
import { CssInput } from "./parts";
import { type ControlProps, textOf } from "./props";

const plain = (name: string) => name.toLowerCase().replaceAll(/[-_\s]/g, "");

export function FilterControl({ label, value, isMixed, set, drag, end, field }: ControlProps) {
  const text = isMixed ? "" : textOf(value);
  const presets = useRegistry("filters");
  const isBackdrop = field.name === "backdropFilter";
  const preset = presets.find(({ name }) => plain(name) === plain(text));
  const filters = readFilters(preset ? textOf(preset["css"] as Json) : text);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {!isBackdrop && (
        <PlainSelect
          label={`${label}, ${FILTER.preset}`}
          value={preset?.name ?? (text ? "custom" : "")}
          onChange={(next) => next !== "custom" && set(next || undefined)}
        >
          <option value="">{isMixed ? STRINGS.mixed : STRINGS.none}</option>
          {text && !preset && <option value="custom">{FILTER.custom}</option>}
          {presets
            .filter(({ name }) => name !== "none")
            .map(({ name }) => (
              <option key={name} value={name}>
                {humanise(name)}
              </option>
            ))}
        </PlainSelect>
      )}
      {filters &&
        DIALS.map((dial) => {
          const now = dialOf(filters, dial);
          const name = FILTER.names[dial.name] ?? dial.name;
          return (
            <div key={dial.name} className="flex items-center gap-2">
              <span className="w-[68px] shrink-0 text-[11.5px] text-muted">{name}</span>
              <Range
                label={`${label}, ${name}`}
                min={dial.min}
                max={dial.max}
                step={dial.step}
                value={now}
                isQuiet={now === dial.rest}
                onChange={(next) => drag(withDial(filters, dial, next) || undefined)}
                onEnd={end}
              />
              <span className="w-9 shrink-0 text-right text-[11px] text-muted tabular-nums">
                {dial.unit ? `${tidy(now)}${dial.unit === "deg" ? "°" : ""}` : `${Math.round(now * 100)}%`}
              </span>
            </div>
          );
        })}
      {text && !preset && (
        <CssInput label={`${label}, ${STRINGS.css}`} value={text} onChange={(next) => set(next || undefined)} />
      )}
    </div>
  );
}
