/** What people read around the regions of the editor. */

export const STRINGS = {
  undo: "Undo",
  redo: "Redo",
} as const;
