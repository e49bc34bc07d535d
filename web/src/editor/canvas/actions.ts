/** The actions of the region "Canvas". */

import type { Action } from "@/editor/actions";
import type { Editor } from "@/editor/model/editor";
import { STRINGS } from "@/editor/strings/canvas";
import { align, distribute, fill, reorder, reorderFully, type Side } from "./arrange";
import { isSeen } from "./boxes";
import { movable } from "./gestures";
import { enterMode, hasInside } from "./modes";
import { fit, setGuides, view, zoomTo } from "./view";

const { actions: LABELS } = STRINGS;

const count = (editor: Editor) => movable(editor).length;
const some = (editor: Editor) => count(editor) > 0;
const several = (editor: Editor) => count(editor) > 2;

const SIDES: readonly (readonly [id: string, label: string, side: Side, keys: string])[] = [
  ["alignLeft", LABELS.alignLeft, "left", "Alt+A"],
  ["alignCentre", LABELS.alignCentre, "centre", "Alt+H"],
  ["alignRight", LABELS.alignRight, "right", "Alt+D"],
  ["alignTop", LABELS.alignTop, "top", "Alt+W"],
  ["alignMiddle", LABELS.alignMiddle, "middle", "Alt+V"],
  ["alignBottom", LABELS.alignBottom, "bottom", "Alt+S"],
];

const seenSelection = (editor: Editor) => editor.selected().filter(isSeen);

/** Locks or hides what is selected; if all of it is, takes that back. */
function toggleFlag(editor: Editor, flag: "locked" | "hidden") {
  const ids = seenSelection(editor).map(({ id }) => id);
  editor.flag(flag, ids, !ids.every((id) => editor.state[flag].includes(id)));
}

/** The one selected overlay that can be opened. */
function openable(editor: Editor): number | undefined {
  const [overlay, ...others] = movable(editor);
  return overlay && !others.length && hasInside(overlay) ? overlay.id : undefined;
}

const zoomBy = (factor: number) => zoomTo(view.getState().scale * factor);

export const actions: readonly Action[] = [
  ...SIDES.map(
    ([id, label, side, keys]): Action => ({
      id: `canvas.${id}`,
      label,
      group: "Arrange",
      keys: [keys],
      enabled: some,
      run: (editor) => align(editor, side),
    }),
  ),
  {
    id: "canvas.distributeX",
    label: LABELS.distributeX,
    group: "Arrange",
    keys: ["Alt+Shift+H"],
    words: "space evenly",
    enabled: several,
    run: (editor) => distribute(editor, "x"),
  },
  {
    id: "canvas.distributeY",
    label: LABELS.distributeY,
    group: "Arrange",
    keys: ["Alt+Shift+V"],
    words: "space evenly",
    enabled: several,
    run: (editor) => distribute(editor, "y"),
  },
  {
    id: "canvas.forward",
    label: LABELS.forward,
    group: "Arrange",
    keys: ["Mod+]", "]"],
    words: "layer order row up",
    enabled: some,
    run: (editor) => reorder(editor, "forward"),
  },
  {
    id: "canvas.backward",
    label: LABELS.backward,
    group: "Arrange",
    keys: ["Mod+[", "["],
    words: "layer order row down",
    enabled: some,
    run: (editor) => reorder(editor, "backward"),
  },
  {
    id: "canvas.toFront",
    label: LABELS.toFront,
    group: "Arrange",
    keys: ["Mod+Alt+]"],
    words: "layer order",
    enabled: some,
    run: (editor) => reorderFully(editor, "front"),
  },
  {
    id: "canvas.toBack",
    label: LABELS.toBack,
    group: "Arrange",
    keys: ["Mod+Alt+["],
    words: "layer order",
    enabled: some,
    run: (editor) => reorderFully(editor, "back"),
  },
  {
    id: "canvas.fill",
    label: LABELS.fill,
    group: "Arrange",
    words: "cover size full",
    enabled: some,
    run: fill,
  },
  {
    id: "canvas.lock",
    label: LABELS.lock,
    group: "Arrange",
    keys: ["Mod+Shift+L"],
    enabled: (editor) => seenSelection(editor).length > 0,
    run: (editor) => toggleFlag(editor, "locked"),
  },
  {
    id: "canvas.hide",
    label: LABELS.hide,
    group: "Arrange",
    keys: ["Mod+Shift+H"],
    enabled: (editor) => seenSelection(editor).length > 0,
    run: (editor) => toggleFlag(editor, "hidden"),
  },
  {
    id: "canvas.showAll",
    label: LABELS.showAll,
    group: "Arrange",
    enabled: ({ state }) => state.hidden.length + state.locked.length > 0,
    run: (editor) => {
      editor.flag("hidden", editor.state.hidden, false);
      editor.flag("locked", editor.state.locked, false);
    },
  },
  {
    id: "canvas.open",
    label: LABELS.open,
    group: "Edit",
    keys: ["Enter"],
    region: "Canvas",
    words: "crop position zoom write type",
    enabled: (editor) => openable(editor) !== undefined,
    run: (editor) => {
      const id = openable(editor);
      if (id !== undefined) enterMode(editor, id);
    },
  },
  {
    id: "canvas.zoomIn",
    label: LABELS.zoomIn,
    group: "View",
    keys: ["+", "Mod+=", "Mod++"],
    region: "Canvas",
    repeats: true,
    run: () => zoomBy(1.25),
  },
  {
    id: "canvas.zoomOut",
    label: LABELS.zoomOut,
    group: "View",
    keys: ["-", "Mod+-"],
    region: "Canvas",
    repeats: true,
    run: () => zoomBy(0.8),
  },
  { id: "canvas.zoomWhole", label: LABELS.zoomWhole, group: "View", keys: ["Shift+0"], run: () => zoomTo(1) },
  {
    id: "canvas.fit",
    label: LABELS.fit,
    group: "View",
    keys: ["Shift+1"],
    run: (editor) => fit(editor.document()),
  },
  {
    id: "canvas.rulers",
    label: LABELS.rulers,
    group: "View",
    keys: ["Alt+R"],
    run: () => setGuides({ rulers: !view.getState().rulers }),
  },
  {
    id: "canvas.grid",
    label: LABELS.grid,
    group: "View",
    keys: ["Mod+'"],
    run: () => setGuides({ grid: !view.getState().grid }),
  },
  {
    id: "canvas.snapping",
    label: LABELS.snapping,
    group: "View",
    keys: ["Mod+Shift+;"],
    run: () => setGuides({ snapping: !view.getState().snapping }),
  },
];
