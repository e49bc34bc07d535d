/** A film as the editor holds it: the JSON of its composition, never changed in place, unknown fields kept. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined };

/** The fields of an overlay that the editor itself reads. The rest are kept as they are. */
export interface Overlay {
  [key: string]: Json | undefined;
  /** Unique in an open film. */
  id: number;
  type: string;
  from: number;
  durationInFrames: number;
  row: number;
}

export interface Film {
  [key: string]: Json | undefined | Overlay[];
  overlays: Overlay[];
  durationInFrames: number;
  fps: number;
  width: number;
  height: number;
}

const DEFAULTS = { durationInFrames: 150, fps: 30, width: 1920, height: 1080 } as const;

/** A composition as it was stored, ready to be edited: sizes and ids that are absent are filled in. */
export function openFilm(stored: unknown): Film {
  const source = (stored ?? {}) as Partial<Film>;
  const overlays = Array.isArray(source.overlays) ? source.overlays : [];
  const isReady =
    source.overlays === overlays &&
    hasOwnIds(overlays) &&
    [source.durationInFrames, source.fps, source.width, source.height].every((value) => typeof value === "number");
  if (isReady) return source as Film;
  const filled = Object.entries(DEFAULTS).filter(([field]) => typeof source[field] !== "number");
  return { ...source, overlays: withOwnIds(overlays), ...Object.fromEntries(filled) } as Film;
}

/** The film as it is stored: sizes that were absent, and still are as they were filled in, are left out. */
export function closeFilm(film: Film, opened: unknown): Film {
  const source = (opened ?? {}) as Partial<Film>;
  const filled = Object.entries(DEFAULTS).filter(([field, value]) => !(field in source) && film[field] === value);
  if (!filled.length) return film;
  const closed: Partial<Film> = { ...film };
  for (const [field] of filled) delete closed[field];
  return closed as Film;
}

const hasOwnIds = (overlays: Overlay[]) =>
  overlays.every((overlay) => typeof overlay.id === "number") &&
  new Set(overlays.map((overlay) => overlay.id)).size === overlays.length;

/** Gives a number to overlays whose id is missing, a string, or another overlay's. */
function withOwnIds(overlays: Overlay[]): Overlay[] {
  if (hasOwnIds(overlays)) return overlays;
  const taken = new Set<number>();
  let next = freeId(overlays);
  return overlays.map((overlay) => {
    const given = typeof overlay.id === "string" ? Number(overlay.id) : overlay.id;
    const id = Number.isFinite(given) && !taken.has(given) ? given : next++;
    taken.add(id);
    return id === overlay.id ? overlay : { ...overlay, id };
  });
}

/** The smallest number above every id. */
export function freeId(overlays: readonly Overlay[]): number {
  let most = 0;
  for (const { id } of overlays) if (Number(id) > most) most = Math.floor(Number(id));
  return most + 1;
}

export const findOverlay = (film: Film, id: number): Overlay | undefined =>
  film.overlays.find((overlay) => overlay.id === id);

/** The frame after the last one of an overlay. */
export const endOf = (overlay: Overlay) => overlay.from + overlay.durationInFrames;

/** The steps of a path such as `captions[2].text`. */
export function stepsOf(path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g))
    steps.push(name === undefined ? Number(index) : name);
  return steps;
}

/** The value at a path, undefined if there is none. */
export function valueAt(from: Json | undefined, path: string): Json | undefined {
  let value = from;
  for (const step of stepsOf(path)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string | number, Json | undefined>)[step];
  }
  return value;
}

/** A copy with another value at a path; without a value, the field is taken out. Keys keep their order. */
export function withValueAt<T extends Json>(from: T, path: string, value: Json | undefined): T {
  return place(from, stepsOf(path), value) as T;
}

function place(from: Json | undefined, steps: (string | number)[], value: Json | undefined): Json | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list = Array.isArray(from) ? [...from] : [];
    const next = place(list[step], rest, value);
    if (next === undefined) list.splice(step, 1);
    else list[Math.min(step, list.length)] = next;
    return list;
  }
  const object = typeof from === "object" && from !== null && !Array.isArray(from) ? from : {};
  const next = place(object[step], rest, value);
  if (next !== undefined) return { ...object, [step]: next };
  const { [step]: _, ...others } = object;
  return others;
}
