/** What the timeline does to a film, as edits. Nothing here knows of pointers or keys. */

import type { Edit } from "@/editor/model/edits";
import { endOf, type Film, freeId, type Json, type Overlay } from "@/editor/model/film";
import { regrouped } from "@/editor/model/groups";
import { limit, splitClip } from "./cut";
import { rowOf, tracksOf } from "./rows";

/** The edits that turn clips into others of the same ids: one for each field that differs. */
export function editsBetween(before: readonly Overlay[], after: readonly Overlay[]): Edit[] {
  return before.flatMap((clip, index) => {
    const next = after[index];
    if (!next || next === clip) return [];
    return [...new Set([...Object.keys(clip), ...Object.keys(next)])]
      .filter((field) => clip[field] !== next[field])
      .map((field): Edit => ({ op: "set", id: clip.id, path: field, value: next[field] }));
  });
}

export const byIds = (film: Film, ids: readonly number[]): Overlay[] => {
  const wanted = new Set(ids);
  return film.overlays.filter(({ id }) => wanted.has(id));
};

/** Clips moved together by frames and tracks, as far as the first frame and the tracks allow. */
export function moved(film: Film, clips: readonly Overlay[], frames: number, tracks: number): Overlay[] {
  if (!clips.length) return [];
  const { rows, byId } = tracksOf(film);
  const indexes = clips.map(({ id }) => byId.get(id)?.track ?? 0);
  const first = Math.min(...clips.map(({ from }) => from));
  const by = Math.max(Math.round(frames), Math.min(0, -first));
  const down = limit(Math.round(tracks), -Math.min(...indexes), rows.length - 1 - Math.max(...indexes));
  return clips.map((clip, index) => ({
    ...clip,
    from: clip.from + by,
    row: down ? (rows[(indexes[index] ?? 0) + down] ?? rowOf(clip)) : clip.row,
  }));
}

/** Cuts clips in two at a frame; the second parts are new overlays, right after the first ones. */
export function split(film: Film, clips: readonly Overlay[], frame: number): { edits: Edit[]; made: number[] } {
  let id = freeId(film.overlays);
  const parted = clips
    .filter((clip) => clip.from < frame && frame < endOf(clip))
    .map((clip) => ({ clip, parts: splitClip(clip, frame, film.fps) }));
  // The second parts of a group are a group of their own.
  const added = regrouped(parted.map(({ parts: [, second] }) => ({ id: id++, ...second }) as Overlay));
  const edits = parted.flatMap(({ clip, parts: [first] }, index): Edit[] => [
    ...editsBetween([clip], [first]),
    { op: "add", overlay: added[index] as Overlay, index: indexIn(film, clip) + 1 + index },
  ]);
  return { edits, made: added.map((overlay) => overlay.id) };
}

const indexIn = (film: Film, clip: Overlay) => film.overlays.indexOf(clip);

export const remove = (clips: readonly Overlay[]): Edit[] => clips.map(({ id }) => ({ op: "remove", id }));

/** Removes clips and moves the later ones of their rows into the gaps. `stays` are not moved. */
export function rippleRemove(film: Film, clips: readonly Overlay[], stays: readonly number[] = []): Edit[] {
  const removed = new Set(clips.map(({ id }) => id));
  const shifts = film.overlays.map((clip) => {
    if (removed.has(clip.id) || stays.includes(clip.id)) return clip;
    const before = clips.filter(
      (gone) => rowOf(gone) === rowOf(clip) && gone.from < clip.from && endOf(gone) <= clip.from,
    );
    const by = union(before);
    return by ? { ...clip, from: clip.from - by } : clip;
  });
  return [...editsBetween(film.overlays, shifts), ...remove(clips)];
}

/** How many frames clips cover together. */
function union(clips: readonly Overlay[]): number {
  let covered = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const clip of clips.toSorted((left, right) => left.from - right.from)) {
    covered += Math.max(0, endOf(clip) - Math.max(until, clip.from));
    until = Math.max(until, endOf(clip));
  }
  return covered;
}

/** Moves the clips of rows together. The first clip of each row stays. */
export function closeGaps(film: Film, rows: readonly number[], stays: readonly number[] = []): Edit[] {
  return rows.flatMap((row) => {
    const clips = film.overlays
      .filter((clip) => rowOf(clip) === row && !stays.includes(clip.id))
      .sort((left, right) => left.from - right.from);
    let until = clips[0]?.from ?? 0;
    let by = 0;
    const closed = clips.map((clip) => {
      by += Math.max(0, clip.from - by - until);
      until = Math.max(until, endOf(clip) - by);
      return by ? { ...clip, from: clip.from - by } : clip;
    });
    return editsBetween(clips, closed);
  });
}

