/** How the canvas is looked at: zoom, guides, what a gesture shows. Not part of the film. */

import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { createStore } from "zustand/vanilla";
import type { Film, Overlay } from "@/editor/model/film";
import type { Point } from "@/editor/player";
import { frameOf } from "./boxes";
import { type Bounds, type Box, centreOf, type Quad, quadOf } from "./geometry";
import type { SnapGap, SnapLine } from "./snap";

export type SafeZone = "tiktok" | "reels" | "shorts" | "youtube";

/** What a double click opened: letters to type, or media to crop and move inside their frame. */
export type Mode = { kind: "text" | "media"; id: number } | null;

/** What is drawn while something is dragged. */
export interface Feedback {
  lines: readonly SnapLine[];
  gaps: readonly SnapGap[];
  /** Size, position or angle. */
  readout: string | null;
  marquee: Bounds | null;
}

export interface View {
  /** Pixels of the screen for a pixel of the film. */
  scale: number;
  /** Where the film's top left corner is in the region. */
  x: number;
  y: number;
  /** The film is kept as large as the region allows. */
  isFit: boolean;
  /** Size of the region. */
  width: number;
  height: number;
  safeZone: SafeZone | null;
  rulers: boolean;
  grid: boolean;
  snapping: boolean;
  mode: Mode;
  hover: number | null;
  /** A gesture is under way. */
  dragging: boolean;
  feedback: Feedback;
  /** Where the engine painted overlays, and the frames they had then. */
  painted: ReadonlyMap<number, { quad: Quad; frame: Box }>;
  /** A frame was painted. */
  ready: boolean;
  /** Why the film cannot be painted. */
  problem: string | null;
  /** Where this page reads files of other sites. */
  addresses: ReadonlyMap<string, string>;
  /** Addresses that cannot be loaded. */
  missing: ReadonlySet<string>;
}

export const NO_FEEDBACK: Feedback = { lines: [], gaps: [], readout: null, marquee: null };

const STORED = "rondo-editor-canvas";
const KEPT = ["rulers", "grid", "snapping", "safeZone"] as const;
type Kept = Pick<View, (typeof KEPT)[number]>;

function readKept(): Kept {
  const kept: Kept = { rulers: false, grid: false, snapping: true, safeZone: null };
  try {
    const stored = JSON.parse(localStorage.getItem(STORED) ?? "{}") as Partial<Kept>;
    for (const name of ["rulers", "grid", "snapping"] as const)
      if (typeof stored[name] === "boolean") kept[name] = stored[name];
    if (["tiktok", "reels", "shorts", "youtube"].includes(String(stored.safeZone)))
      kept.safeZone = stored.safeZone as SafeZone;
  } catch {
    // Without storage the guides are those of a first visit.
  }
  return kept;
}

const initial = (): View => ({
  scale: 1,
  x: 0,
  y: 0,
  isFit: true,
  width: 0,
  height: 0,
  ...readKept(),
  mode: null,
  hover: null,
  dragging: false,
  feedback: NO_FEEDBACK,
  painted: new Map(),
  ready: false,
  problem: null,
  addresses: new Map(),
  missing: new Set(),
});

export const view = createStore<View>(initial);
export const useView = <T>(select: (view: View) => T): T => useStore(view, useShallow(select));

/** Another film is edited. */
export const resetView = () => view.setState(initial(), true);

/** Changes guides, and remembers them in this browser. */
export function setGuides(guides: Partial<Kept>) {
  view.setState(guides);
  const state = view.getState();
  try {
    localStorage.setItem(STORED, JSON.stringify(Object.fromEntries(KEPT.map((name) => [name, state[name]]))));
  } catch {
    // Without storage the guides last until the page is closed.
  }
}

const SCALES = { least: 0.02, most: 16 } as const;

/** Room around a film that is fit into the region: bars lie above and below it. */
const MARGIN = { x: 24, top: 48, bottom: 56 } as const;

/** Shows the whole film as large as it can be. */
export function fit(film: Film) {
  const { width, height, rulers } = view.getState();
  if (!width || !height) return;
  const ruler = rulers ? RULER : 0;
  const room = { x: width - ruler - 2 * MARGIN.x, y: height - ruler - MARGIN.top - MARGIN.bottom };
  const scale = Math.max(SCALES.least, Math.min(room.x / film.width, room.y / film.height));
  view.setState({
    isFit: true,
    scale,
    x: Math.round(ruler + MARGIN.x + (room.x - film.width * scale) / 2),
    y: Math.round(ruler + MARGIN.top + (room.y - film.height * scale) / 2),
  });
}

/** Pixels of the rulers. */
export const RULER = 18;

/** Zooms and keeps a point of the region where it is; without one, the centre. */
export function zoomTo(scale: number, at?: Point) {
  const { width, height, x, y, scale: before } = view.getState();
  const next = Math.min(SCALES.most, Math.max(SCALES.least, scale));
  const [px, py] = at ?? [width / 2, height / 2];
  view.setState({
    isFit: false,
    scale: next,
    x: px - ((px - x) / before) * next,
    y: py - ((py - y) / before) * next,
  });
}

export function panBy(dx: number, dy: number) {
  const { x, y } = view.getState();
  view.setState({ isFit: false, x: x + dx, y: y + dy });
}

/** A point of the region as a point of the film. */
export const toFilm = ([x, y]: Point, state = view.getState()): Point => [
  (x - state.x) / state.scale,
  (y - state.y) / state.scale,
];

export const toScreen = ([x, y]: Point, state: Pick<View, "x" | "y" | "scale"> = view.getState()): Point => [
  x * state.scale + state.x,
  y * state.scale + state.y,
];

/** Where an overlay is seen: as the engine painted it, moved along with its box, or its plain frame. */
export function quadFor(overlay: Overlay, painted: View["painted"]): Quad {
  const frame = frameOf(overlay);
  const known = painted.get(overlay.id);
  if (!known || !isSameSize(known.frame, frame)) return quadOf(frame);
  const [x, y] = centreOf(frame);
  const [px, py] = centreOf(known.frame);
  return known.quad.map(([qx, qy]) => [qx + x - px, qy + y - py]) as unknown as Quad;
}

const isSameSize = (a: Box, b: Box) => a.width === b.width && a.height === b.height && a.rotation === b.rotation;

/** Whether a quad is more than a pixel away from another. */
export const differs = (a: Quad, b: Quad) =>
  a.some(([x, y], index) => {
    const [bx, by] = b[index] as Point;
    return Math.abs(x - bx) > 1.5 || Math.abs(y - by) > 1.5;
  });
