/** Which overlays are at a point. */

import type { Editor } from "@/editor/model/editor";
import { currentPlayer, type Point } from "@/editor/player";
import { isFree, isShownAt, stacked } from "./boxes";
import { isInside } from "./geometry";
import { quadFor, view } from "./view";

/** Milliseconds the engine has to answer before boxes decide. */
const PATIENCE = 120;

/** Ids of overlays whose outline holds a point, topmost first. */
export function outlinesAt(editor: Editor, point: Point): number[] {
  const { film, frame } = editor.state;
  const { painted } = view.getState();
  return stacked(film)
    .filter((overlay) => isShownAt(overlay, frame) && isInside(point, quadFor(overlay, painted)))
    .map(({ id }) => id)
    .reverse();
}

/** Ids of overlays at a point, topmost first: those painted there, then those whose outline holds it. */
export async function overlaysAt(editor: Editor, point: Point): Promise<number[]> {
  const outlined = outlinesAt(editor, point);
  const painted = await paintedAt(point);
  const isReachable = (id: number) => isFree(editor, id);
  if (!painted) return outlined.filter(isReachable);
  // A layer of particles covers the canvas; only its particles count.
  const effects = new Set(editor.document().overlays.flatMap(({ id, type }) => (type === "effect" ? [id] : [])));
  const others = outlined.filter((id) => !painted.includes(id) && !effects.has(id));
  return [...painted, ...others].filter(isReachable);
}

async function paintedAt([x, y]: Point): Promise<number[] | null> {
  const player = currentPlayer();
  if (!player?.hit || !player.paused) return null;
  const late = new Promise<null>((done) => setTimeout(() => done(null), PATIENCE));
  return Promise.race([player.hit(x, y).catch(() => null), late]);
}
