/** Snapping: what a moving edge meets, and the lines that show it. */

import { type Bounds, type Box, boundsOfBoxes } from "./geometry";

type Axis = "x" | "y";

/** A place that edges stop at, and the stretch of the line that shows it. */
interface Stop {
  at: number;
  from: number;
  to: number;
}

export interface SnapLine {
  axis: Axis;
  at: number;
  from: number;
  to: number;
}

/** Equal distances: segments along an axis, at a place of the other one. */
export interface SnapGap {
  axis: Axis;
  from: number;
  to: number;
  at: number;
}

export interface Snapped {
  dx: number;
  dy: number;
  lines: SnapLine[];
  gaps: SnapGap[];
}

export interface Stops {
  x: Stop[];
  y: Stop[];
  others: Bounds[];
}

const THIRDS = [0, 1 / 3, 1 / 2, 2 / 3, 1];

/** Stops of the canvas (edges, centre, thirds) and of other overlays (edges, centres). */
export function stopsOf(width: number, height: number, others: readonly Box[]): Stops {
  const x = THIRDS.map((part) => ({ at: part * width, from: 0, to: height }));
  const y = THIRDS.map((part) => ({ at: part * height, from: 0, to: width }));
  const bounds = others.map((box) => boundsOfBoxes([box]));
  for (const { left, top, right, bottom } of bounds) {
    for (const at of [left, (left + right) / 2, right]) x.push({ at, from: top, to: bottom });
    for (const at of [top, (top + bottom) / 2, bottom]) y.push({ at, from: left, to: right });
  }
  return { x, y, others: bounds };
}

/** The move that takes one of some edges to the nearest stop within reach; 0 if none is. */
function nearest(edges: readonly number[], stops: readonly Stop[], reach: number): number | null {
  let best: number | null = null;
  for (const edge of edges)
    for (const { at } of stops)
      if (Math.abs(at - edge) <= reach && (best === null || Math.abs(at - edge) < Math.abs(best))) best = at - edge;
  return best;
}

const EPSILON = 0.01;

/** One line for each stop that an edge lies on, as long as both. */
function linesAt(axis: Axis, edges: readonly number[], stops: readonly Stop[], from: number, to: number): SnapLine[] {
  const lines = new Map<number, SnapLine>();
  for (const stop of stops) {
    if (!edges.some((edge) => Math.abs(edge - stop.at) < EPSILON)) continue;
    const key = Math.round(stop.at * 100);
    const line = lines.get(key) ?? { axis, at: stop.at, from, to };
    line.from = Math.min(line.from, stop.from);
    line.to = Math.max(line.to, stop.to);
    lines.set(key, line);
  }
  return [...lines.values()];
}

const edgesX = ({ left, right }: Bounds) => [left, (left + right) / 2, right];
const edgesY = ({ top, bottom }: Bounds) => [top, (top + bottom) / 2, bottom];

/** Snaps something that is moved. */
export function snapMove(bounds: Bounds, stops: Stops, reach: number): Snapped {
  const gapX = equalGap(bounds, stops.others, "x", reach);
  const gapY = equalGap(bounds, stops.others, "y", reach);
  const edgeX = nearest(edgesX(bounds), stops.x, reach);
  const edgeY = nearest(edgesY(bounds), stops.y, reach);
  const dx = edgeX ?? gapX?.move ?? 0;
  const dy = edgeY ?? gapY?.move ?? 0;
  const moved = shift(bounds, dx, dy);
  return {
    dx,
    dy,
    lines: [
      ...linesAt("x", edgesX(moved), stops.x, moved.top, moved.bottom),
      ...linesAt("y", edgesY(moved), stops.y, moved.left, moved.right),
    ],
    gaps: [...(edgeX === null ? (gapX?.gaps ?? []) : []), ...(edgeY === null ? (gapY?.gaps ?? []) : [])],
  };
}

/** Snaps single edges, of something that is resized. */
export function snapEdges(edges: { x?: number; y?: number }, bounds: Bounds, stops: Stops, reach: number): Snapped {
  const dx = edges.x === undefined ? 0 : (nearest([edges.x], stops.x, reach) ?? 0);
  const dy = edges.y === undefined ? 0 : (nearest([edges.y], stops.y, reach) ?? 0);
  const lines = [
    ...(edges.x === undefined ? [] : linesAt("x", [edges.x + dx], stops.x, bounds.top, bounds.bottom)),
    ...(edges.y === undefined ? [] : linesAt("y", [edges.y + dy], stops.y, bounds.left, bounds.right)),
  ];
  return { dx, dy, lines, gaps: [] };
}

export const shift = ({ left, top, right, bottom }: Bounds, dx: number, dy: number): Bounds => ({
  left: left + dx,
  right: right + dx,
  top: top + dy,
  bottom: bottom + dy,
});

/** A place with the same distance to both neighbours of a line, or as far from one as that is from the next. */
function equalGap(bounds: Bounds, others: readonly Bounds[], axis: Axis, reach: number) {
  const [low, high, crossLow, crossHigh] = NAMES[axis];
  const beside = others.filter((other) => other[crossLow] < bounds[crossHigh] && other[crossHigh] > bounds[crossLow]);
  const before = beside.filter((other) => other[high] <= bounds[low] + reach).sort((a, b) => b[high] - a[high]);
  const after = beside.filter((other) => other[low] >= bounds[high] - reach).sort((a, b) => a[low] - b[low]);
  const size = bounds[high] - bounds[low];
  const at = (bounds[crossLow] + bounds[crossHigh]) / 2;
  const [first, second] = before;
  const [next, third] = after;
  const places: { place: number; gaps: SnapGap[] }[] = [];
  const gap = (from: number, to: number): SnapGap => ({ axis, from, to, at });
  if (first && next && next[low] - first[high] > size) {
    const place = (first[high] + next[low] - size) / 2;
    places.push({ place, gaps: [gap(first[high], place), gap(place + size, next[low])] });
  }
  if (first && second && second[high] < first[low]) {
    const space = first[low] - second[high];
    places.push({
      place: first[high] + space,
      gaps: [gap(second[high], first[low]), gap(first[high], first[high] + space)],
    });
  }
  if (next && third && next[high] < third[low]) {
    const space = third[low] - next[high];
    places.push({
      place: next[low] - space - size,
      gaps: [gap(next[low] - space, next[low]), gap(next[high], third[low])],
    });
  }
  const [best] = places
    .map(({ place, gaps }) => ({ move: place - bounds[low], gaps }))
    .filter(({ move }) => Math.abs(move) <= reach)
    .sort((a, b) => Math.abs(a.move) - Math.abs(b.move));
  return best ?? null;
}

const NAMES = {
  x: ["left", "right", "top", "bottom"],
  y: ["top", "bottom", "left", "right"],
} as const;
