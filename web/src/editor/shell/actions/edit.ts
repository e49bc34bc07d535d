/** Actions: history, clipboard, selection, nudges. */

import type { Action } from "@/editor/actions";
import { placeEdits } from "@/editor/model/clipboard";
import type { Editor } from "@/editor/model/editor";
import type { Edit } from "@/editor/model/edits";
import { endOf, type Overlay } from "@/editor/model/film";
import { groupEdits, groupOf, isOneGroup, ungroupEdits, withGroups } from "@/editor/model/groups";
import { copySelection, pasteClipboard } from "@/editor/shell/clipboard";
import { countName, STRINGS } from "@/editor/strings/shell";

const hasSelection = (editor: Editor) => editor.state.selection.length > 0;
const hasOverlays = (editor: Editor) => editor.state.film.overlays.length > 0;

/** Selected overlays that are not locked. */
const free = (editor: Editor) => editor.selected().filter(({ id }) => !editor.state.locked.includes(id));
const hasFree = (editor: Editor) => free(editor).length > 0;

function remove(editor: Editor, verb: string) {
  const gone = free(editor);
  editor.apply(
    gone.map(({ id }): Edit => ({ op: "remove", id })),
    { name: countName(verb, gone.length), select: [] },
  );
}

/** How far a copy lies from its original, in pixels of the film. */
const OFFSET = 24;

function duplicate(editor: Editor) {
  const copies = editor.selected().map((overlay) => {
    const { left, top } = overlay;
    const isPlaced = typeof left === "number" && typeof top === "number" && overlay.type !== "sound";
    return isPlaced ? { ...overlay, left: left + OFFSET, top: top + OFFSET } : overlay;
  });
  const { edits, ids } = placeEdits(editor.state.film, copies as Overlay[]);
  editor.apply(edits, { name: countName("Duplicate", ids.length), select: ids });
}

/** In the order they lie on the timeline. */
const inOrder = (editor: Editor) =>
  [...editor.state.film.overlays].sort((a, b) => a.from - b.from || a.row - b.row || a.id - b.id);

function selectNext(editor: Editor, by: 1 | -1) {
  const overlays = inOrder(editor);
  const at = overlays.findIndex(({ id }) => id === editor.state.selection.at(-1));
  const next = overlays[at < 0 ? (by > 0 ? 0 : overlays.length - 1) : (at + by + overlays.length) % overlays.length];
  if (!next) return;
  editor.select(withGroups(editor.state.film, [next.id]));
  if (editor.state.frame < next.from || editor.state.frame >= endOf(next)) editor.seek(next.from);
}

function nudge(editor: Editor, x: number, y: number) {
  const edits = free(editor).flatMap((overlay): Edit[] => [
    ...(x ? [{ op: "set" as const, id: overlay.id, path: "left", value: Number(overlay["left"] ?? 0) + x }] : []),
    ...(y ? [{ op: "set" as const, id: overlay.id, path: "top", value: Number(overlay["top"] ?? 0) + y }] : []),
  ]);
  editor.apply(edits, { name: "Nudge", gesture: `nudge ${editor.state.selection.join()}` });
}

const nudges = (
  [
    ["Left", -1, 0],
    ["Right", 1, 0],
    ["Up", 0, -1],
    ["Down", 0, 1],
  ] as const
).flatMap(([side, x, y]): Action[] =>
  [1, 10].map((step) => ({
    id: `edit.nudge${side}${step === 1 ? "" : step}`,
    label: `Nudge ${side.toLowerCase()}${step === 1 ? "" : ` ${step} pixels`}`,
    group: "Arrange",
    keys: [`${step === 1 ? "" : "Shift+"}Arrow${side}`],
    region: "Canvas",
    repeats: true,
    enabled: hasFree,
    run: (editor) => nudge(editor, x * step, y * step),
  })),
);

