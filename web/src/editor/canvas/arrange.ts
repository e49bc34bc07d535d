/** Aligning, distributing and stacking overlays. */

import type { Editor } from "@/editor/model/editor";
import type { Edit } from "@/editor/model/edits";
import { endOf, type Overlay } from "@/editor/model/film";
import { groupOf } from "@/editor/model/groups";
import { STRINGS } from "@/editor/strings/canvas";
import { frameEdits, frameOf, isSeen } from "./boxes";
import { type Bounds, boundsOfBoxes } from "./geometry";
import { movable } from "./gestures";

export type Side = "left" | "centre" | "right" | "top" | "middle" | "bottom";

/** How far a thing moves so that its side lies on the same side of an area. */
const MOVES: Record<Side, (area: Bounds, one: Bounds) => readonly [number, number]> = {
  left: (area, one) => [area.left - one.left, 0],
  centre: (area, one) => [(area.left + area.right - one.left - one.right) / 2, 0],
  right: (area, one) => [area.right - one.right, 0],
  top: (area, one) => [0, area.top - one.top],
  middle: (area, one) => [0, (area.top + area.bottom - one.top - one.bottom) / 2],
  bottom: (area, one) => [0, area.bottom - one.bottom],
};

const moveEdits = (overlay: Overlay, dx: number, dy: number): Edit[] => {
  const frame = frameOf(overlay);
  return frameEdits(overlay, { ...frame, left: frame.left + dx, top: frame.top + dy });
};

/** What is arranged as one: a group, or an overlay that is in none. */
function units(overlays: readonly Overlay[]): { overlays: readonly Overlay[]; bounds: Bounds }[] {
  const byGroup = new Map<string | Overlay, Overlay[]>();
  for (const overlay of overlays) {
    const key = groupOf(overlay) ?? overlay;
    byGroup.set(key, [...(byGroup.get(key) ?? []), overlay]);
  }
  return [...byGroup.values()].map((list) => ({ overlays: list, bounds: boundsOfBoxes(list.map(frameOf)) }));
}

/** Aligns several overlays with each other, and one with the canvas. */
export function align(editor: Editor, side: Side) {
  const chosen = units(movable(editor));
  const { width, height } = editor.document();
  const area =
    chosen.length > 1 ? boundsOfBoxes(movable(editor).map(frameOf)) : { left: 0, top: 0, right: width, bottom: height };
  const edits = chosen.flatMap(({ overlays, bounds }) => {
    const [dx, dy] = MOVES[side](area, bounds);
    return overlays.flatMap((overlay) => moveEdits(overlay, dx, dy));
  });
  editor.apply(edits, { name: STRINGS.steps.align });
}

const AXES = { x: ["left", "right"], y: ["top", "bottom"] } as const;

/** Makes the distances between overlays equal. The first and the last stay. */
export function distribute(editor: Editor, axis: "x" | "y") {
  const [low, high] = AXES[axis];
  const placed = units(movable(editor)).sort((a, b) => a.bounds[low] + a.bounds[high] - b.bounds[low] - b.bounds[high]);
  const [first] = placed;
  const last = placed.at(-1);
  if (placed.length < 3 || !first || !last) return;
  const sizes = placed.reduce((sum, { bounds }) => sum + bounds[high] - bounds[low], 0);
  const space = (last.bounds[high] - first.bounds[low] - sizes) / (placed.length - 1);
  let at = first.bounds[low];
  const edits = placed.flatMap(({ overlays, bounds }) => {
    const move = at - bounds[low];
    at += bounds[high] - bounds[low] + space;
    return overlays.flatMap((overlay) => (axis === "x" ? moveEdits(overlay, move, 0) : moveEdits(overlay, 0, move)));
  });
  editor.apply(edits, { name: STRINGS.steps.distribute });
}

/** Gives an overlay the size of the canvas. */
export function fill(editor: Editor) {
  const { width, height } = editor.document();
  const edits = movable(editor).flatMap((overlay) =>
    frameEdits(overlay, { left: 0, top: 0, width, height, rotation: 0 }),
  );
  editor.apply(edits, { name: STRINGS.steps.fill });
}

const meets = (a: Overlay, b: Overlay) => a.from < endOf(b) && endOf(a) > b.from;

/**
 * Moves overlays one row to the front or the back. A lower row is in front. Overlays that are shown at the same time on the row
 * they move to change places with them.
 */
export function reorder(editor: Editor, towards: "forward" | "backward") {
  const by = towards === "forward" ? -1 : 1;
  const rows = new Map(editor.document().overlays.map((overlay) => [overlay, overlay.row]));
  const moved = [...movable(editor)].sort((a, b) => by * (b.row - a.row));
  for (const overlay of moved) {
    const from = rows.get(overlay) as number;
    const to = from + by;
    if (to < 0) continue;
    for (const [other, row] of rows)
      if (other !== overlay && row === to && meets(other, overlay)) rows.set(other, from);
    rows.set(overlay, to);
  }
  applyRows(editor, rows);
}

/** Moves overlays before or behind all that are shown at the same time. */
export function reorderFully(editor: Editor, towards: "front" | "back") {
  const { overlays } = editor.document();
  const chosen = new Set(movable(editor));
  const seen = overlays.filter((overlay) => isSeen(overlay) && !chosen.has(overlay));
  const beside = seen.filter((other) => [...chosen].some((overlay) => meets(overlay, other)));
  if (!beside.length || !chosen.size) return;
  const rows = new Map(overlays.map((overlay) => [overlay, overlay.row]));
  const least = Math.min(...[...chosen].map(({ row }) => row));
  const most = Math.max(...[...chosen].map(({ row }) => row));
  const edge = beside.map(({ row }) => row);
  const by = towards === "front" ? Math.min(...edge) - 1 - most : Math.max(...edge) + 1 - least;
  if ((towards === "front" && by >= 0) || (towards === "back" && by <= 0)) return;
  for (const overlay of chosen) rows.set(overlay, overlay.row + by);
  // Rows begin at 0: the others make room.
  const lack = -Math.min(0, ...rows.values());
  if (lack) for (const [overlay, row] of rows) rows.set(overlay, row + lack);
  applyRows(editor, rows);
}

function applyRows(editor: Editor, rows: ReadonlyMap<Overlay, number>) {
  const edits = [...rows].flatMap(([{ id, row }, value]): Edit[] =>
    row === value ? [] : [{ op: "set", id, path: "row", value }],
  );
  editor.apply(edits, { name: STRINGS.steps.order });
}
