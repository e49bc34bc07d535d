/** What lies at a place of the tracks, and the clips next to others. */

import { endOf, type Film, type Overlay } from "@/editor/model/film";
import { rowOf, tracksOf } from "./rows";
import type { ViewState } from "./view";

/** The clip at a place, as the tracks draw it. Very short clips are a few pixels wide at least. */
export function clipAt(
  film: Film,
  { zoom, rowHeight }: Pick<ViewState, "zoom" | "rowHeight">,
  { x, y }: { x: number; y: number },
): number | undefined {
  const { byId } = tracksOf(film);
  return film.overlays.findLast((clip) => {
    const place = byId.get(clip.id);
    if (!place) return false;
    const left = clip.from * zoom;
    const top = (place.track + place.lane / place.lanes) * rowHeight;
    return (
      x >= left &&
      x < left + Math.max(LEAST_WIDTH, clip.durationInFrames * zoom) &&
      y >= top &&
      y < top + rowHeight / place.lanes
    );
  })?.id;
}

export const LEAST_WIDTH = 3;

/** The number of the row at an index of the tracks. */
export const rowAt = (film: Film, track: number): number | undefined => tracksOf(film).rows[track];

/** The clip that an arrow key goes to: before and after in the row, nearest in time in the rows above and below. */
export function neighbour(film: Film, clip: Overlay, key: string): Overlay | undefined {
  const { byId } = tracksOf(film);
  const inRow = (row: number) =>
    film.overlays
      .filter((each) => rowOf(each) === row)
      .sort((left, right) => left.from - right.from || left.id - right.id);
  const own = inRow(rowOf(clip));
  const at = own.indexOf(clip);
  switch (key) {
    case "ArrowRight":
      return own[at + 1];
    case "ArrowLeft":
      return own[at - 1];
    case "Home":
      return own[0];
    case "End":
      return own.at(-1);
    case "ArrowUp":
    case "ArrowDown": {
      const track = byId.get(clip.id)?.track ?? 0;
      const distance = (each: Overlay) => {
        const other = byId.get(each.id)?.track ?? 0;
        const rows = key === "ArrowUp" ? track - other : other - track;
        const frames = Math.max(0, each.from - clip.from, clip.from - endOf(each) + 1);
        return rows > 0 ? rows * 1e9 + frames : Number.POSITIVE_INFINITY;
      };
      let best: Overlay | undefined;
      for (const each of film.overlays)
        if (distance(each) < (best ? distance(best) : Number.POSITIVE_INFINITY)) best = each;
      return best;
    }
    default:
      return undefined;
  }
}
