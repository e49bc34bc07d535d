/** Pictures of films, painted by the player's engine in a player that nobody sees. */

import { loadPlayer } from "./load-player";
import { loadOwnFonts, withOwnFonts } from "./own-fonts";

/** What is used of the element. */
interface PlayerElement extends HTMLElement {
  composition: unknown;
  /** The exact pixels of a frame. */
  frame(frame: number): Promise<ImageData>;
}

let painter: Promise<PlayerElement> | null = null;
/** One film at a time: a picture waits for the one before it. */
let queue: Promise<unknown> = Promise.resolve();

async function start(): Promise<PlayerElement> {
  await loadPlayer();
  const element = document.createElement("rondo-player") as PlayerElement;
  element.setAttribute("aria-hidden", "true");
  element.tabIndex = -1;
  element.className = "pointer-events-none fixed top-0 left-0 size-px overflow-hidden opacity-0";
  document.body.append(element);
  return element;
}

/** Milliseconds without pictures after which the hidden player is ended. */
const IDLE = 30_000;
let idle: ReturnType<typeof setTimeout> | undefined;

/** Ends the hidden player. The next picture starts another one. */
export function stopPainter() {
  clearTimeout(idle);
  void painter?.then((element) => element.remove());
  painter = null;
}

/** The pixels of one frame of a film. */
export function paint(composition: unknown, frame: number): Promise<ImageData> {
  const picture = queue.then(async () => {
    clearTimeout(idle);
    idle = setTimeout(stopPainter, IDLE);
    painter ??= start();
    const [element] = await Promise.all([painter, loadOwnFonts()]);
    element.composition = withOwnFonts(composition);
    return element.frame(frame);
  });
  queue = picture.catch(() => undefined);
  return picture;
}

/** The frame as an address that images show, no larger than `most` pixels on its longer side. */
export async function pictureUrl(pixels: ImageData, most: number): Promise<string> {
  const scale = Math.min(1, most / Math.max(pixels.width, pixels.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(pixels.width * scale);
  canvas.height = Math.round(pixels.height * scale);
  const bitmap = await createImageBitmap(pixels);
  const context = canvas.getContext("2d");
  if (context) context.imageSmoothingQuality = "high";
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.toDataURL("image/webp", 0.9);
}
