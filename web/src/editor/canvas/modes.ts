/** What a double click opens: the letters of a text, or a picture inside its frame. */

import type { Editor } from "@/editor/model/editor";
import { findOverlay } from "@/editor/model/film";
import { isFree, isMedia } from "./boxes";
import { prepareMedia } from "./media-gestures";
import { view } from "./view";

/** Opens an overlay: text to write in it, media to crop and move them. Others have nothing inside. */
export function enterMode(editor: Editor, id: number) {
  const overlay = findOverlay(editor.document(), id);
  if (!overlay || !isFree(editor, id)) return;
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
