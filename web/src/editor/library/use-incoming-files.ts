/** Files that are dropped on the editor, or pasted into it: they are uploaded, and added to the film. */

import { useEffect } from "react";
import type { Editor } from "@/editor/model/editor";
import { STRINGS } from "@/editor/strings/library";
import { kindOf, mediaDraft, readFacts } from "./media";
import { addAtPlayhead, startFrame } from "./place";
import { showTab } from "./state";
import { type Sent, sendFiles } from "./uploads";

/** Adds a file that has just been uploaded at the playhead. */
export async function addSent(editor: Editor, { fileUrl, contentType, name }: Sent) {
  const kind = kindOf(contentType);
  if (!kind) return;
  const medium = { src: fileUrl, kind, name };
  const facts = await readFacts(medium);
  addAtPlayhead(editor, [mediaDraft(editor.state.film, medium, facts, startFrame(editor))], STRINGS.steps.add(kind));
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export function useIncomingFiles(editor: Editor) {
  useEffect(() => {
    const take = (files: readonly File[]) => {
      if (!files.length) return;
      showTab("media");
      sendFiles(files, (sent) => void addSent(editor, sent));
    };
    const onDragOver = (event: DragEvent) => {
      // Without this the browser leaves the editor and opens the file.
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    };
    const onDrop = (event: DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      take([...event.dataTransfer.files]);
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
