/** All actions of the editor: those of the regions and those of the shell. */

import type { Action } from "@/editor/actions";
import { actions as canvas } from "@/editor/canvas/actions";
import { actions as inspector } from "@/editor/inspector/actions";
import { actions as library } from "@/editor/library/actions";
import { actions as timeline } from "@/editor/timeline/actions";
import { editActions } from "./edit";
import { filmActions } from "./film";
import { playActions } from "./play";
import { viewActions } from "./view";

export const ALL_ACTIONS: readonly Action[] = [
  ...editActions,
  ...playActions,
  ...timeline,
  ...canvas,
  ...library,
  ...inspector,
  ...viewActions,
  ...filmActions,
];
