/** Snapping in time: to the edges of clips, the playhead, markers, the start and the end of the film. */

import type { EditorState } from "@/editor/model/editor";
import { endOf } from "@/editor/model/film";
import type { ViewState } from "./view";

/** How near a pointer has to be, in pixels. */
const REACH = 8;

export interface Snapped {
  frame: number;
  /** The point that attracted it, null if none did. */
  at: number | null;
}

/** The frames that attract, sorted; clips that take part in the gesture do not. */
export function snapPoints(
  { film, frame }: EditorState,
  { markers }: ViewState,
  moving: ReadonlySet<number>,
  more: readonly number[] = [],
): number[] {
  const points = new Set([0, film.durationInFrames, frame, ...more]);
  for (const marker of markers) points.add(marker.frame);
  for (const clip of film.overlays) {
    if (moving.has(clip.id)) continue;
    points.add(clip.from);
    points.add(endOf(clip));
  }
  return [...points].sort((left, right) => left - right);
}

/** The nearest point within reach. Without one, the nearest whole frame. */
export function snapFrame(points: readonly number[], frame: number, zoom: number): Snapped {
  const near = nearest(points, frame);
  if (near !== undefined && Math.abs(near - frame) * zoom <= REACH) return { frame: near, at: near };
  return { frame: Math.round(frame), at: null };
}

/** By how much edges that move together are to move so that one of them snaps. */
export function snapShift(points: readonly number[], edges: readonly number[], by: number, zoom: number): Snapped {
  let best: Snapped = { frame: Math.round(by), at: null };
  let distance = REACH / zoom;
  for (const edge of edges) {
    const near = nearest(points, edge + by);
    if (near === undefined || Math.abs(near - edge - by) > distance) continue;
    distance = Math.abs(near - edge - by);
    best = { frame: near - edge, at: near };
  }
  return best;
}

/** By halving: points are sorted. */
function nearest(points: readonly number[], frame: number): number | undefined {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle] ?? 0) < frame) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [points[low - 1], points[low]];
  if (before === undefined || after === undefined) return before ?? after;
  return frame - before <= after - frame ? before : after;
}
