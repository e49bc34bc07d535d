/** The part of the tracks that is in the page: what is seen and some more, in steps, so that scrolling rarely changes it. */

import { endOf, type Film, type Overlay } from "@/editor/model/film";
import { tracksOf } from "./rows";
import type { ViewState } from "./view";

/** Clips in the page at most. The others are drawn on a canvas. */
export const MOST_CLIPS = 240;

export interface Shown {
  /** Pixels. */
  start: number;
  end: number;
  /** Indexes of tracks, the last one not included. */
  first: number;
  last: number;
}

const ROWS_AT_ONCE = 4;

export function shownPart({ left, top, width, height, rowHeight }: ViewState): Shown {
  const step = Math.max(200, Math.round(width / 2));
  const start = Math.floor(left / step) * step - step / 2;
  const first = Math.floor(top / rowHeight / ROWS_AT_ONCE) * ROWS_AT_ONCE;
  return {
    start: Math.max(0, start),
    end: start + width + 2 * step,
    first: Math.max(0, first - 1),
    last: first + Math.ceil(height / rowHeight) + ROWS_AT_ONCE + 1,
  };
}

/** The clips of a part: those in the page, widest first if there are too many, and the rest. `keep` are always in the page. */
export function shownClips(
  film: Film,
  { start, end, first, last }: Shown,
  zoom: number,
  keep: ReadonlySet<number>,
  focus: number | null,
): { clips: Overlay[]; rest: Overlay[] } {
  const { byId } = tracksOf(film);
  const inPart = film.overlays.filter((clip) => {
    if (clip.id === focus) return true;
    const track = byId.get(clip.id)?.track ?? 0;
    return track >= first && track < last && clip.from * zoom < end && endOf(clip) * zoom > start - 4;
  });
  if (inPart.length <= MOST_CLIPS) return { clips: inPart, rest: [] };
  const rank = (clip: Overlay) =>
    clip.id === focus ? Number.POSITIVE_INFINITY : clip.durationInFrames + (keep.has(clip.id) ? 1e9 : 0);
  const widest = new Set(inPart.toSorted((left, right) => rank(right) - rank(left)).slice(0, MOST_CLIPS));
  return { clips: inPart.filter((clip) => widest.has(clip)), rest: inPart.filter((clip) => !widest.has(clip)) };
}
