/** Actions: the film as a whole. */

import type { Action } from "@/editor/actions";
import { type DialogName, openDialog } from "@/editor/shell/ui";
import { STRINGS } from "@/editor/strings/shell";

const opens = (dialog: DialogName) => () => openDialog(dialog);

export const filmActions: readonly Action[] = [
  {
    id: "film.render",
    label: STRINGS.render,
    group: "Film",
    keys: ["Mod+Enter"],
    words: "export",
    run: opens("render"),
  },
  { id: "film.publish", label: STRINGS.publish, group: "Film", run: opens("publish") },
  { id: "film.share", label: STRINGS.share, group: "Film", words: "link copy address", run: opens("share") },
  { id: "film.versions", label: STRINGS.versions, group: "Film", words: "restore history", run: opens("versions") },
  {
    id: "film.rename",
    label: "Rename film",
    group: "Film",
    keys: ["F2"],
    words: "name title",
    run: opens("rename"),
  },
  {
    id: "film.duplicate",
    label: STRINGS.duplicate,
    group: "Film",
    keys: ["Mod+Shift+S"],
    words: "save as project copy",
    run: opens("saveAs"),
  },
];
