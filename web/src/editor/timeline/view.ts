/** How the timeline is looked at: zoom, scroll, snapping, markers. One for each editor, kept in the browser, never in the film. */

import { createStore, type StoreApi } from "zustand/vanilla";
import type { Editor } from "@/editor/model/editor";
import { limit } from "./cut";

export interface Marker {
  frame: number;
  /** Set by hand, or a beat that was found in a sound. */
  kind: "mark" | "beat";
}

export const ROW_HEIGHTS = [28, 40, 60] as const;
export const RULER_HEIGHT = 28;
/** Empty room after the end of the film, in pixels. */
export const TAIL = 240;
/** Pixels a frame at most. */
const MOST_ZOOM = 32;

export interface ViewState {
  /** Pixels a frame; 0 until the region has a size. */
  zoom: number;
  /** The part of the tracks that is seen, without the row headers. */
  left: number;
  top: number;
  width: number;
  height: number;
  /** Width of the row headers. */
  header: number;
  rowHeight: number;
  snap: boolean;
  /** Whether the view moves with the playhead while the film plays. */
  follow: boolean;
  markers: readonly Marker[];
  /** The clip that the keyboard is at. */
  focus: number | null;
  /** Where a gesture snapped. */
  snapFrame: number | null;
  /** A rectangle that selects, in pixels of the tracks. */
  marquee: { left: number; top: number; right: number; bottom: number } | null;
  /** Where a library item would go. */
  drop: { frame: number; length: number; track: number; insert: boolean } | null;
  /** What a screen reader says. */
  said: string;
}

export class View {
  readonly store: StoreApi<ViewState>;

  constructor(private readonly editor: Editor) {
    const stored = readStored();
    this.store = createStore<ViewState>(() => ({
      zoom: 0,
      left: 0,
      top: 0,
      width: 0,
      height: 0,
      header: 0,
      rowHeight: stored.rowHeight,
      snap: stored.snap,
      follow: true,
      markers: stored.markers,
      focus: null,
      snapFrame: null,
      marquee: null,
      drop: null,
      said: "",
    }));
  }

  get state() {
    return this.store.getState();
  }

  set(part: Partial<ViewState>) {
    this.store.setState(part);
  }

  /** The region has a size. The whole film is shown the first time, and as long as nobody zooms. */
  resize(width: number, height: number, header: number) {
    const { zoom } = this.state;
    const wasFit = !zoom || Math.abs(zoom / this.fit - 1) < 0.001;
    this.set({ width, height, header });
    if (wasFit && width > 0) this.zoomToFit();
  }

  /** The zoom at which the film is as wide as the region. */
  get fit() {
    const { width } = this.state;
    return Math.max(width - 24, 80) / Math.max(1, this.editor.state.film.durationInFrames);
  }

  get leastZoom() {
    return Math.min(this.fit / 2, MOST_ZOOM);
  }

  readonly mostZoom = MOST_ZOOM;

  /** Zooms; the frame at `at` pixels from the left of the region stays where it is. */
  zoomTo(zoom: number, at = this.state.width / 2) {
    const before = this.state;
    const next = limit(zoom, this.leastZoom, MOST_ZOOM);
    if (next === before.zoom) return;
    const frame = before.zoom ? (before.left + at) / before.zoom : 0;
    this.set({ zoom: next, left: Math.max(0, frame * next - at) });
  }

  /** Zooms around the playhead if it is seen, else around the middle. */
  zoomBy(factor: number) {
    const { zoom, left, width } = this.state;
    const playhead = this.editor.state.frame * zoom - left;
    this.zoomTo(zoom * factor, playhead >= 0 && playhead <= width ? playhead : width / 2);
  }

  zoomToFit() {
    this.set({ zoom: Math.min(this.fit, MOST_ZOOM), left: 0 });
  }

  zoomToRange(start: number, end: number) {
    const zoom = limit((this.state.width - 48) / Math.max(1, end - start), this.leastZoom, MOST_ZOOM);
    this.set({ zoom, left: Math.max(0, start * zoom - 24) });
  }

  /** Scrolls as little as needed to show frames. */
  reveal(start: number, end = start) {
    const { left, width, zoom } = this.state;
    const margin = Math.min(40, width / 8);
    if (start * zoom < left) this.set({ left: Math.max(0, start * zoom - margin) });
    else if (end * zoom > left + width && start * zoom - margin > left)
      this.set({ left: Math.min(start * zoom - margin, end * zoom - width + margin) });
  }

  say(said: string) {
    // The same sentence twice is said twice: a no-break space makes it another one.
    this.set({ said: said === this.state.said ? `${said}\u00a0` : said });
  }

  setSnap(snap: boolean) {
    this.set({ snap });
    this.keep();
  }

  /** The row at the top stays there. */
  setRowHeight(rowHeight: number) {
    const { top, rowHeight: before } = this.state;
    this.set({ rowHeight });
    this.set({ top: Math.round((top / before) * rowHeight) });
    this.keep();
  }

  setMarkers(markers: readonly Marker[]) {
    const byFrame = new Map(markers.map((marker) => [marker.frame, marker]));
    this.set({ markers: [...byFrame.values()].sort((left, right) => left.frame - right.frame).slice(0, MOST_MARKERS) });
    this.keep();
  }

  private keep() {
    const { rowHeight, snap, markers } = this.state;
    try {
      localStorage.setItem(LOOK, JSON.stringify({ rowHeight, snap }));
      if (markers.length) localStorage.setItem(markersKey(), JSON.stringify(markers));
      else localStorage.removeItem(markersKey());
    } catch {
      // Without storage the view lasts until the page is closed.
    }
  }
}

const MOST_MARKERS = 2000;
const LOOK = "rondo-timeline";
/** Markers belong to a film, and the page's address names it. */
const markersKey = () => `rondo-markers:${location.pathname}`;

function readStored(): Pick<ViewState, "rowHeight" | "snap" | "markers"> {
  const look = readJson(LOOK) as Partial<ViewState> | null;
  const markers = readJson(markersKey());
  return {
    rowHeight: ROW_HEIGHTS.find((height) => height === look?.rowHeight) ?? ROW_HEIGHTS[1],
    snap: look?.snap !== false,
    markers: Array.isArray(markers)
      ? (markers as Marker[]).filter((marker) => Number.isFinite(marker?.frame)).slice(0, MOST_MARKERS)
      : [],
  };
}

function readJson(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

const views = new WeakMap<Editor, View>();

/** The timeline's view of an editor. */
export function viewOf(editor: Editor): View {
  const view = views.get(editor) ?? new View(editor);
  views.set(editor, view);
  return view;
}
