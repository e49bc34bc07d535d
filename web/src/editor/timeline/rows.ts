/** Rows as tracks: which rows are shown, and where clips that overlap in a row are drawn. Row 0 is in front, so it is on top. */

import { endOf, type Film, type Overlay } from "@/editor/model/film";

/** Beyond this many rows between the first and the last, only rows with clips are shown. */
const MOST_ROWS = 400;

export interface Place {
  /** Index of the track. */
  track: number;
  /** Which part of the track's height the clip has, and of how many. */
  lane: number;
  lanes: number;
}

export interface Tracks {
  /** The numbers of the rows from top to bottom. */
  rows: readonly number[];
  byId: ReadonlyMap<number, Place>;
}

const known = new WeakMap<readonly Overlay[], Tracks>();

/** The tracks of a film. The last one is empty: clips can be moved there. */
export function tracksOf(film: Film): Tracks {
  const found = known.get(film.overlays);
  if (found) return found;
  const rows = rowsOf(film.overlays);
  const tracks = { rows, byId: placesOf(film.overlays, rows) };
  known.set(film.overlays, tracks);
  return tracks;
}

function rowsOf(overlays: readonly Overlay[]): number[] {
  const used = [...new Set(overlays.map(rowOf))].sort((left, right) => left - right);
  const first = Math.min(0, used[0] ?? 0);
  const last = used.at(-1) ?? -1;
  const isPlain = used.every(Number.isInteger) && last - first < MOST_ROWS;
  const rows = isPlain ? Array.from({ length: last - first + 1 }, (_, index) => first + index) : used;
  return [...rows, Math.floor(last) + 1];
}

export const rowOf = ({ row }: Overlay) => (Number.isFinite(row) ? row : 0);

function placesOf(overlays: readonly Overlay[], rows: readonly number[]): Map<number, Place> {
  const tracks = new Map(rows.map((row, index) => [row, index]));
  const inRows = new Map<number, Overlay[]>();
  for (const clip of overlays) {
    const clips = inRows.get(rowOf(clip));
    if (clips) clips.push(clip);
    else inRows.set(rowOf(clip), [clip]);
  }
  const places = new Map<number, Place>();
  for (const [row, clips] of inRows) {
    const track = tracks.get(row) ?? 0;
    // Clips that overlap one another share the height of the track.
    let together: Overlay[] = [];
    let until = Number.NEGATIVE_INFINITY;
    for (const clip of clips.toSorted((left, right) => left.from - right.from)) {
      if (clip.from >= until) {
        divide(together, track, places);
        together = [];
      }
      together.push(clip);
      until = Math.max(until, endOf(clip));
    }
    divide(together, track, places);
  }
  return places;
}

/** Gives each clip the first lane that is free when it starts. */
function divide(clips: readonly Overlay[], track: number, places: Map<number, Place>) {
  const ends: number[] = [];
  const lanes = clips.map((clip) => {
    const free = ends.findIndex((end) => end <= clip.from);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = endOf(clip);
    return lane;
  });
  clips.forEach((clip, index) => {
    places.set(clip.id, { track, lane: lanes[index] ?? 0, lanes: ends.length });
  });
}
