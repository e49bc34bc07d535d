/** What drags do: move, resize, turn, marquee. Each is one step of the history. */

import type { Editor } from "@/editor/model/editor";
import type { Edit } from "@/editor/model/edits";
import { findOverlay, type Overlay } from "@/editor/model/film";
import { withGroups } from "@/editor/model/groups";
import type { Point } from "@/editor/player";
import { STRINGS } from "@/editor/strings/canvas";
import { fontEdits, frameEdits, frameOf, isFree, isMedia, isSeen, isShownAt, stacked } from "./boxes";
import {
  angleTo,
  type Box,
  boundsOf,
  boundsOfBoxes,
  boxOfBounds,
  centreOf,
  type Handle,
  isCorner,
  overlaps,
  pointOf,
  resize,
  resizeTo,
  subtract,
  tenths,
  transformAbout,
  wrapDegrees,
} from "./geometry";
import { type Snapped, shift, snapEdges, snapMove, stopsOf } from "./snap";
import { type Feedback, NO_FEEDBACK, quadFor, view } from "./view";

/** Where the pointer is, in pixels of the film, and which keys are held. */
export interface Pointer {
  point: Point;
  shift: boolean;
  alt: boolean;
  /** Control or Command: nothing snaps. */
  free: boolean;
}

export interface Gesture {
  move(pointer: Pointer): void;
  /** Ends it. Cancelled, the film is as it was before. */
  end(cancelled: boolean): void;
}

/** Pixels of the screen within which an edge snaps. */
const REACH = 6;
/** Degrees within which a turn stops at a quarter. */
const QUARTER_REACH = 2;

let count = 0;

/** Applies the edits of one gesture as one step. */
export class Steps {
  private readonly gesture = `canvas-${++count}`;

  constructor(
    readonly editor: Editor,
    private readonly name: string,
  ) {}

  apply(edits: readonly Edit[]) {
    this.editor.apply(edits, { name: this.name, gesture: this.gesture });
  }

  end(cancelled: boolean) {
    view.setState({ feedback: NO_FEEDBACK });
    if (cancelled) this.editor.cancelGesture(this.gesture);
    else this.editor.endGesture();
  }

  /** The overlay as it is now. */
  now(overlay: Overlay): Overlay {
    return findOverlay(this.editor.document(), overlay.id) ?? overlay;
  }
}

export const show = (feedback: Partial<Feedback>) => view.setState({ feedback: { ...NO_FEEDBACK, ...feedback } });

/** The selected overlays that can be changed on the canvas. */
export function movable(editor: Editor): Overlay[] {
  return editor.selected().filter((overlay) => isSeen(overlay) && isFree(editor, overlay.id));
}

/** Frames of the overlays that are seen and not moved: what snaps. */
function stopsFor(editor: Editor, moved: readonly Overlay[]) {
  const { film, frame } = editor.state;
  const absent = new Set([...editor.state.hidden, ...moved.map(({ id }) => id)]);
  const others = film.overlays.filter((overlay) => isShownAt(overlay, frame) && !absent.has(overlay.id));
  return stopsOf(film.width, film.height, others.map(frameOf));
}

const reach = () => REACH / view.getState().scale;
const isSnapping = ({ free }: Pointer) => view.getState().snapping && !free;

const position = ({ left, top }: { left: number; top: number }) => STRINGS.position(tenths(left), tenths(top));
const size = ({ width, height }: Box) => STRINGS.size(tenths(width), tenths(height));

export function moveGesture(editor: Editor, start: Point): Gesture {
  const overlays = movable(editor);
  const frames = overlays.map(frameOf);
  const bounds = boundsOfBoxes(frames);
  const stops = stopsFor(editor, overlays);
  const steps = new Steps(editor, overlays.length > 1 ? STRINGS.steps.moveMany(overlays.length) : STRINGS.steps.move);
  return {
    move(pointer) {
      if (!overlays.length) return;
      let [dx, dy] = subtract(pointer.point, start).map(Math.round) as [number, number];
      if (pointer.shift) [dx, dy] = Math.abs(dx) > Math.abs(dy) ? [dx, 0] : [0, dy];
      let snapped: Snapped | null = null;
      if (isSnapping(pointer)) {
        snapped = snapMove(shift(bounds, dx, dy), stops, reach());
        if (!pointer.shift || dx) dx += snapped.dx;
        if (!pointer.shift || dy) dy += snapped.dy;
      }
      steps.apply(
        overlays.flatMap((overlay, index) => {
          const frame = frames[index] as Box;
          return frameEdits(steps.now(overlay), { ...frame, left: frame.left + dx, top: frame.top + dy });
        }),
      );
      show({
        lines: snapped?.lines ?? [],
        gaps: snapped?.gaps ?? [],
        readout: position(frames.length === 1 ? move(frames[0] as Box, dx, dy) : shift(bounds, dx, dy)),
      });
    },
    end: (cancelled) => steps.end(cancelled),
  };
}

const move = (box: Box, dx: number, dy: number): Box => ({ ...box, left: box.left + dx, top: box.top + dy });

/** Corners of these keep their ratio unless Shift is held. */
const keepsRatio = (overlay: Overlay) => isMedia(overlay) || overlay.type === "text" || overlay.type === "sticker";

