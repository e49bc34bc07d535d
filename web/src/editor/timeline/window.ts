/** The part of the tracks that is in the page: what is seen and some more, in steps, so that scrolling rarely changes it. */

import { endOf, type Film, type Overlay } from "@/editor/model/film";
import { tracksOf } from "./rows";
import type { ViewState } from "./view";

/** Clips in the page at most. The others are drawn on a canvas. */
const MOST_CLIPS = 100;

export interface Shown {
  /** Frames, not whole. */
  start: number;
  end: number;
  /** Indexes of tracks, the last one not included. */
  first: number;
  last: number;
}

const ROWS_AT_ONCE = 4;
/** Steps of the zoom in each doubling. */
const ZOOM_STEPS = 4;

/**
 * The zoom in steps. What clips show depends on it; between two steps they are only moved. So a zoom rarely draws clips again.
 */
export const steppedZoom = ({ zoom }: Pick<ViewState, "zoom">) =>
  zoom > 0 ? 2 ** (Math.round(Math.log2(zoom) * ZOOM_STEPS) / ZOOM_STEPS) : 0;

export function shownPart(view: ViewState): Shown {
  const { left, top, width, height, zoom, rowHeight } = view;
  // The least zoom of the step shows the most frames.
  const least = steppedZoom(view) / 2 ** (1 / ZOOM_STEPS / 2) || 1;
  const step = Math.max(200, width / 2) / least;
  const start = Math.floor(left / (zoom || 1) / step) * step - step / 2;
  const first = Math.floor(top / rowHeight / ROWS_AT_ONCE) * ROWS_AT_ONCE;
  return {
    start: Math.max(0, start),
    end: start + width / least + 2 * step,
    first: Math.max(0, first - 1),
    last: first + Math.ceil(height / rowHeight) + ROWS_AT_ONCE + 1,
  };
}

/** The clips of a part: those in the page, widest first if there are too many, and the rest. `keep` are always in the page. */
export function shownClips(
  film: Film,
  { start, end, first, last }: Shown,
  keep: ReadonlySet<number>,
  focus: number | null,
): { clips: Overlay[]; rest: Overlay[] } {
  const { byId } = tracksOf(film);
  const inPart = film.overlays.filter((clip) => {
    if (clip.id === focus) return true;
    const track = byId.get(clip.id)?.track ?? 0;
    return track >= first && track < last && clip.from < end && endOf(clip) > start;
  });
  if (inPart.length <= MOST_CLIPS) return { clips: inPart, rest: [] };
  const rank = (clip: Overlay) =>
    clip.id === focus ? Number.POSITIVE_INFINITY : clip.durationInFrames + (keep.has(clip.id) ? 1e9 : 0);
  const widest = new Set(inPart.toSorted((left, right) => rank(right) - rank(left)).slice(0, MOST_CLIPS));
  return { clips: inPart.filter((clip) => widest.has(clip)), rest: inPart.filter((clip) => !widest.has(clip)) };
}
