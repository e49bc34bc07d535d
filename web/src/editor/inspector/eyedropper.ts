/** Takes a colour from the screen where the browser can, else from the canvas. */

import type { Editor } from "@/editor/model/editor";
import { applyEdits } from "@/editor/model/edits";
import type { Json } from "@/editor/model/film";
import { currentPlayer } from "@/editor/player";
import { COLOR } from "@/editor/strings/inspector";
import { toHex } from "./css/color";
import { paintTile } from "./tiles";

interface EyeDropper {
  open(): Promise<{ sRGBHex: string }>;
}

/** The picked colour, null if people stopped. */
export async function pickColor(editor: Editor): Promise<string | null> {
  const Dropper = (window as { EyeDropper?: new () => EyeDropper }).EyeDropper;
  if (!Dropper) return pickFromCanvas(editor);
  try {
    const { sRGBHex } = await new Dropper().open();
    return toHex(sRGBHex);
  } catch {
    return null;
  }
}

/**
 * The colour where people click on the player's picture, from the exact pixels of the frame. `without` is a field of the selection that
 * is left out of these pixels: a green screen would have taken the colour away.
 */
export async function pickFromCanvas(editor: Editor, without?: string): Promise<string | null> {
  const player = currentPlayer();
  if (!player) return null;
  const { frame, film, selection } = editor.state;
  const bare = applyEdits(film, without ? selection.map((id) => ({ op: "set", id, path: without })) : []);
  const picture = without
    ? paintTile({ composition: bare as Json, still: frame, frames: [] }, frame, new AbortController().signal)
    : player.frame(frame);
  const at = await nextClick(player);
  const image = await picture;
  if (!at || !image) return null;
  const x = Math.min(image.width - 1, Math.floor(at.x * image.width));
  const y = Math.min(image.height - 1, Math.floor(at.y * image.height));
  const [red = 0, green = 0, blue = 0] = image.data.slice((y * image.width + x) * 4);
  return toHex(`rgb(${red}, ${green}, ${blue})`);
}

/** Where the next click hits an element, from 0 to 1; null after Escape or a click beside it. */
function nextClick(element: HTMLElement): Promise<{ x: number; y: number } | null> {
  return new Promise((resolve) => {
    const hint = document.createElement("p");
    hint.role = "status";
    hint.textContent = COLOR.clickCanvas;
    hint.className =
      "fixed top-3 left-1/2 z-50 -translate-x-1/2 rounded-lg border bg-surface px-3 py-2 text-[13px] shadow-float";
    document.body.append(hint);
    document.body.style.cursor = "crosshair";
    const end = (result: { x: number; y: number } | null) => {
      window.removeEventListener("pointerdown", onPointer, true);
      window.removeEventListener("click", onClick, true);
      window.removeEventListener("keydown", onKey, true);
      document.body.style.cursor = "";
      hint.remove();
      resolve(result);
    };
    const onPointer = (event: PointerEvent) => {
      event.preventDefault();
      event.stopPropagation();
    };
    const onClick = (event: MouseEvent) => {
      event.preventDefault();
      event.stopPropagation();
      const box = element.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width;
      const y = (event.clientY - box.top) / box.height;
      end(x >= 0 && x < 1 && y >= 0 && y < 1 ? { x, y } : null);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      end(null);
    };
    window.addEventListener("pointerdown", onPointer, true);
    window.addEventListener("click", onClick, true);
    window.addEventListener("keydown", onKey, true);
  });
}
