/** J K L: back, stop, forwards; pressed again, faster. The player plays forwards only, so going back is a walk of the playhead. */

import type { Editor } from "@/editor/model/editor";

const MOST = 8;
let back = 0;
let walking = 0;

export function stop(editor: Editor) {
  back = 0;
  cancelAnimationFrame(walking);
  editor.pause();
}

export function forwards(editor: Editor) {
  const { playing, rate } = editor.state;
  const faster = playing && back === 0 ? Math.min(rate * 2, MOST) : 1;
  stopWalk();
  editor.play(faster);
}

export function backwards(editor: Editor) {
  editor.pause();
  back = back ? Math.min(back * 2, MOST) : 1;
  cancelAnimationFrame(walking);
  let last = performance.now();
  let frame = editor.state.frame;
  let shown = frame;
  const walk = (now: number) => {
    // Whoever plays or seeks meanwhile ends the walk.
    if (editor.state.playing || editor.state.frame !== shown) return stopWalk();
    frame -= ((now - last) / 1000) * editor.state.film.fps * back;
    last = now;
    editor.seek(frame);
    shown = editor.state.frame;
    if (shown > 0) walking = requestAnimationFrame(walk);
    else stopWalk();
  };
  walking = requestAnimationFrame(walk);
}

export function togglePlay(editor: Editor) {
  if (editor.state.playing || back) return stop(editor);
  // At the end, begin again.
  if (editor.state.frame >= editor.state.film.durationInFrames - 1) editor.seek(0);
  editor.play();
}

function stopWalk() {
  back = 0;
  cancelAnimationFrame(walking);
}
