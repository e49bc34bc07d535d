/** Puts all overlays of a film into another one. */

import type { Editor } from "@/editor/model/editor";
import type { Edit } from "@/editor/model/edits";
import { type Film, freeId, type Json, type Overlay } from "@/editor/model/film";
import { regrouped } from "@/editor/model/groups";
import { scaleLengths } from "./items";
import { startFrame } from "./place";

/** An overlay of one film as it looks in another: sizes and times follow the canvas and the frame rate. */
export function fittedOverlay(overlay: Overlay, source: Film, target: Film): Overlay {
  const scale = Math.min(target.width / source.width, target.height / source.height);
  const rate = target.fps / source.fps;
  const left = (target.width - source.width * scale) / 2;
  const top = (target.height - source.height * scale) / 2;
  const at = (field: string) => Number(overlay[field] ?? 0);
  return {
    ...overlay,
    from: Math.round(overlay.from * rate),
    durationInFrames: Math.max(1, Math.round(overlay.durationInFrames * rate)),
    left: Math.round(at("left") * scale + left),
    top: Math.round(at("top") * scale + top),
    width: Math.round(at("width") * scale),
    height: Math.round(at("height") * scale),
    ...(overlay["styles"] === undefined ? {} : { styles: scaleLengths(overlay["styles"] as Json, scale) }),
  };
}

/** Adds the overlays at the playhead, in front of what is there, as one step; the ground of an empty film becomes theirs. */
export function insertFilm(editor: Editor, source: Film, name: string) {
  const film = editor.state.film;
  const from = film.overlays.length ? startFrame(editor) : 0;
  const added = regrouped(source.overlays).map((overlay) => fittedOverlay(overlay, source, film));
  const rows = Math.max(-1, ...added.map(({ row }) => row)) + 1;
  const isEmpty = film.overlays.length === 0;
  let id = freeId(film.overlays);
  const moved: Edit[] = film.overlays.map((overlay) => ({
    op: "set",
    id: overlay.id,
    path: "row",
    value: overlay.row + rows,
  }));
  const placed = added.map((overlay) => ({ ...overlay, id: id++, from: overlay.from + from }));
  const edits: Edit[] = [...moved, ...placed.map((overlay): Edit => ({ op: "add", overlay }))];
  const end = from + Math.max(1, Math.ceil((source.durationInFrames * film.fps) / source.fps));
  if (isEmpty || end > film.durationInFrames) edits.push({ op: "set", path: "durationInFrames", value: end });
  const ground = source["backgroundColor"];
  if (isEmpty && typeof ground === "string") edits.push({ op: "set", path: "backgroundColor", value: ground });
  editor.apply(edits, { name, select: placed.map((overlay) => overlay.id) });
  if (editor.state.frame < from) editor.seek(from);
}
