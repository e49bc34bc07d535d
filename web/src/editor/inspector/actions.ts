/** The actions of the region "Inspector". */

import type { Action } from "@/editor/actions";
import { STRINGS } from "@/editor/strings/inspector";
import { copyStyle, hasStyle, pasteStyle, resetStyle } from "./style-clipboard";

export const actions: readonly Action[] = [
  {
    id: "inspector.copy-style",
    label: STRINGS.copyStyle,
    group: "Edit",
    keys: ["Mod+Alt+C"],
    words: "look format painter",
    enabled: (editor) => editor.state.selection.length > 0,
    run: copyStyle,
  },
  {
    id: "inspector.paste-style",
    label: STRINGS.pasteStyle,
    group: "Edit",
    keys: ["Mod+Alt+V"],
    words: "look format painter",
    enabled: (editor) => editor.state.selection.length > 0 && hasStyle(),
    run: pasteStyle,
  },
  {
    id: "inspector.reset-style",
    label: STRINGS.resetStyle,
    group: "Edit",
    words: "clear default",
    enabled: (editor) => editor.state.selection.length > 0,
    run: resetStyle,
  },
];
