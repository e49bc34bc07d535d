/** The actions of the region "Timeline". */

import type { Action } from "@/editor/actions";
import type { Editor } from "@/editor/model/editor";
import { endOf, type Overlay } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/timeline";
import { clipName } from "./clip-name";
import { atSpeed, hasMedia, inPointOf, speedOf, trimEnd, trimStart } from "./cut";
import { unlocked } from "./drags";
import { beatsOf, peaksOf } from "./media/peaks";
import {
  closeGaps,
  duplicate,
  editsBetween,
  fitLength,
  insertRows,
  moved,
  removeRow,
  rippleRemove,
  shiftTrack,
  split,
} from "./operations";
import { rowOf, tracksOf } from "./rows";
import { clockTime } from "./time";
import { ROW_HEIGHTS, viewOf } from "./view";

const { actions: LABELS, steps: STEPS, said: SAID, words: WORDS } = STRINGS;

/** The selected clips that can be changed. */
const selected = (editor: Editor) => unlocked(editor, editor.selected());
const hasSelected = (editor: Editor) => selected(editor).length > 0;
const time = (editor: Editor, frame: number) => clockTime(frame, editor.state.film.fps);
const say = (editor: Editor, text: string) => viewOf(editor).say(text);
const isAt = (clip: Overlay, frame: number) => clip.from < frame && frame < endOf(clip);

/** Selected clips under the playhead; without a selection, all clips there. */
const atPlayhead = (editor: Editor) => {
  const { film, frame, selection } = editor.state;
  return (selection.length ? selected(editor) : unlocked(editor, film.overlays)).filter((clip) => isAt(clip, frame));
};

function splitAtPlayhead(editor: Editor) {
  const { film, frame } = editor.state;
  const { edits, made } = split(film, atPlayhead(editor), frame);
  editor.apply(edits, { name: STEPS.split(made.length), select: made });
  say(editor, SAID.split(made.length, time(editor, frame)));
}

function trimToPlayhead(editor: Editor, side: "start" | "end") {
  const { film, frame } = editor.state;
  const clips = selected(editor).filter((clip) => isAt(clip, frame));
  const next = clips.map((clip) =>
    side === "start" ? trimStart(clip, frame - clip.from, film.fps) : trimEnd(clip, frame - endOf(clip)),
  );
  editor.apply(editsBetween(clips, next), { name: STEPS.trim(clips.length) });
  const [first] = next;
  if (first) say(editor, SAID.trimmed(clipName(first), time(editor, first.from), time(editor, endOf(first))));
}

const canTrim = (editor: Editor) => selected(editor).some((clip) => isAt(clip, editor.state.frame));

/** Moves the selection; moves of one kind, one after another, are one step. */
function nudge(editor: Editor, frames: number, tracks: number) {
  const clips = selected(editor);
  const next = moved(editor.state.film, clips, frames, tracks);
  const gesture = `timeline nudge ${clips.map(({ id }) => id).join()}`;
  editor.apply(editsBetween(clips, next), { name: STEPS.move(clips.length), gesture });
  const [first] = next;
  if (!first) return;
  const start = time(editor, Math.min(...next.map(({ from }) => from)));
  say(editor, next.length > 1 ? SAID.movedMany(next.length, start) : SAID.moved(clipName(first), start, first.row));
  viewOf(editor).reveal(first.from, endOf(first));
}

const NUDGES = [
  ["Earlier", LABELS.earlier, "Alt+ArrowLeft", -1, 0],
  ["Later", LABELS.later, "Alt+ArrowRight", 1, 0],
  ["MuchEarlier", LABELS.muchEarlier, "Alt+Shift+ArrowLeft", -10, 0],
  ["MuchLater", LABELS.muchLater, "Alt+Shift+ArrowRight", 10, 0],
  ["Up", LABELS.up, "Alt+ArrowUp", 0, -1],
  ["Down", LABELS.down, "Alt+ArrowDown", 0, 1],
] as const;

