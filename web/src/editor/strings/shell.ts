/** What people read around the regions of the editor. */

import { pluralize } from "@/lib/format";

export const STRINGS = {
  undo: "Undo",
  redo: "Redo",
  history: "History",
  group: "Group",
  ungroup: "Ungroup",
  back: "All projects",
  name: "Name of the film",
  untitled: "Untitled film",
  saveAsProject: "Save as project",
  publish: "Publish template",
  render: "Render",
  share: "Share a preview",
  versions: "Versions",
  duplicate: "Duplicate film",
  newFilm: "New film",
  palette: "Search actions",
  shortcuts: "Keyboard shortcuts",
  more: "Film menu",
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
  keysOf: (label: string) => `Keys of ${label}:`,
  taken: (keys: string, label: string) => `${keys} was taken from ${label}.`,
} as const;

/** Names of steps in the history. */
export const STEPS = {
  changeBy: (who: string) => `Change by ${who}`,
  changeElsewhere: "Change in another tab",
  resolve: "Resolve conflict",
  restoreDraft: "Restore unsaved changes",
  restoreVersion: "Restore version",
} as const;

export const SAVE = {
  someone: "someone else",
  draftRestored: "Changes that were not saved have been restored.",
  saved: "Saved",
  unsaved: "Edited",
  saving: "Saving…",
  offline: "Offline, retrying",
  conflict: "Conflict",
  rejected: "Not saved",
  signedOut: "Signed out",
  gone: "Deleted",
  hints: {
    offline: "Your changes are kept in this browser. Click to try again now.",
    conflict: "The film was changed elsewhere. Click to choose what to keep.",
    rejected: "The service refuses the film as it is.",
    signedOut: "Sign in again to save. Your changes are kept in this browser.",
    gone: "The film was deleted or has expired. Click to save it as a new project.",
  },
} as const;

export const SAVE_AS = {
  copy: { title: "Save as project", hint: "This copy ends with its preview. As a project it stays.", save: "Save" },
  duplicate: {
    title: "Duplicate film",
    hint: "The copy opens in the editor. This film stays as it is.",
    save: "Duplicate",
  },
  deleted: {
    title: "This film was deleted",
    hint: "It was deleted elsewhere while you had it open. What you see here is not saved any more: save it as a new project to keep it.",
    save: "Save as new project",
  },
  expired: {
    title: "This preview has expired",
    hint: "The copy ended with its preview. What you see here is not saved any more: save it as a new project to keep it.",
    save: "Save as new project",
  },
  name: "Name",
  cancel: "Cancel",
  copyOf: (name: string) => `${name} (copy)`,
  saved: "Saved as a project.",
} as const;

export const CONFLICTS = {
  title: "Changed in two places",
  hint: "Another tab, person or agent changed the same parts of this film while you did. Yours are on screen. Choose what to keep; it can be undone.",
  mine: "Mine",
  theirs: "Theirs",
  deleted: "Deleted",
  allMine: "Keep all of mine",
  allTheirs: "Take all of theirs",
  apply: "Apply",
  later: "Later",
  field: (name: string) => `Film: ${name}`,
  differs: (paths: string) => `Differs in ${paths}`,
} as const;

export const VERSIONS = {
  title: "Versions",
  hint: "The film as it was. Restoring a version is a step that can be undone.",
  none: "There are no versions yet. One is kept for every few minutes of editing.",
  keepName: "Name of the version",
  keepPlaceholder: "Name the film as it is now",
  keep: "Keep",
  kept: "Version kept.",
  unnamed: "Edited",
  restore: "Restore",
  restoreOf: (name: string) => `Restore ${name}`,
  restored: "Version restored. Undo takes it back.",
} as const;

export const LAYOUT = {
  library: "Library",
  inspector: "Inspector",
  panels: "Panels",
  done: "Done",
  resizeLibrary: "Resize library",
  resizeInspector: "Resize inspector",
  resizeTimeline: "Resize timeline",
} as const;

export const OPEN = {
  expired: "This preview has expired",
  expiredHint: "Copies of previews last as long as the preview, unless they are saved as a project.",
  browse: "Browse templates",
  startNew: "New film",
  projects: "All projects",
} as const;
