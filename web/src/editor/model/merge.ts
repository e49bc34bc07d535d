/**
 * Brings together two changes of the same film: ours and theirs, both made from `base`. What one side changed is taken; what both
 * changed stays as ours and is reported. Nothing of either side is lost silently.
 */

import { type Film, freeId, type Json, type Overlay } from "./film";

/** An overlay or a field of the film that both sides changed. An absent value was deleted there. */
export interface Conflict {
  /** "overlay 12" or "field width". */
  key: string;
  id?: number;
  field?: string;
  ours: Json | undefined;
  theirs: Json | undefined;
}

export interface Merged {
  film: Film;
  conflicts: Conflict[];
}

export function mergeFilms(base: Film, ours: Film, theirs: Film): Merged {
  if (ours === theirs || sameFilm(theirs, base)) return { film: ours, conflicts: [] };
  const conflicts: Conflict[] = [];
  const overlays = mergeOverlays(base.overlays, ours.overlays, theirs.overlays, conflicts);
  const film: Film = { ...ours, overlays };
  for (const field of new Set([...Object.keys(ours), ...Object.keys(theirs), ...Object.keys(base)])) {
    if (field === "overlays") continue;
    const [was, mine, other] = [base[field], ours[field], theirs[field]] as (Json | undefined)[];
    if (sameJson(mine, other) || sameJson(other, was)) continue;
    if (!sameJson(mine, was)) conflicts.push({ key: `field ${field}`, field, ours: mine, theirs: other });
    else if (other === undefined) delete film[field];
    else film[field] = other;
  }
  return { film, conflicts };
}

function mergeOverlays(base: Overlay[], ours: Overlay[], theirs: Overlay[], conflicts: Conflict[]): Overlay[] {
  const [was, other] = [byId(base), byId(theirs)];
  // Both sides give new overlays the next free number: ours moves on, and both are kept.
  const mine = byId(ours);
  let free = freeId([...base, ...ours, ...theirs]);
  const moved: Overlay[] = [];
  for (const [id, overlay] of mine) {
    const same = other.get(id);
    if (was.has(id) || !same || sameJson(same, overlay)) continue;
    mine.set(id, same);
    moved.push({ ...overlay, id: free++ });
  }
  const kept = (id: number): Overlay | undefined => {
    const [old, left, right] = [was.get(id), mine.get(id), other.get(id)];
    if (sameJson(left, right) || sameJson(right, old)) return left;
    if (sameJson(left, old)) return right;
    conflicts.push({ key: `overlay ${id}`, id, ours: left, theirs: right });
    return left;
  };
  const order = mergeOrder([...was.keys()], [...mine.keys()], [...other.keys()]);
  return [...order.flatMap((id) => kept(id) ?? []), ...moved];
}

/** Ids of both sides, in the order of the side that changed it; those of the other side follow what they followed there. */
function mergeOrder(base: number[], ours: number[], theirs: number[]): number[] {
  const common = (list: number[], with1: Set<number>, with2: Set<number>) =>
    list.filter((id) => with1.has(id) && with2.has(id));
  const [inBase, inOurs, inTheirs] = [new Set(base), new Set(ours), new Set(theirs)];
  const reordered = common(ours, inBase, inTheirs).join() !== common(base, inOurs, inTheirs).join();
  const [first, second] = reordered ? [ours, theirs] : [theirs, ours];
  const order = [...first];
  const present = new Set(order);
  second.forEach((id, index) => {
    if (present.has(id)) return;
    const before = second.slice(0, index).findLast((each) => present.has(each));
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id);
    present.add(id);
  });
  return order;
}

/** The film with the other side's value where that was chosen. */
export function resolveConflicts(film: Film, conflicts: readonly Conflict[], takeTheirs: ReadonlySet<string>): Film {
  let next = film;
  for (const { key, id, field, theirs } of conflicts) {
    if (!takeTheirs.has(key)) continue;
    if (field !== undefined) {
      const { [field]: _, ...others } = next;
      next = (theirs === undefined ? others : { ...next, [field]: theirs }) as Film;
      continue;
    }
    const index = next.overlays.findIndex((overlay) => overlay.id === id);
    const overlays = [...next.overlays];
    if (theirs === undefined) {
      if (index >= 0) overlays.splice(index, 1);
    } else overlays.splice(index < 0 ? overlays.length : index, index < 0 ? 0 : 1, theirs as Overlay);
    next = { ...next, overlays };
  }
  return next;
}

const byId = (overlays: readonly Overlay[]) => new Map(overlays.map((overlay) => [overlay.id, overlay]));

/** Whether two values are the same JSON. The order of keys does not matter; shared parts are equal at once. */
export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right))
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((value, index) => sameJson(value, right[index]))
    );
  const keys = Object.keys(left).filter((key) => left[key] !== undefined);
  const others = Object.keys(right).filter((key) => right[key] !== undefined);
  return keys.length === others.length && keys.every((key) => sameJson(left[key], right[key]));
}

export const sameFilm = (left: Film, right: Film) => sameJson(left as Json, right as Json);

/** The paths at which two values differ, at most `most` of them. */
export function differences(left: Json | undefined, right: Json | undefined, most = 8): string[] {
  const found: string[] = [];
  const visit = (one: Json | undefined, two: Json | undefined, path: string) => {
    if (found.length >= most || sameJson(one, two)) return;
    const isObject = (value: Json | undefined): value is Record<string, Json | undefined> =>
      typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isObject(one) || !isObject(two)) {
      found.push(path);
      return;
    }
    for (const key of new Set([...Object.keys(one), ...Object.keys(two)]))
      visit(one[key], two[key], path ? `${path}.${key}` : key);
  };
  visit(left, right, "");
  return found;
}
