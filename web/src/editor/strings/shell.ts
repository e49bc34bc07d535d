/** What people read around the regions of the editor. */

import { pluralize } from "@/lib/format";

export const STRINGS = {
  undo: "Undo",
  redo: "Redo",
  history: "History",
  back: "All projects",
  film: "Film",
  untitled: "Untitled film",
} as const;

/** "Delete 3 overlays", "Delete overlay". */
export const countName = (verb: string, count: number) =>
  `${verb} ${count === 1 ? "overlay" : pluralize(count, "overlay")}`;

export const PALETTE = {
  title: "Search actions",
  placeholder: "What do you want to do?",
  none: "No action found.",
} as const;

export const SHORTCUTS = {
  title: "Keyboard shortcuts",
  hint: "Click the keys of an action to choose others. They are kept in this browser.",
  search: "Search shortcuts",
  none: "No shortcut found.",
  press: "Press keys…",
  add: "Add",
  resetAll: "Reset all",
  reset: (label: string) => `Reset the keys of ${label}`,
  change: (label: string, keys: string) => (keys ? `${label}: ${keys}. Change keys` : `${label}: add keys`),
  taken: (keys: string, label: string) => `${keys} was taken from ${label}.`,
} as const;
