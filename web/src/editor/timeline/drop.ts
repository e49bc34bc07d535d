/** Library items dropped on the timeline. */

import type { Editor } from "@/editor/model/editor";
import type { Json } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/timeline";
import { typeName } from "./clip-name";
import { limit } from "./cut";
import { addItem } from "./operations";
import { tracksOf } from "./rows";
import { snapFrame, snapPoints } from "./snap";
import { RULER_HEIGHT, type View } from "./view";

/** Holds an overlay as JSON, without its place in time. */
const ITEM = "application/x-rondo-item";

/** Near the line between two rows, in pixels, an item gets a row of its own. */
const BETWEEN = 7;

export function listenToDrops(scroller: HTMLElement, editor: Editor, view: View): () => void {
  const placeOf = (event: DragEvent) => {
    const box = scroller.getBoundingClientRect();
    const { header, zoom, rowHeight, snap } = view.state;
    const x = event.clientX - box.left - header + scroller.scrollLeft;
    const y = event.clientY - box.top - RULER_HEIGHT + scroller.scrollTop;
    const points = snap ? snapPoints(editor.state, view.state, new Set()) : [];
    const frame = Math.max(0, snapFrame(points, x / zoom, zoom).frame);
    const last = tracksOf(editor.state.film).rows.length - 1;
    const line = Math.round(y / rowHeight);
    const insert = line >= 0 && line < last && Math.abs(y - line * rowHeight) <= BETWEEN;
    const track = insert ? line : limit(Math.floor(y / rowHeight), 0, last);
    // What is dragged can be read only when it is dropped, so the mark is as long as most items.
    return { frame, track, insert, length: Math.round(editor.state.film.fps * 3) };
  };
  const isItem = (event: DragEvent) => event.dataTransfer?.types.includes(ITEM) ?? false;

  const onOver = (event: DragEvent) => {
    if (!isItem(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
    view.set({ drop: placeOf(event) });
  };
  const onLeave = (event: DragEvent) => {
    if (!(event.relatedTarget instanceof Node) || !scroller.contains(event.relatedTarget)) view.set({ drop: null });
  };
  const onDrop = (event: DragEvent) => {
    if (!isItem(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const place = placeOf(event);
    view.set({ drop: null });
    const item = readItem(event.dataTransfer?.getData(ITEM) ?? "");
    if (!item) return;
    const { film } = editor.state;
    const row = tracksOf(film).rows[place.track] ?? 0;
    const { edits, id, overlay } = addItem(film, item, { frame: place.frame, row, insert: place.insert });
    editor.apply(edits, { name: STRINGS.steps.add(typeName(overlay.type)), select: [id] });
  };

  scroller.addEventListener("dragover", onOver);
  scroller.addEventListener("dragleave", onLeave);
  scroller.addEventListener("drop", onDrop);
  return () => {
    scroller.removeEventListener("dragover", onOver);
    scroller.removeEventListener("dragleave", onLeave);
    scroller.removeEventListener("drop", onDrop);
  };
}

function readItem(text: string): { [key: string]: Json | undefined } | null {
  try {
    const item: unknown = JSON.parse(text);
    const isOverlay = typeof item === "object" && item !== null && "type" in item && typeof item.type === "string";
    return isOverlay ? (item as { [key: string]: Json | undefined }) : null;
  } catch {
    return null;
  }
}
