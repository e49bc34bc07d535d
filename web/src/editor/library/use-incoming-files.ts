/** What is dropped on the editor or pasted into it: files are uploaded and added to the film, items of the library are added. */

import { useEffect } from "react";
import type { Editor } from "@/editor/model/editor";
import { currentPlayer } from "@/editor/player";
import { STRINGS as CANVAS_STRINGS } from "@/editor/strings/canvas";
import { STRINGS } from "@/editor/strings/library";
import { kindOf, mediaDraft, readFacts } from "./media";
import { addAtPlayhead, type Draft, ITEM_TYPE, startFrame } from "./place";
import { showTab } from "./state";
import { type Sent, sendFiles } from "./uploads";

/** Adds a file that has just been uploaded at the playhead. */
async function addSent(editor: Editor, { fileUrl, contentType, name }: Sent) {
  const kind = kindOf(contentType);
  if (!kind) return;
  const medium = { src: fileUrl, kind, name };
  const facts = await readFacts(medium);
  addAtPlayhead(editor, [mediaDraft(editor.state.film, medium, facts, startFrame(editor))], STRINGS.steps.add(kind));
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const CANVAS = CANVAS_STRINGS.region;
const isOnCanvas = (target: EventTarget | null) =>
  target instanceof Element && target.closest(`[aria-label="${CANVAS}"]`) !== null;

/** Adds a dragged item at the playhead, around the point where it was let go. What fills the canvas, or has no size, stays. */
function dropOnCanvas(editor: Editor, text: string, { clientX, clientY }: DragEvent) {
  const { film } = editor.state;
  const item = readDraft(text);
  if (!item) return;
  const { left, top, width, height } = currentPlayer()?.getBoundingClientRect() ?? new DOMRect();
  const [w, h] = [Number(item["width"]), Number(item["height"])];
  const isFree = width > 0 && w > 0 && h > 0 && (w < film.width || h < film.height);
  const place = {
    left: Math.round(((clientX - left) / width) * film.width - w / 2),
    top: Math.round(((clientY - top) / height) * film.height - h / 2),
  };
  addAtPlayhead(editor, [isFree ? { ...item, ...place } : item], STRINGS.steps.add(item.type as "text"));
}

/** The item of a drag, which may come from another page; null if it is none. */
function readDraft(text: string): Draft | null {
  try {
    const { id: _, ...item } = JSON.parse(text) as Draft;
    return typeof item["type"] === "string" && item["type"] in STRINGS.kinds && Number(item["durationInFrames"]) > 0
      ? (item as Draft)
      : null;
  } catch {
    return null;
  }
}

export function useIncomingFiles(editor: Editor) {
  useEffect(() => {
    const take = (files: readonly File[]) => {
      if (!files.length) return;
      showTab("media");
      sendFiles(files, (sent) => void addSent(editor, sent));
    };
    const onDragOver = (event: DragEvent) => {
      const { types = [] } = event.dataTransfer ?? {};
      // Without this the browser leaves the editor and opens the file.
      if (types.includes("Files") || (types.includes(ITEM_TYPE) && isOnCanvas(event.target))) event.preventDefault();
    };
    const onDrop = (event: DragEvent) => {
      const { dataTransfer: carried } = event;
      if (event.defaultPrevented || !carried) return;
      if (carried.types.includes("Files")) {
        event.preventDefault();
        take([...carried.files]);
      } else if (carried.types.includes(ITEM_TYPE) && isOnCanvas(event.target)) {
        event.preventDefault();
        dropOnCanvas(editor, carried.getData(ITEM_TYPE), event);
      }
    };
    const onPaste = (event: ClipboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target) || !event.clipboardData?.files.length) return;
      event.preventDefault();
      take([...event.clipboardData.files]);
    };
    window.addEventListener("dragover", onDragOver);
    window.addEventListener("drop", onDrop);
    window.addEventListener("paste", onPaste);
    return () => {
      window.removeEventListener("dragover", onDragOver);
      window.removeEventListener("drop", onDrop);
      window.removeEventListener("paste", onPaste);
    };
  }, [editor]);
}
