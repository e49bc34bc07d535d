/** Overlays as text, for the clipboard: within a film and between films. */

import type { Edit } from "./edits";
import { type Film, freeId, type Json, type Overlay } from "./film";
import { regrouped } from "./groups";
import { nearestFreeRow } from "./rows";

const KIND = "rondo/overlays";
/** More than anyone copies by hand; a bound against hostile text. */
const MOST_TEXT = 20_000_000;
const MOST_OVERLAYS = 2000;

interface Copied {
  kind: typeof KIND;
  fps: number;
  width: number;
  height: number;
  overlays: Overlay[];
}

export function writeOverlays(film: Film, overlays: readonly Overlay[]): string {
  const { fps, width, height } = film;
  return JSON.stringify({ kind: KIND, fps, width, height, overlays } satisfies Record<string, unknown>);
}

/** The overlays in a text; null if it holds none. */
export function readOverlays(text: string): Copied | null {
  if (text.length > MOST_TEXT || !text.startsWith("{")) return null;
  try {
    const value = JSON.parse(text) as Partial<Copied>;
    if (value.kind !== KIND || !Array.isArray(value.overlays)) return null;
    const overlays = value.overlays.slice(0, MOST_OVERLAYS).filter(isOverlay);
    const { fps, width, height } = value;
    if (!overlays.length || ![fps, width, height].every((size) => typeof size === "number" && size > 0)) return null;
    return { ...value, overlays } as Copied;
  } catch {
    return null;
  }
}

const isOverlay = (value: unknown): value is Overlay => {
  const overlay = value as Partial<Overlay> | null;
  return (
    typeof overlay === "object" &&
    overlay !== null &&
    typeof overlay.type === "string" &&
    Number.isFinite(overlay.from) &&
    Number.isFinite(overlay.durationInFrames) &&
    Number.isFinite(overlay.row)
  );
};

/** The edits that put copied overlays into a film so that the first begins at a frame, and the ids they will have. */
export function pasteEdits(film: Film, copied: Copied, at: number): { edits: Edit[]; ids: number[] } {
  const pace = film.fps / copied.fps;
  const scale = Math.min(film.width / copied.width, film.height / copied.height);
  const first = Math.min(...copied.overlays.map(({ from }) => from));
  const adapted = copied.overlays.map((overlay) => ({
    ...(scale === 1 ? overlay : resized(overlay, scale)),
    from: Math.max(0, at + Math.round((overlay.from - first) * pace)),
    durationInFrames: Math.max(1, Math.round(overlay.durationInFrames * pace)),
  }));
  return placeEdits(film, adapted as Overlay[]);
}

/** The edits that add copies of overlays where they are, each on the nearest row with room. */
export function placeEdits(film: Film, overlays: readonly Overlay[]): { edits: Edit[]; ids: number[] } {
  const taken = [...film.overlays];
  const edits: Edit[] = [];
  const ids: number[] = [];
  let id = freeId(film.overlays);
  for (const overlay of regrouped(overlays)) {
    const row = nearestFreeRow(taken, overlay.row, overlay.from, overlay.from + overlay.durationInFrames);
    const copy = { ...overlay, id: id++, row } as Overlay;
    taken.push(copy);
    edits.push({ op: "add", overlay: copy });
    ids.push(copy.id);
  }
  return { edits, ids };
}

/** A box made for one canvas, on another of other size. */
function resized(overlay: Overlay, scale: number): Overlay {
  const box: Record<string, Json> = {};
  for (const side of ["left", "top", "width", "height"] as const) {
    const value = overlay[side];
    if (typeof value === "number") box[side] = Math.round(value * scale * 100) / 100;
  }
  return { ...overlay, ...box };
}