export const editActions: readonly Action[] = [
  {
    id: "edit.undo",
    label: "Undo",
    group: "Edit",
    keys: ["Mod+Z"],
    repeats: true,
    enabled: ({ state }) => state.step > 0,
    run: (editor) => editor.undo(),
  },
  {
    id: "edit.redo",
    label: "Redo",
    group: "Edit",
    keys: ["Mod+Shift+Z", "Mod+Y"],
    repeats: true,
    enabled: ({ state }) => state.step < state.steps.length - 1,
    run: (editor) => editor.redo(),
  },
  {
    id: "edit.cut",
    label: "Cut",
    group: "Edit",
    keys: ["Mod+X"],
    enabled: hasFree,
    run(editor) {
      copySelection(editor);
      remove(editor, "Cut");
    },
  },
  { id: "edit.copy", label: "Copy", group: "Edit", keys: ["Mod+C"], enabled: hasSelection, run: copySelection },
  {
    id: "edit.paste",
    label: "Paste",
    group: "Edit",
    keys: ["Mod+V"],
    isNative: true,
    run: (editor) => void pasteClipboard(editor),
  },
  { id: "edit.duplicate", label: "Duplicate", group: "Edit", keys: ["Mod+D"], enabled: hasSelection, run: duplicate },
  {
    id: "edit.delete",
    label: "Delete",
    group: "Edit",
    keys: ["Delete", "Backspace"],
    words: "remove",
    enabled: hasFree,
    run: (editor) => remove(editor, "Delete"),
  },
  {
    id: "edit.group",
    label: STRINGS.group,
    group: "Edit",
    keys: ["Mod+G"],
    words: "together link",
    enabled: (editor) => editor.state.selection.length > 1 && !isOneGroup(editor.selected()),
    run(editor) {
      const overlays = editor.selected();
      editor.apply(groupEdits(overlays), { name: countName(STRINGS.group, overlays.length) });
    },
  },
  {
    id: "edit.ungroup",
    label: STRINGS.ungroup,
    group: "Edit",
    keys: ["Mod+Shift+G"],
    words: "apart unlink",
    enabled: (editor) => editor.selected().some(groupOf),
    run: (editor) => editor.apply(ungroupEdits(editor.selected()), { name: STRINGS.ungroup }),
  },
  {
    id: "select.all",
    label: "Select all",
    group: "Select",
    keys: ["Mod+A"],
    enabled: hasOverlays,
    run: (editor) => editor.select(editor.state.film.overlays.map(({ id }) => id)),
  },
  {
    id: "select.none",
    label: "Select none",
    group: "Select",
    keys: ["Escape"],
    words: "deselect clear",
    enabled: hasSelection,
    run: (editor) => editor.select([]),
  },
  {
    id: "select.invert",
    label: "Invert selection",
    group: "Select",
    keys: ["Mod+Shift+I"],
    enabled: hasOverlays,
    run(editor) {
      const selected = new Set(editor.state.selection);
      editor.select(editor.state.film.overlays.flatMap(({ id }) => (selected.has(id) ? [] : id)));
    },
  },
  {
    id: "select.sameType",
    label: "Select all of the same type",
    group: "Select",
    enabled: hasSelection,
    run(editor) {
      const types = new Set(editor.selected().map(({ type }) => type));
      editor.select(editor.state.film.overlays.flatMap(({ id, type }) => (types.has(type) ? id : [])));
    },
  },
  {
    id: "select.atPlayhead",
    label: "Select everything at the playhead",
    group: "Select",
    enabled: hasOverlays,
    run(editor) {
      const { film, frame } = editor.state;
      editor.select(film.overlays.flatMap((each) => (each.from <= frame && frame < endOf(each) ? each.id : [])));
    },
  },
  {
    id: "select.next",
    label: "Select next overlay",
    group: "Select",
    keys: ["PageDown", "Alt+ArrowRight"],
    enabled: hasOverlays,
    run: (editor) => selectNext(editor, 1),
  },
  {
    id: "select.previous",
    label: "Select previous overlay",
    group: "Select",
    keys: ["PageUp", "Alt+ArrowLeft"],
    enabled: hasOverlays,
    run: (editor) => selectNext(editor, -1),
  },
  ...nudges,
];
