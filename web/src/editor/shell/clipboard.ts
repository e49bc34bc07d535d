/** The system's clipboard, for overlays. Without it (plain HTTP), what was copied stays within the page. */

import { pasteEdits, readOverlays, writeOverlays } from "@/editor/model/clipboard";
import type { Editor } from "@/editor/model/editor";
import { countName } from "@/editor/strings/shell";

let kept = "";

export function copySelection(editor: Editor) {
  kept = writeOverlays(editor.state.film, editor.selected());
  void navigator.clipboard?.writeText(kept).catch(() => undefined);
}

/** Pastes from the palette or a menu. The keys paste through the browser's own event. */
export async function pasteClipboard(editor: Editor) {
  const text = await navigator.clipboard?.readText().catch(() => kept);
  pasteText(editor, text ?? kept);
}

/** Whether the text held overlays. They are pasted at the playhead. */
export function pasteText(editor: Editor, text: string): boolean {
  const copied = readOverlays(text);
  if (!copied) return false;
  const { edits, ids } = pasteEdits(editor.state.film, copied, editor.state.frame);
  editor.apply(edits, { name: countName("Paste", ids.length), select: ids });
  return true;
}

/** For browsers that give pages no clipboard. */
export const pasteKept = (editor: Editor) => pasteText(editor, kept);