export function resizeGesture(editor: Editor, handle: Handle, start: Point): Gesture {
  const overlays = movable(editor);
  const [only] = overlays;
  if (overlays.length === 1 && only) return resizeOne(editor, only, handle, start);
  const frames = overlays.map(frameOf);
  const group = boxOfBounds(boundsOfBoxes(frames));
  const steps = new Steps(editor, STRINGS.steps.resizeMany(overlays.length));
  return {
    move({ point, alt }) {
      const next = resize(group, handle, subtract(point, start), { keepRatio: true, fromCentre: alt });
      const scale = next.width / group.width;
      const about = alt ? centreOf(group) : pointOf(group, { x: -handle.x, y: -handle.y });
      steps.apply(
        overlays.flatMap((overlay, index) => [
          ...frameEdits(steps.now(overlay), transformAbout(frames[index] as Box, about, scale, 0)),
          ...fontEdits(overlay, scale),
        ]),
      );
      show({ readout: size(next) });
    },
    end: (cancelled) => steps.end(cancelled),
  };
}

function resizeOne(editor: Editor, overlay: Overlay, handle: Handle, start: Point): Gesture {
  const frame = frameOf(overlay);
  const stops = stopsFor(editor, [overlay]);
  const steps = new Steps(editor, STRINGS.steps.resize);
  return {
    move(pointer) {
      const keepRatio = (isCorner(handle) && keepsRatio(overlay)) !== pointer.shift;
      const options = { keepRatio, fromCentre: pointer.alt };
      let next = resize(frame, handle, subtract(pointer.point, start), options);
      let snapped: Snapped | null = null;
      if (isSnapping(pointer) && frame.rotation === 0) {
        snapped = snapHandle(next, handle, stops);
        next = snapSize(frame, next, handle, snapped, options);
      }
      const scale = next.width / frame.width;
      steps.apply([
        ...frameEdits(steps.now(overlay), next),
        ...(keepRatio && isCorner(handle) ? fontEdits(overlay, scale) : fontBack(overlay, steps.now(overlay))),
      ]);
      show({ lines: snapped?.lines ?? [], readout: size(next) });
    },
    end: (cancelled) => steps.end(cancelled),
  };
}

/** Letters have their first size again when Shift is pressed in the middle of a drag. */
function fontBack(start: Overlay, now: Overlay): Edit[] {
  const size = (start["styles"] as { fontSize?: string } | undefined)?.fontSize;
  const current = (now["styles"] as { fontSize?: string } | undefined)?.fontSize;
  return size === current ? [] : [{ op: "set", id: start.id, path: "styles.fontSize", value: size }];
}

function snapHandle(box: Box, { x, y }: Handle, stops: ReturnType<typeof stopsOf>): Snapped {
  const [px, py] = pointOf(box, { x, y });
  return snapEdges({ ...(x ? { x: px } : {}), ...(y ? { y: py } : {}) }, boundsOfBoxes([box]), stops, reach());
}

/** The size after its handle snapped. With a ratio to keep, the side that moved less snaps. */
function snapSize(
  start: Box,
  box: Box,
  handle: Handle,
  snapped: Snapped,
  { keepRatio, fromCentre }: { keepRatio: boolean; fromCentre: boolean },
): Box {
  const times = fromCentre ? 2 : 1;
  let width = box.width + handle.x * snapped.dx * times;
  let height = box.height + handle.y * snapped.dy * times;
  if (keepRatio) {
    const byWidth = snapped.dx !== 0 && (snapped.dy === 0 || Math.abs(snapped.dx) <= Math.abs(snapped.dy));
    const scale = byWidth ? width / start.width : height / start.height;
    width = start.width * scale;
    height = start.height * scale;
    snapped.lines = snapped.lines.filter(({ axis }) => axis === (byWidth ? "x" : "y"));
  }
  return width > 1 && height > 1 ? resizeTo(start, handle, width, height, fromCentre) : box;
}

export function rotateGesture(editor: Editor, start: Point): Gesture {
  const overlays = movable(editor);
  const frames = overlays.map(frameOf);
  const [only] = frames;
  const about = frames.length === 1 && only ? centreOf(only) : centreOf(boxOfBounds(boundsOfBoxes(frames)));
  const first = angleTo(about, start);
  const base = frames.length === 1 && only ? only.rotation : 0;
  const steps = new Steps(editor, STRINGS.steps.rotate);
  return {
    move(pointer) {
      let angle = base + angleTo(about, pointer.point) - first;
      if (pointer.shift) angle = Math.round(angle / 15) * 15;
      else {
        const quarter = Math.round(angle / 90) * 90;
        angle = isSnapping(pointer) && Math.abs(angle - quarter) <= QUARTER_REACH ? quarter : Math.round(angle);
      }
      steps.apply(
        overlays.flatMap((overlay, index) =>
          frameEdits(steps.now(overlay), transformAbout(frames[index] as Box, about, 1, angle - base)),
        ),
      );
      show({ readout: STRINGS.degrees(wrapDegrees(angle)) });
    },
    end: (cancelled) => steps.end(cancelled),
  };
}

/** Selects what a rectangle touches; with Shift, in addition. */
export function marqueeGesture(editor: Editor, start: Point, adds: boolean): Gesture {
  const before = adds ? editor.state.selection : [];
  return {
    move({ point }) {
      const area = boundsOf([start, point]);
      const { painted } = view.getState();
      const { film, frame } = editor.state;
      const touched = stacked(film)
        .filter((overlay) => isShownAt(overlay, frame) && isFree(editor, overlay.id))
        .filter((overlay) => overlaps(boundsOf(quadFor(overlay, painted)), area))
        .map(({ id }) => id);
      editor.select([...before, ...withGroups(film, touched)]);
      show({ marquee: area });
    },
    end(cancelled) {
      view.setState({ feedback: NO_FEEDBACK });
      if (cancelled) editor.select(before);
    },
  };
}
