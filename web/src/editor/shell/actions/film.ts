/** Actions: the film as a whole. */

import type { Action } from "@/editor/actions";
import { openDialog } from "@/editor/shell/ui";

export const filmActions: readonly Action[] = [
  {
    id: "film.render",
    label: "Render",
    group: "Film",
    keys: ["Mod+Enter"],
    words: "export",
    run: () => openDialog("render"),
  },
  { id: "film.publish", label: "Publish template", group: "Film", run: () => openDialog("publish") },
  {
    id: "film.versions",
    label: "Versions",
    group: "Film",
    words: "restore history",
    run: () => openDialog("versions"),
  },
];
