/** Which overlays are at a point. */

import type { Editor } from "@/editor/model/editor";
import type { Film } from "@/editor/model/film";
import { currentPlayer, type Point } from "@/editor/player";
import { isFree, isShownAt, stacked } from "./boxes";
import { isInside } from "./geometry";
import { quadFor, view } from "./view";

/** Milliseconds the engine has to answer before outlines decide. */
const PATIENCE = 120;

/** Ids of the overlays at a point that can be selected, topmost first. */
export async function overlaysAt(editor: Editor, point: Point): Promise<number[]> {
  const ids = (await paintedAt(point)) ?? outlinesAt(editor, point);
  // Particles cover the canvas: what lies beneath them is meant.
  const effects = new Set(editor.document().overlays.flatMap(({ id, type }) => (type === "effect" ? [id] : [])));
  const free = ids.filter((id) => isFree(editor, id));
  return [...free.filter((id) => !effects.has(id)), ...free.filter((id) => effects.has(id))];
}

async function paintedAt([x, y]: Point): Promise<number[] | null> {
  const player = currentPlayer();
  if (!player?.paused) return null;
  const { overlays } = player.composition as Film;
  const late = new Promise<null>((done) => setTimeout(() => done(null), PATIENCE));
  try {
    const hits = await Promise.race([player.hit(x, y), late]);
    return hits?.flatMap((index) => overlays[index]?.id ?? []) ?? null;
  } catch {
    return null;
  }
}

/** When the word of captions at a point is said, in milliseconds of the overlay; null if it is not known. */
export async function saidAt(id: number, [x, y]: Point): Promise<number | null> {
  const player = currentPlayer();
  const index = (player?.composition as Film | undefined)?.overlays.findIndex((overlay) => overlay.id === id) ?? -1;
  if (!player?.paused || index < 0) return null;
  const late = new Promise<null>((done) => setTimeout(() => done(null), PATIENCE));
  try {
    return await Promise.race([player.said(index, x, y), late]);
  } catch {
    return null;
  }
}

/** Ids of overlays whose outline holds a point: for a film that plays, or that cannot be painted. */
function outlinesAt(editor: Editor, point: Point): number[] {
  const { film, frame } = editor.state;
  const { painted } = view.getState();
  return stacked(film)
    .filter((overlay) => isShownAt(overlay, frame) && isInside(point, quadFor(overlay, painted)))
    .map(({ id }) => id)
    .reverse();
}