const nudges = NUDGES.map(
  ([id, what, keys, frames, tracks]): Action => ({
    id: `timeline.nudge${id}`,
    label: LABELS.nudge(what),
    group: "Timeline",
    keys: [keys],
    region: "Timeline",
    repeats: true,
    enabled: hasSelected,
    run: (editor) => nudge(editor, frames, tracks),
  }),
);

export const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 4] as const;

const speeds = SPEEDS.map(
  (speed): Action => ({
    id: `timeline.speed${speed}`,
    label: LABELS.speed(speed),
    group: "Timeline",
    words: WORDS.speed,
    enabled: (editor) => selected(editor).some(hasMedia),
    run(editor) {
      const clips = selected(editor).filter(hasMedia);
      const next = clips.map((clip) => (speedOf(clip) === speed ? clip : atSpeed(clip, speed)));
      editor.apply(editsBetween(clips, next), { name: STEPS.speed });
    },
  }),
);

/** The rows of the selection, all rows without one. */
function rowsOfSelection(editor: Editor): number[] {
  const clips = editor.state.selection.length ? editor.selected() : editor.state.film.overlays;
  return [...new Set(clips.map(rowOf))];
}

function toggleMarker(editor: Editor) {
  const view = viewOf(editor);
  const { frame } = editor.state;
  const others = view.state.markers.filter((marker) => marker.frame !== frame);
  const removed = others.length < view.state.markers.length;
  view.setMarkers(removed ? others : [...others, { frame, kind: "mark" }]);
  say(editor, removed ? SAID.noMarker(time(editor, frame)) : SAID.marker(time(editor, frame)));
}

function goToMarker(editor: Editor, by: 1 | -1) {
  const frames = viewOf(editor).state.markers.map((marker) => marker.frame);
  const { frame } = editor.state;
  const next = by > 0 ? frames.find((at) => at > frame) : frames.findLast((at) => at < frame);
  if (next !== undefined) editor.seek(next);
}

const hasMarkers = (editor: Editor) => viewOf(editor).state.markers.length > 0;

/** Marks the beats of the selected sound, in place of those that were marked before. */
async function markBeats(editor: Editor) {
  const view = viewOf(editor);
  const { fps } = editor.state.film;
  const clip = editor.selected().find(({ type }) => type === "sound");
  if (typeof clip?.["src"] !== "string") return;
  const peaks = await peaksOf(new URL(clip["src"], location.origin).href);
  if (!peaks) return view.say(SAID.noBeats);
  const frames = beatsOf(peaks)
    .map((seconds) => clip.from + Math.round(((seconds - inPointOf(clip)) * fps) / speedOf(clip)))
    .filter((frame) => frame >= clip.from && frame < endOf(clip));
  const marks = view.state.markers.filter(({ kind }) => kind === "mark");
  view.setMarkers([...frames.map((frame) => ({ frame, kind: "beat" as const })), ...marks]);
  view.say(SAID.beats(frames.length));
}

/** Hides, mutes or locks the selection; takes it back if all of it already is. */
function toggleFlag(editor: Editor, flag: "hidden" | "muted" | "locked") {
  const ids = editor.state.selection;
  editor.flag(flag, ids, !ids.every((id) => editor.state[flag].includes(id)));
}

const isSelection = (editor: Editor) => editor.state.selection.length > 0;

/** The row of the clip that was selected last. */
const lastRow = (editor: Editor) => {
  const clip = editor.selected().at(-1);
  return clip && rowOf(clip);
};

function shiftRow(editor: Editor, by: 1 | -1) {
  const row = lastRow(editor);
  const { film } = editor.state;
  if (row !== undefined) editor.apply(shiftTrack(film, tracksOf(film).rows.indexOf(row), by), { name: STEPS.moveRow });
}

