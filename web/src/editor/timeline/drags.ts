/** What drags on the timeline do to the film. Each is one step of the history, shown while it lasts. */

import type { Editor } from "@/editor/model/editor";
import type { Edit } from "@/editor/model/edits";
import { endOf, type Film, type Overlay } from "@/editor/model/film";
import { withGroups } from "@/editor/model/groups";
import { STRINGS } from "@/editor/strings/timeline";
import { hasMedia, limit, sourceEndOf, stretched, trimEnd, trimStart } from "./cut";
import { type Ramp, rampOf, withRamp } from "./fades";
import { byIds, editsBetween, moved, withTrackMoved } from "./operations";
import { tracksOf } from "./rows";
import { snapFrame, snapPoints, snapShift } from "./snap";
import type { View } from "./view";

/** Where a pointer is on the tracks. */
export interface Point {
  x: number;
  y: number;
  /** Not rounded. */
  frame: number;
  track: number;
  /** Snapping is suspended by a held key. */
  free: boolean;
}

export interface Drag {
  /** The pointer moved. */
  update(point: Point): void;
  /** The pointer was released. */
  end?(): void;
  /** The drag was given up: everything is as before. */
  cancel?(): void;
}

let drags = 0;

/** Applies edits as one step until the drag ends. Values are whole, so each replaces the one before. */
function step(editor: Editor, name: string) {
  const gesture = `timeline ${++drags}`;
  const before = editor.state.step;
  return {
    apply: (edits: readonly Edit[], select?: readonly number[]) =>
      editor.apply(edits, { name, gesture, ...(select ? { select } : {}) }),
    end: () => editor.endGesture(),
    cancel() {
      editor.endGesture();
      if (editor.state.step > before) editor.undo();
    },
  };
}

/** The clips as they are now, in the order of others. Edits are made against them. */
const now = (editor: Editor, clips: readonly Overlay[]) => {
  const current = new Map(editor.state.film.overlays.map((clip) => [clip.id, clip]));
  return clips.map((clip) => current.get(clip.id) ?? clip);
};

export const unlocked = (editor: Editor, clips: readonly Overlay[]) =>
  clips.filter(({ id }) => !editor.state.locked.includes(id));

/** Moves the selected clips in time and across rows. */
export function moveDrag(editor: Editor, view: View, start: Point): Drag | null {
  const { film, selection } = editor.state;
  const clips = unlocked(editor, byIds(film, selection));
  if (!clips.length) return null;
  const points = snapPoints(editor.state, view.state, new Set(selection));
  const edges = edgesOf(clips);
  const { apply, end, cancel } = step(editor, STRINGS.steps.move(clips.length));
  return {
    update(point) {
      const { snap, zoom } = view.state;
      const by = point.frame - start.frame;
      const snapped = snap && !point.free ? snapShift(points, edges, by, zoom) : { frame: Math.round(by), at: null };
      const next = moved(film, clips, snapped.frame, point.track - start.track);
      apply(editsBetween(now(editor, clips), next));
      view.set({ snapFrame: snapped.at });
    },
    end,
    cancel,
  };
}

/** Starts and ends of clips; of many, only the outermost. */
function edgesOf(clips: readonly Overlay[]): number[] {
  const edges = clips.flatMap((clip) => [clip.from, endOf(clip)]);
  return edges.length > 60 ? [Math.min(...edges), Math.max(...edges)] : edges;
}

/** Moves the start or the end of a clip; of all selected clips with the same edge if it is one of them. */
export function trimDrag(
  editor: Editor,
  view: View,
  start: Point,
  { id, side, stretch }: { id: number; side: "start" | "end"; stretch: boolean },
): Drag | null {
  const { film, selection } = editor.state;
  const [clip] = byIds(film, [id]);
  if (!clip || editor.state.locked.includes(id)) return null;
  const edge = (one: Overlay) => (side === "start" ? one.from : endOf(one));
  const together = selection.includes(id) ? byIds(film, selection).filter((one) => edge(one) === edge(clip)) : [clip];
  const isStretch = stretch && side === "end" && hasMedia(clip);
  const clips = isStretch ? [clip] : unlocked(editor, together);
  const sourceEnd = side === "end" ? sourceEndOf(clip, film.fps) : undefined;
  const moving = new Set(clips.map((one) => one.id));
  const points = snapPoints(editor.state, view.state, moving, sourceEnd === undefined ? [] : [sourceEnd]);
  const { apply, end, cancel } = step(editor, isStretch ? STRINGS.steps.speed : STRINGS.steps.trim(clips.length));
  return {
    update(point) {
      const { snap, zoom } = view.state;
      // The edge keeps its distance to the pointer.
      const at = edge(clip) + point.frame - start.frame;
      const to = snap && !point.free ? snapFrame(points, at, zoom) : { frame: Math.round(at), at: null };
      const by = to.frame - edge(clip);
      const next = clips.map((one) =>
        isStretch
          ? stretched(one, one.durationInFrames + by)
          : side === "start"
            ? trimStart(one, by, film.fps)
            : trimEnd(one, by),
      );
      apply(editsBetween(now(editor, clips), next));
      const isThere = next.some((one) => edge(one) === to.at);
      view.set({ snapFrame: isThere ? to.at : null });
    },
    end,
    cancel,
  };
}

