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

/** A composition as it was stored, ready to be edited: absent sizes stay absent in `stored`, and are filled in for the editor. */
export function openFilm(stored: unknown): Film {
  const source = (stored ?? {}) as Partial<Film>;
  const overlays = Array.isArray(source.overlays) ? source.overlays : [];
  const isReady =
    source.overlays === overlays &&
    hasOwnIds(overlays) &&
    [source.durationInFrames, source.fps, source.width, source.height].every((value) => typeof value === "number");
  if (isReady) return source as Film;
  return {
    ...source,
    overlays: withOwnIds(overlays),
    durationInFrames: source.durationInFrames ?? 150,
    fps: source.fps ?? 30,
    width: source.width ?? 1920,
    height: source.height ?? 1080,
  };
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