const timelineActions: readonly Omit<Action, "group">[] = [
  {
    id: "timeline.split",
    label: LABELS.split,
    keys: ["S"],
    words: WORDS.split,
    enabled: (editor) => atPlayhead(editor).length > 0,
    run: splitAtPlayhead,
  },
  {
    id: "timeline.trimStart",
    label: LABELS.trimStart,
    keys: ["Q"],
    words: WORDS.trim,
    enabled: canTrim,
    run: (editor) => trimToPlayhead(editor, "start"),
  },
  {
    id: "timeline.trimEnd",
    label: LABELS.trimEnd,
    keys: ["W"],
    words: WORDS.trim,
    enabled: canTrim,
    run: (editor) => trimToPlayhead(editor, "end"),
  },
  {
    id: "timeline.toPlayhead",
    label: LABELS.toPlayhead,
    keys: ["Shift+P"],
    enabled: hasSelected,
    run(editor) {
      const clips = selected(editor);
      const by = editor.state.frame - Math.min(...clips.map(({ from }) => from));
      editor.apply(editsBetween(clips, moved(editor.state.film, clips, by, 0)), { name: STEPS.move(clips.length) });
    },
  },
  {
    id: "timeline.ripple",
    label: LABELS.ripple,
    keys: ["Shift+Delete", "Shift+Backspace"],
    words: WORDS.ripple,
    enabled: hasSelected,
    run(editor) {
      const clips = selected(editor);
      const edits = rippleRemove(editor.state.film, clips, editor.state.locked);
      editor.apply(edits, { name: STEPS.ripple(clips.length), select: [] });
      say(editor, SAID.deleted(clips.length));
    },
  },
  {
    id: "timeline.closeGaps",
    label: LABELS.closeGaps,
    keys: ["Shift+G"],
    words: WORDS.closeGaps,
    enabled: ({ state }) => state.film.overlays.length > 1,
    run: (editor) =>
      editor.apply(closeGaps(editor.state.film, rowsOfSelection(editor), editor.state.locked), {
        name: STEPS.closeGaps,
      }),
  },
  {
    id: "timeline.duplicate",
    label: LABELS.duplicate,
    keys: ["Mod+D"],
    region: "Timeline",
    words: WORDS.duplicate,
    enabled: isSelection,
    run(editor) {
      const { edits, made } = duplicate(editor.state.film, editor.selected());
      editor.apply(edits, { name: STEPS.duplicate(made.length), select: made });
    },
  },
  ...nudges,
  ...speeds,
  {
    id: "timeline.fitLength",
    label: LABELS.fitLength,
    words: WORDS.length,
    enabled: ({ state }) => fitLength(state.film).length > 0,
    run(editor) {
      editor.apply(fitLength(editor.state.film), { name: STEPS.length });
      say(editor, SAID.length(time(editor, editor.state.film.durationInFrames)));
    },
  },
  {
    id: "timeline.lengthToPlayhead",
    label: LABELS.lengthToPlayhead,
    words: WORDS.length,
    enabled: ({ state }) => state.frame > 0,
    run: (editor) =>
      editor.apply({ op: "set", path: "durationInFrames", value: editor.state.frame }, { name: STEPS.length }),
  },
  {
    id: "timeline.snap",
    label: LABELS.snap,
    keys: ["N"],
    region: "Timeline",
    run(editor) {
      const view = viewOf(editor);
      view.setSnap(!view.state.snap);
      view.say(SAID.snap(view.state.snap));
    },
  },
  { id: "timeline.marker", label: LABELS.marker, keys: ["M"], words: WORDS.marker, run: toggleMarker },
  {
    id: "timeline.nextMarker",
    label: LABELS.nextMarker,
    keys: ["Shift+M"],
    enabled: hasMarkers,
    run: (editor) => goToMarker(editor, 1),
  },
  {
    id: "timeline.previousMarker",
    label: LABELS.previousMarker,
    keys: ["Alt+Shift+M"],
    enabled: hasMarkers,
    run: (editor) => goToMarker(editor, -1),
  },
  {
    id: "timeline.clearMarkers",
    label: LABELS.clearMarkers,
    enabled: hasMarkers,
    run: (editor) => viewOf(editor).setMarkers([]),
  },
  {
    id: "timeline.beats",
    label: LABELS.beats,
    words: WORDS.beats,
    enabled: (editor) => editor.selected().some(({ type }) => type === "sound"),
    run: (editor) => void markBeats(editor),
  },
  {
    id: "timeline.zoomIn",
    label: LABELS.zoomIn,
    keys: ["=", "+"],
    region: "Timeline",
    repeats: true,
    run: (editor) => viewOf(editor).zoomBy(1.5),
  },
  {
    id: "timeline.zoomOut",
    label: LABELS.zoomOut,
    keys: ["-"],
    region: "Timeline",
    repeats: true,
    run: (editor) => viewOf(editor).zoomBy(1 / 1.5),
  },
  { id: "timeline.zoomToFit", label: LABELS.zoomToFit, keys: ["\\"], run: (editor) => viewOf(editor).zoomToFit() },
  {
    id: "timeline.zoomToSelection",
    label: LABELS.zoomToSelection,
    keys: ["Shift+Z"],
    enabled: isSelection,
    run(editor) {
      const clips = editor.selected();
      viewOf(editor).zoomToRange(Math.min(...clips.map(({ from }) => from)), Math.max(...clips.map(endOf)));
    },
  },
  {
    id: "timeline.rowHeight",
    label: LABELS.rowHeight,
    keys: ["Shift+H"],
    run(editor) {
      const view = viewOf(editor);
      const at = ROW_HEIGHTS.indexOf(view.state.rowHeight as (typeof ROW_HEIGHTS)[number]);
      view.setRowHeight(ROW_HEIGHTS[(at + 1) % ROW_HEIGHTS.length] ?? ROW_HEIGHTS[1]);
    },
  },
  {
    id: "timeline.follow",
    label: LABELS.follow,
    run(editor) {
      const view = viewOf(editor);
      view.set({ follow: !view.state.follow });
    },
  },
  {
    id: "timeline.insertRow",
    label: LABELS.insertRow,
    enabled: isSelection,
    run: (editor) => editor.apply(insertRows(editor.state.film, lastRow(editor) ?? 0), { name: STEPS.insertRow }),
  },
  {
    id: "timeline.removeRow",
    label: LABELS.removeRow,
    enabled: isSelection,
    run: (editor) => editor.apply(removeRow(editor.state.film, lastRow(editor) ?? 0), { name: STEPS.removeRow }),
  },
  {
    id: "timeline.rowUp",
    label: LABELS.rowUp,
    keys: ["Mod+Shift+ArrowUp"],
    region: "Timeline",
    enabled: isSelection,
    run: (editor) => shiftRow(editor, -1),
  },
  {
    id: "timeline.rowDown",
    label: LABELS.rowDown,
    keys: ["Mod+Shift+ArrowDown"],
    region: "Timeline",
    enabled: isSelection,
    run: (editor) => shiftRow(editor, 1),
  },
  {
    id: "timeline.mute",
    label: LABELS.mute,
    keys: ["Shift+U"],
    enabled: isSelection,
    run: (editor) => toggleFlag(editor, "muted"),
  },
  {
    id: "timeline.selectForward",
    label: LABELS.selectForward,
    keys: ["Shift+F"],
    run(editor) {
      const { film, frame } = editor.state;
      editor.select(film.overlays.flatMap((clip) => (clip.from >= frame ? clip.id : [])));
    },
  },
  {
    id: "timeline.selectRow",
    label: LABELS.selectRow,
    keys: ["Shift+R"],
    region: "Timeline",
    enabled: isSelection,
    run(editor) {
      const rows = rowsOfSelection(editor);
      editor.select(editor.state.film.overlays.flatMap((clip) => (rows.includes(rowOf(clip)) ? clip.id : [])));
    },
  },
];

export const actions: readonly Action[] = timelineActions.map((action) => ({ group: "Timeline", ...action }));
