/** Builds the render request for a template, a project or a composition. */
import type { Composition, RenderBody, RenderQuality } from "@/api/types";
import type { Format } from "./output";
import { isNarration } from "./speech";
import type { Values } from "./variables-form";

/** A composition is the copy shown by the editUrl of a preview. It belongs to no project. */
export type Source = { templateId: string } | { projectId: string } | { composition: Composition };

type Overlay = Composition["overlays"][number];

const MEDIA: Overlay["type"][] = ["image", "video", "sound"];

/** The name of the variable that an overlay is; null if it is none. */
export const variableName = ({ isDynamic, name, id }: Overlay) => (isDynamic ? name || `overlay-${id}` : null);

/** Applies the values to the overlays, as the service does for templates and projects. */
function withValues(composition: Composition, values: Values): Composition {
  const overlays = composition.overlays.map((overlay) => {
    const name = variableName(overlay);
    const value = name === null ? undefined : values[name];
    if (typeof value !== "string") return overlay;
    return { ...overlay, [MEDIA.includes(overlay.type) ? "src" : "content"]: value };
  });
  return { ...composition, overlays };
}

export function renderRequest(source: Source, values: Values): RenderBody {
  if ("composition" in source) return { inputProps: withValues(source.composition, values) };
  // A script that is not written yet says nothing.
  const filled = Object.entries(values).filter(([, value]) => !isNarration(value) || value.tts.text.trim());
  return filled.length ? { ...source, replacements: Object.fromEntries(filled) } : { ...source };
}

/** What *More options* sets. Empty texts stand for the default. */
export interface OutputOptions {
  format: Format;
  quality: RenderQuality;
  /** Relative to the composition. */
  scale: number;
  /** Seconds. */
  from: string;
  to: string;
  /** LUFS. */
  loudness: string;
  /** The name of a destination. */
  destination?: string | undefined;
}

export const DEFAULT_OPTIONS: OutputOptions = {
  format: "mp4",
  quality: "standard",
  scale: 1,
  from: "",
  to: "",
  loudness: "",
};

interface Film {
  fps: number;
  durationInFrames: number;
}

/** The first and last frame, or null for the whole film. */
function frameRange({ from, to }: OutputOptions, { fps, durationInFrames }: Film): [number, number] | null {
  if (!from.trim() && !to.trim()) return null;
  const last = Math.max(durationInFrames - 1, 0);
  const frame = (seconds: string, otherwise: number) => {
    const number = Number(seconds);
    return seconds.trim() && Number.isFinite(number) ? Math.round(number * fps) : otherwise;
  };
  const first = Math.min(Math.max(frame(from, 0), 0), last);
  return [first, Math.min(Math.max(frame(to, last + 1) - 1, first), last)];
}

/** The options as fields of a request. `film` is known once there is a preview, `frame` is the one it shows. */
export function withOptions(request: RenderBody, options: OutputOptions, film: Film | null, frame: number): RenderBody {
  const { format, quality, scale, loudness, destination } = options;
  const isSound = ["mp3", "wav", "aac", "m4a"].includes(format);
  const range = film ? frameRange(options, film) : null;
  const output: NonNullable<RenderBody["output"]> = {};
  if (format === "zip") {
    output.format = "png";
    output.range = range ?? [0, Math.max((film?.durationInFrames ?? 1) - 1, 0)];
  } else {
    // The file of an HLS film is its playlist.
    if (format !== "mp4") output.format = format === "m3u8" ? "hls" : format;
    if (["png", "jpg", "webp"].includes(format)) output.frame = frame;
    else if (range) output.range = range;
  }
  if (quality !== "standard") output.quality = quality;
  if (scale !== 1 && !isSound) output.scale = scale;
  if (destination) output.destination = destination;
  return {
    ...request,
    ...(Object.keys(output).length ? { output } : {}),
    ...(loudness ? { audio: { loudness: Number(loudness) } } : {}),
  };
}