/** Changes how long a clip fades or enters and exits. */
export function rampDrag(editor: Editor, id: number, side: Ramp): Drag | null {
  const { film } = editor.state;
  const [clip] = byIds(film, [id]);
  if (!clip || editor.state.locked.includes(id)) return null;
  const name = clip.type === "sound" ? STRINGS.steps.fade : STRINGS.steps.animation;
  const { apply, end, cancel } = step(editor, name);
  const other = rampOf(clip, side === "enter" ? "exit" : "enter", film.fps);
  return {
    update(point) {
      const frames = side === "enter" ? point.frame - clip.from : endOf(clip) - point.frame;
      const length = limit(Math.round(frames), 0, Math.max(0, clip.durationInFrames - other));
      apply(editsBetween(now(editor, [clip]), [withRamp(clip, side, length, film.fps)]));
    },
    end,
    cancel,
  };
}

/** Selects the clips a rectangle touches; with `add`, besides those that are selected. */
export function marqueeDrag(editor: Editor, view: View, start: Point, add: boolean): Drag {
  const { film, selection } = editor.state;
  const kept = add ? selection : [];
  return {
    update(point) {
      const box = {
        left: Math.min(start.x, point.x),
        right: Math.max(start.x, point.x),
        top: Math.min(start.y, point.y),
        bottom: Math.max(start.y, point.y),
      };
      view.set({ marquee: box });
      editor.select([...kept, ...withGroups(film, clipsIn(film, view, box))]);
    },
    cancel: () => editor.select(selection),
  };
}

function clipsIn(film: Film, view: View, box: { left: number; top: number; right: number; bottom: number }): number[] {
  const { zoom, rowHeight } = view.state;
  const { byId } = tracksOf(film);
  return film.overlays.flatMap((clip) => {
    const place = byId.get(clip.id);
    if (!place) return [];
    const top = (place.track + place.lane / place.lanes) * rowHeight;
    const isTouched =
      clip.from * zoom < box.right &&
      endOf(clip) * zoom > box.left &&
      top < box.bottom &&
      top + rowHeight / place.lanes > box.top;
    return isTouched ? [clip.id] : [];
  });
}

/** Moves the playhead. */
export function scrubDrag(editor: Editor, view: View): Drag {
  const points = snapPoints({ ...editor.state, frame: 0 }, view.state, new Set());
  return {
    update(point) {
      const { snap, zoom } = view.state;
      // Scrubbing shows every frame; only while a key is held it keeps to the edges.
      const to = snap && point.free ? snapFrame(points, point.frame, zoom).frame : Math.round(point.frame);
      editor.seek(to);
    },
  };
}

/** Moves the end of the film. */
export function lengthDrag(editor: Editor, view: View): Drag {
  const points = snapPoints(editor.state, view.state, new Set()).filter(
    (point) => point !== editor.state.film.durationInFrames,
  );
  const { apply, end, cancel } = step(editor, STRINGS.steps.length);
  return {
    update(point) {
      const { snap, zoom } = view.state;
      const to =
        snap && !point.free ? snapFrame(points, point.frame, zoom) : { frame: Math.round(point.frame), at: null };
      const value = Math.max(1, to.frame);
      if (value === editor.state.film.durationInFrames) return;
      apply([{ op: "set", path: "durationInFrames", value }]);
      view.set({ snapFrame: to.at });
    },
    end,
    cancel,
  };
}

/** Moves a track among the others. */
export function trackDrag(editor: Editor, track: number): Drag {
  const { film } = editor.state;
  const { apply, end, cancel } = step(editor, STRINGS.steps.moveRow);
  return {
    update(point) {
      apply(editsBetween(now(editor, film.overlays), withTrackMoved(film, track, point.track)));
    },
    end,
    cancel,
  };
}
