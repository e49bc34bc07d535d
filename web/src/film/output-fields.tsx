/** Format, size, range, quality, loudness and destination of a render. */

import { useQuery } from "@tanstack/react-query";
import { destinations } from "@/api/queries";
import type { Preview, RenderQuality, Template } from "@/api/types";
import { oneOf } from "@/lib/one-of";
import { Field, Input, Select } from "@/ui/field";
import type { Format } from "./output";
import type { OutputOptions } from "./render-request";
import { aspectOf } from "./template-card";

const QUALITIES: readonly RenderQuality[] = ["draft", "standard", "high"];

const FORMATS: readonly (readonly [string, readonly (readonly [Format, string])[]])[] = [
  [
    "Video",
    [
      ["mp4", "MP4"],
      ["m3u8", "HLS for streaming"],
      ["webm", "WebM"],
      ["mov", "MOV for editing (ProRes)"],
      ["gif", "GIF"],
    ],
  ],
  [
    "Image",
    [
      ["png", "PNG of the frame shown"],
      ["jpg", "JPG of the frame shown"],
      ["webp", "WebP of the frame shown"],
      ["zip", "ZIP with a PNG per frame"],
    ],
  ],
  [
    "Audio",
    [
      ["mp3", "MP3"],
      ["wav", "WAV"],
      ["m4a", "M4A"],
    ],
  ],
];
const FORMAT_NAMES = FORMATS.flatMap(([, formats]) => formats.map(([format]) => format));

/** Shorter sides that are offered, in pixels. */
const SIDES = [2160, 1440, 1080, 720, 480, 360];

const LOUDNESSES = [
  ["", "Unchanged"],
  ["-14", "−14 LUFS (streaming)"],
  ["-16", "−16 LUFS (podcasts)"],
  ["-23", "−23 LUFS (broadcast)"],
] as const;

type Film = Preview["resolved"];

/** Sizes as factors of the composition's, the original one first. */
function sizes(film: Film | undefined): [number, string][] {
  if (!film) return [[1, "Original"]];
  const shorter = Math.min(film.width, film.height);
  const label = (scale: number) => `${Math.round(film.width * scale)} × ${Math.round(film.height * scale)}`;
  const smaller = SIDES.filter((side) => side < shorter).map((side): [number, string] => {
    const scale = Math.round((side / shorter) * 1e6) / 1e6;
    return [scale, label(scale)];
  });
  return [[1, `${label(1)} (original)`], ...smaller];
}

interface Props {
  options: OutputOptions;
  film: Film | undefined;
  /** The same template laid out for other shapes. */
  variants: Template[];
  onChange: (options: OutputOptions) => void;
  /** Called with the id of a variant. */
  onVariant: (templateId: string) => void;
}

export function OutputFields({ options, film, variants, onChange, onVariant }: Props) {
  const set = (change: Partial<OutputOptions>) => onChange({ ...options, ...change });
  const isSound = ["mp3", "wav", "aac", "m4a"].includes(options.format);
  const isPicture = ["png", "jpg", "webp"].includes(options.format);
  const hasSound = isSound || ["mp4", "m3u8", "webm", "mov"].includes(options.format);
  const choices = sizes(film);
  const seconds = film ? film.durationSeconds : undefined;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Format">
        {(field) => (
          <Select
            {...field}
            value={options.format}
            onChange={(event) => set({ format: oneOf(event.target.value, FORMAT_NAMES) ?? "mp4" })}
          >
            {FORMATS.map(([group, formats]) => (
              <optgroup key={group} label={group}>
                {formats.map(([format, name]) => (
                  <option key={format} value={format}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ))}
          </Select>
        )}
      </Field>
      {!isSound && (
        <Field
          label="Size"
          hint={variants.length ? "Other shapes are laid out for themselves. What you filled in stays." : undefined}
        >
          {(field) => (
            <Select
              {...field}
              value={options.scale}
              onChange={({ target: { value } }) => {
                if (variants.some(({ id }) => id === value)) onVariant(value);
                else set({ scale: Number(value) });
              }}
            >
              <optgroup label={film ? aspectOf(film) : "This shape"}>
                {choices.map(([scale, name]) => (
                  <option key={scale} value={scale}>
                    {name}
                  </option>
                ))}
                {!choices.some(([scale]) => scale === options.scale) && (
                  <option value={options.scale}>{Math.round(options.scale * 100)} %</option>
                )}
              </optgroup>
              {variants.length > 0 && (
                <optgroup label="Other shapes">
                  {variants.map((variant) => (
                    <option key={variant.id} value={variant.id}>
                      {aspectOf(variant)} · {variant.width} × {variant.height}
                    </option>
                  ))}
                </optgroup>
              )}
            </Select>
          )}
        </Field>
      )}
      {!isSound && !isPicture && (
        <Field label="Quality">
          {(field) => (
            <Select
              {...field}
              value={options.quality}
              onChange={(event) => set({ quality: oneOf(event.target.value, QUALITIES) ?? "standard" })}
            >
              <option value="draft">Draft (fastest)</option>
              <option value="standard">Standard</option>
              <option value="high">High (largest file)</option>
            </Select>
          )}
        </Field>
      )}
      {hasSound && (
        <Field label="Loudness">
          {(field) => (
            <Select {...field} value={options.loudness} onChange={(event) => set({ loudness: event.target.value })}>
              {LOUDNESSES.map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {!isPicture && (
        <>
          <Field label="From second">
            {(field) => (
              <Input
                {...field}
                type="number"
                min={0}
                max={seconds}
                step="any"
                value={options.from}
                placeholder="0"
                onChange={(event) => set({ from: event.target.value })}
              />
            )}
          </Field>
          <Field label="To second">
            {(field) => (
              <Input
                {...field}
                type="number"
                min={0}
                max={seconds}
                step="any"
                value={options.to}
                placeholder={seconds === undefined ? "End" : String(Math.round(seconds * 100) / 100)}
                onChange={(event) => set({ to: event.target.value })}
              />
            )}
          </Field>
        </>
      )}
      <DestinationField name={options.destination} onChange={(destination) => set({ destination })} />
    </div>
  );
}

interface DestinationProps {
  /** The chosen one. */
  name: string | undefined;
  onChange: (name: string | undefined) => void;
}

/** Where the file is copied to, if the account has a destination. */
function DestinationField({ name, onChange }: DestinationProps) {
  const { data } = useQuery(destinations);
  const known = data?.destinations ?? [];
  if (!known.length && !name) return null;
  return (
    <Field label="Destination" hint={name && "Rondo also copies the file there."} className="sm:col-span-2">
      {(field) => (
        <Select {...field} value={name ?? ""} onChange={(event) => onChange(event.target.value || undefined)}>
          <option value="">None</option>
          {/* The list may not be there yet. */}
          {name && !known.some((destination) => destination.name === name) && <option value={name}>{name}</option>}
          {known.map((destination) => (
            <option key={destination.id} value={destination.name}>
              {destination.name} ({destination.url})
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