/** Copies of clips, right after them. Where the film would end before the copies start, they are in new rows in front instead. */
export function duplicate(film: Film, clips: readonly Overlay[]): { edits: Edit[]; made: number[] } {
  if (!clips.length) return { edits: [], made: [] };
  const start = Math.min(...clips.map(({ from }) => from));
  const end = Math.max(...clips.map(endOf));
  const fits = end < film.durationInFrames;
  const rows = [...new Set(clips.map(rowOf))].sort((left, right) => left - right);
  const front = rows[0] ?? 0;
  const edits = fits ? [] : insertRows(film, front, rows.length);
  let id = freeId(film.overlays);
  const made = regrouped(clips).map((clip) => {
    const overlay: Overlay = {
      ...clip,
      id: id++,
      from: fits ? clip.from + end - start : clip.from,
      row: fits ? clip.row : front + rows.indexOf(rowOf(clip)),
    };
    edits.push({ op: "add", overlay });
    return overlay.id;
  });
  return { edits, made };
}

/** Makes room for rows before a row. */
export const insertRows = (film: Film, before: number, count = 1): Edit[] =>
  editsBetween(
    film.overlays,
    film.overlays.map((clip) => (rowOf(clip) >= before ? { ...clip, row: rowOf(clip) + count } : clip)),
  );

/** Removes a row with its clips; the rows behind it move up. */
export function removeRow(film: Film, row: number): Edit[] {
  const clips = film.overlays.filter((clip) => rowOf(clip) === row);
  const others = film.overlays.filter((clip) => rowOf(clip) > row);
  return [
    ...remove(clips),
    ...editsBetween(
      others,
      others.map((clip) => ({ ...clip, row: rowOf(clip) - 1 })),
    ),
  ];
}

/** All overlays, with the track at one index moved to another; the tracks between make room. */
export function withTrackMoved(film: Film, from: number, to: number): Overlay[] {
  const { rows } = tracksOf(film);
  const order = rows.slice(0, -1);
  const [moving] = order.splice(from, 1);
  if (moving === undefined) return film.overlays;
  order.splice(limit(to, 0, order.length), 0, moving);
  const numbers = new Map(order.map((row, index) => [row, rows[index] ?? row]));
  return film.overlays.map((clip) => {
    const row = numbers.get(rowOf(clip)) ?? clip.row;
    return row === clip.row ? clip : { ...clip, row };
  });
}

/** Moves a track forward or back by one, if there is another. */
export function shiftTrack(film: Film, track: number, by: 1 | -1): Edit[] {
  const to = track + by;
  if (to < 0 || to > tracksOf(film).rows.length - 2) return [];
  return editsBetween(film.overlays, withTrackMoved(film, track, to));
}

/** The film's length, up to the end of the last clip. */
export function fitLength(film: Film): Edit[] {
  const end = Math.max(0, ...film.overlays.map(endOf));
  if (!end || end === film.durationInFrames) return [];
  return [{ op: "set", path: "durationInFrames", value: end }];
}

/** Adds an overlay of the library at a time and a row; with `insert`, in a new row there. The film grows if it ends too early. */
export function addItem(
  film: Film,
  item: { [key: string]: Json | undefined },
  at: { frame: number; row: number; insert: boolean },
): { edits: Edit[]; id: number; overlay: Overlay } {
  const id = freeId(film.overlays);
  const length = Number(item["durationInFrames"]);
  const overlay = {
    left: 0,
    top: 0,
    width: film.width,
    height: film.height,
    rotation: 0,
    ...item,
    id,
    type: String(item["type"]),
    from: Math.max(0, Math.round(at.frame)),
    durationInFrames: length > 0 ? Math.round(length) : Math.round(film.fps * 3),
    row: at.row,
  } as Overlay;
  const edits: Edit[] = at.insert ? insertRows(film, at.row) : [];
  edits.push({ op: "add", overlay });
  if (endOf(overlay) > film.durationInFrames)
    edits.push({ op: "set", path: "durationInFrames", value: endOf(overlay) });
  return { edits, id, overlay };
}
