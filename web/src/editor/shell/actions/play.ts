/** Actions: playing, and moving the playhead. */

import type { Action } from "@/editor/actions";
import type { Editor } from "@/editor/model/editor";
import { endOf } from "@/editor/model/film";
import { backwards, forwards, stop, togglePlay } from "@/editor/shell/shuttle";

function step(editor: Editor, by: number) {
  stop(editor);
  editor.seek(editor.state.frame + by);
}

/** Frames where an overlay begins or ends. */
function goToCut(editor: Editor, by: 1 | -1) {
  const { film, frame } = editor.state;
  const cuts = film.overlays.flatMap((overlay) => [overlay.from, endOf(overlay)]);
  const ahead = cuts.filter((cut) => (by > 0 ? cut > frame : cut < frame));
  stop(editor);
  editor.seek(by > 0 ? Math.min(...ahead, film.durationInFrames - 1) : Math.max(...ahead, 0));
}

const inSelection = (editor: Editor) => editor.state.selection.length > 0;

export const playActions: readonly Action[] = [
  { id: "play.toggle", label: "Play or pause", group: "Play", keys: ["Space"], run: togglePlay },
  {
    id: "play.backwards",
    label: "Play backwards, faster",
    group: "Play",
    keys: ["J"],
    words: "shuttle reverse",
    run: backwards,
  },
  { id: "play.stop", label: "Pause", group: "Play", keys: ["K"], words: "stop", run: stop },
  {
    id: "play.forwards",
    label: "Play forwards, faster",
    group: "Play",
    keys: ["L"],
    words: "shuttle speed",
    run: forwards,
  },
  {
    id: "play.previousFrame",
    label: "Previous frame",
    group: "Play",
    keys: ["ArrowLeft", ","],
    repeats: true,
    run: (editor) => step(editor, -1),
  },
  {
    id: "play.nextFrame",
    label: "Next frame",
    group: "Play",
    keys: ["ArrowRight", "."],
    repeats: true,
    run: (editor) => step(editor, 1),
  },
  {
    id: "play.secondBack",
    label: "One second back",
    group: "Play",
    keys: ["Shift+ArrowLeft"],
    repeats: true,
    run: (editor) => step(editor, -Math.round(editor.state.film.fps)),
  },
  {
    id: "play.secondOn",
    label: "One second on",
    group: "Play",
    keys: ["Shift+ArrowRight"],
    repeats: true,
    run: (editor) => step(editor, Math.round(editor.state.film.fps)),
  },
  {
    id: "play.start",
    label: "Go to the start",
    group: "Play",
    keys: ["Home"],
    run: (editor) => step(editor, -Infinity),
  },
  { id: "play.end", label: "Go to the end", group: "Play", keys: ["End"], run: (editor) => step(editor, Infinity) },
  {
    id: "play.previousCut",
    label: "Go to the previous cut",
    group: "Play",
    keys: ["ArrowUp"],
    words: "edit point",
    repeats: true,
    run: (editor) => goToCut(editor, -1),
  },
  {
    id: "play.nextCut",
    label: "Go to the next cut",
    group: "Play",
    keys: ["ArrowDown"],
    words: "edit point",
    repeats: true,
    run: (editor) => goToCut(editor, 1),
  },
  {
    id: "play.selectionStart",
    label: "Go to the start of the selection",
    group: "Play",
    keys: ["Shift+Home"],
    enabled: inSelection,
    run: (editor) => editor.seek(Math.min(...editor.selected().map(({ from }) => from))),
  },
  {
    id: "play.selectionEnd",
    label: "Go to the end of the selection",
    group: "Play",
    keys: ["Shift+End"],
    enabled: inSelection,
    run: (editor) => editor.seek(Math.max(...editor.selected().map(endOf)) - 1),
  },
];
