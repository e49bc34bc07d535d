/** What a double click opens: the letters of a text, a picture inside its frame, or the words of captions. */

import { editCaptions } from "@/editor/library/state";
import type { Editor } from "@/editor/model/editor";
import { findOverlay, type Overlay } from "@/editor/model/film";
import { showRegion } from "@/editor/shell/ui";
import { isFree, isMedia } from "./boxes";
import { prepareMedia } from "./media-gestures";
import { view } from "./view";

/** Whether there is something to open. */
export const hasInside = (overlay: Overlay) =>
  overlay.type === "text" || overlay.type === "caption" || isMedia(overlay);

/**
 * Opens an overlay: text to write in it, media to crop and move them, captions in the library. Others have nothing inside. `said`
 * is when the word of captions to edit is said; without it, the one at the playhead is.
 */
export function enterMode(editor: Editor, id: number, said: number | null = null) {
  const overlay = findOverlay(editor.document(), id);
  if (!overlay || !isFree(editor, id)) return;
  if (overlay.type === "caption") {
    editor.pause();
    editor.select([id]);
    editCaptions(id, said);
    return showRegion("Library");
  }
  const kind = overlay.type === "text" ? "text" : isMedia(overlay) ? "media" : null;
  if (!kind) return;
  editor.pause();
  editor.select([id]);
  if (kind === "media") prepareMedia(overlay);
  view.setState({ mode: { kind, id }, hover: null });
}

export function leaveMode(editor: Editor) {
  const { mode } = view.getState();
  if (!mode) return;
  editor.endGesture();
  view.setState({ mode: null });
}
