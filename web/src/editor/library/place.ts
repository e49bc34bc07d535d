/** Where new overlays go: which frame, which row, how large. */

import type { Editor } from "@/editor/model/editor";
import type { Edit } from "@/editor/model/edits";
import { endOf, type Film, freeId, type Json, type Overlay, valueAt } from "@/editor/model/film";

/** An overlay that has no place in a film yet. It is what drags carry, as JSON. */
export interface Draft {
  [key: string]: Json | undefined;
  type: string;
  durationInFrames: number;
}

/** The type of the data of a drag: the JSON of a draft. */
export const ITEM_TYPE = "application/x-rondo-item";

/** What lies in front of what: new overlays go in front of their own kind and of those that are listed after it. */
const LEVELS: readonly (readonly string[])[] = [
  ["caption"],
  ["text", "sticker"],
  ["shape", "effect"],
  ["image", "video"],
  ["sound"],
];

const levelOf = (type: string) => {
  const level = LEVELS.findIndex((types) => types.includes(type));
  return level < 0 ? 1 : level;
};

/** The row of a new overlay. With `insert`, the rows from there on are moved back by one to make room. */
function rowFor(film: Film, type: string, from: number, frames: number): { row: number; insert: boolean } {
  const level = levelOf(type);
  const meets = (overlay: Overlay) => overlay.from < from + frames && from < endOf(overlay);
  const isFree = (row: number) => !film.overlays.some((overlay) => overlay.row === row && meets(overlay));
  const rows = (overlays: Overlay[]) => overlays.map(({ row }) => row);
  if (type === "sound") {
    const visual = film.overlays.filter((overlay) => overlay.type !== "sound");
    let row = Math.max(-1, ...rows(visual)) + 1;
    while (!isFree(row)) row++;
    return { row, insert: false };
  }
  const around = film.overlays.filter(meets);
  const before = Math.max(-1, ...rows(around.filter((overlay) => levelOf(overlay.type) < level)));
  const behind = Math.min(...rows(around.filter((overlay) => levelOf(overlay.type) >= level)));
  if (behind === Number.POSITIVE_INFINITY) {
    // Nothing to stay in front of: beside its own kind, if that row has room.
    const own = film.overlays.findLast((overlay) => overlay.type === type && isFree(overlay.row));
    let row = Math.max(own?.row ?? 0, before + 1, 0);
    while (!isFree(row)) row++;
    return { row, insert: false };
  }
  for (let row = behind - 1; row > before && row >= 0; row--) if (isFree(row)) return { row, insert: false };
  return { row: Math.max(behind, 0), insert: true };
}

/** Where the playhead was moved to so that a new overlay is seen, and where things begin as long as it stays there. */
let shown: { editor: Editor; frame: number; from: number } | null = null;

/** The frame at which something new begins: the playhead, or the end of the pictures if the playhead stands on the last frame. */
export function startFrame(editor: Editor): number {
  const { film, frame } = editor.state;
  if (shown?.editor === editor && shown.frame === frame) return Math.min(shown.from, film.durationInFrames);
  const pictures = film.overlays.filter(({ type }) => type !== "sound").map(endOf);
  const isAtEnd = frame > 0 && frame >= film.durationInFrames - 1;
  return isAtEnd && pictures.length ? Math.min(Math.max(...pictures), film.durationInFrames) : frame;
}

/** Frames until an overlay has come in: what enters, types or counts is not seen at its first frame. */
function settling({ fps }: Film, draft: Draft): number {
  const number = (path: string) => Number(valueAt(draft, path) ?? 0) || 0;
  const content = String(draft["content"] ?? "");
  const frames = Math.max(
    number("styles.animation.enterDuration") * fps,
    valueAt(draft, "styles.animatedText.enabled") ? fps * 1.2 : 0,
    valueAt(draft, "styles.typeWriter.enabled") ? content.length * number("styles.typeWriter.typeSpeed") : 0,
    number("styles.counterMode.duration"),
    draft.type === "sticker" || draft.type === "effect" ? fps : 0,
  );
  return Math.min(Math.ceil(frames), Math.floor(draft.durationInFrames / 2));
}

/** The edits that add drafts, one after another in front of each other, and lengthen the film for them. */
export function additions(
  film: Film,
  drafts: readonly { draft: Draft; from: number }[],
): { edits: Edit[]; ids: number[] } {
  const edits: Edit[] = [];
  const ids: number[] = [];
  let overlays = film.overlays;
  let id = freeId(overlays);
  for (const { draft, from } of drafts) {
    const { row, insert } = rowFor({ ...film, overlays }, draft.type, from, draft.durationInFrames);
    if (insert)
      overlays = overlays.map((overlay) => {
        if (overlay.row < row) return overlay;
        edits.push({ op: "set", id: overlay.id, path: "row", value: overlay.row + 1 });
        return { ...overlay, row: overlay.row + 1 };
      });
    const overlay = { ...draft, id, from, row } as Overlay;
    edits.push({ op: "add", overlay });
    overlays = [...overlays, overlay];
    ids.push(id++);
  }
  const end = Math.max(...overlays.map(endOf));
  // An empty film has no length of its own: the first picture gives it one.
  const isFirst =
    film.overlays.length === 0 && drafts.some(({ draft }) => draft.type === "image" || draft.type === "video");
  if (isFirst || end > film.durationInFrames)
    edits.push({ op: "set", path: "durationInFrames", value: Math.max(1, Math.ceil(end)) });
  return { edits, ids };
}

/** Adds overlays at the playhead and selects them. */
export function addAtPlayhead(editor: Editor, drafts: readonly Draft[], name: string) {
  const from = startFrame(editor);
  const { edits, ids } = additions(
    editor.state.film,
    drafts.map((draft) => ({ draft, from })),
  );
  editor.apply(edits, { name, select: ids });
  const frame = from + Math.max(0, ...drafts.map((draft) => settling(editor.state.film, draft)));
  if (frame === editor.state.frame || editor.state.playing) return;
  editor.seek(frame);
  shown = { editor, frame: editor.state.frame, from };
}

/** A box of a shape inside the canvas, centred; `part` is how much of the canvas it may fill. */
export function fitted(film: Film, width: number, height: number, part = 1) {
  const scale = Math.min((film.width * part) / width, (film.height * part) / height);
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  return {
    left: Math.round((film.width - size.width) / 2),
    top: Math.round((film.height - size.height) / 2),
    ...size,
  };
}

/** Seconds as frames of a film, at least one. */
export const framesOf = (film: Film, seconds: number) => Math.max(1, Math.round(seconds * film.fps));
