/**
 * Groups: overlays that are selected together. The group of an overlay is `meta.group`: `meta` is a field of the format in which
 * editors keep what is theirs, and which renders leave out.
 */

import type { Edit } from "./edits";
import { type Film, type Overlay, valueAt, withValueAt } from "./film";

const PATH = "meta.group";

/** The name of an overlay's group. One overlay alone may have one: the others were deleted. */
export function groupOf(overlay: Overlay): string | undefined {
  const group = valueAt(overlay, PATH);
  return typeof group === "string" && group ? group : undefined;
}

/** A name that no group of any film has. */
function newGroup(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Ids with those of their groups. The given ones come last, in their order. */
export function withGroups(film: Film, ids: readonly number[]): readonly number[] {
  const given = new Set(ids);
  const groups = new Set<string>();
  for (const overlay of film.overlays) {
    const group = given.has(overlay.id) ? groupOf(overlay) : undefined;
    if (group) groups.add(group);
  }
  if (!groups.size) return ids;
  const others = film.overlays.filter((overlay) => !given.has(overlay.id) && groups.has(groupOf(overlay) ?? ""));
  return [...others.map(({ id }) => id), ...ids];
}

/** Ids without one, and without the rest of its group. */
export function withoutGroup(film: Film, ids: readonly number[], id: number): readonly number[] {
  const gone = new Set(withGroups(film, [id]));
  return ids.filter((each) => !gone.has(each));
}

/** Ids of overlays that share their group with another one. */
export function groupedIds(film: Film): ReadonlySet<number> {
  const known = groupedOf.get(film.overlays);
  if (known) return known;
  const byGroup = new Map<string, number[]>();
  for (const overlay of film.overlays) {
    const group = groupOf(overlay);
    if (group) byGroup.set(group, [...(byGroup.get(group) ?? []), overlay.id]);
  }
  const ids = new Set([...byGroup.values()].filter((members) => members.length > 1).flat());
  groupedOf.set(film.overlays, ids);
  return ids;
}

const groupedOf = new WeakMap<readonly Overlay[], ReadonlySet<number>>();

/** Whether overlays are one group already. */
export function isOneGroup(overlays: readonly Overlay[]): boolean {
  const [first, ...others] = overlays.map(groupOf);
  return first !== undefined && others.every((group) => group === first);
}

/** A `meta` of another editor that is no object is left alone. */
const canBeGrouped = ({ meta }: Overlay) =>
  meta === undefined || (typeof meta === "object" && meta !== null && !Array.isArray(meta));

/** Makes one group of overlays. Groups that some of them had lose those. */
export function groupEdits(overlays: readonly Overlay[]): Edit[] {
  const value = newGroup();
  return overlays.filter(canBeGrouped).map(({ id }) => ({ op: "set", id, path: PATH, value }));
}

/** Takes overlays out of their groups. A `meta` that held nothing else is removed with it. */
export function ungroupEdits(overlays: readonly Overlay[]): Edit[] {
  return overlays
    .filter((overlay) => groupOf(overlay) !== undefined)
    .map((overlay) => {
      const isAll = Object.keys(overlay["meta"] as object).length === 1;
      return { op: "set", id: overlay.id, path: isAll ? "meta" : PATH };
    });
}

/** Copies of overlays: a group of them becomes a group of its own. One copy alone is in none. */
export function regrouped<T extends Overlay>(copies: readonly T[]): T[] {
  const names = new Map<string, { name: string; members: number }>();
  for (const copy of copies) {
    const group = groupOf(copy);
    if (!group) continue;
    const known = names.get(group);
    names.set(group, { name: known?.name ?? newGroup(), members: (known?.members ?? 0) + 1 });
  }
  return copies.map((copy) => {
    const renamed = names.get(groupOf(copy) ?? "");
    if (!renamed) return copy;
    if (renamed.members > 1) return withValueAt(copy, PATH, renamed.name);
    const isAll = Object.keys(copy["meta"] as object).length === 1;
    return withValueAt(copy, isAll ? "meta" : PATH, undefined);
  });
}
