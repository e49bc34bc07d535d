/** Draws the media of a clip on a canvas: a waveform, pictures side by side. */

import type { Overlay } from "@/editor/model/film";
import { inPointOf, speedOf } from "@/editor/timeline/cut";
import { PEAKS_A_SECOND, peaksOf } from "./peaks";
import { frameAtHand, frameOf, imageOf } from "./pictures";

/** The part of a clip that is drawn, in pixels from its start. */
export interface Part {
  start: number;
  width: number;
  height: number;
  /** Pixels a frame. */
  zoom: number;
  fps: number;
}

type Draw = (canvas: CanvasRenderingContext2D) => void;

export const isDrawn = (clip: Overlay) =>
  ["image", "video", "sound"].includes(clip.type) && typeof clip["src"] === "string" && clip["src"] !== "";

/** Draws, and draws again when more of the media is at hand. Stops when the returned function is called. */
export function drawMedia(clip: Overlay, part: Part, draw: (paint: Draw) => void): () => void {
  let stopped = false;
  const show = (paint: Draw) => {
    if (!stopped) draw(paint);
  };
  const address = addressOf(String(clip["src"]));
  if (clip.type === "sound") void drawSound(address, clip, part, show);
  else if (clip.type === "image") void drawImage(address, part, show);
  else void drawVideo(address, clip, part, show, () => stopped);
  return () => {
    stopped = true;
  };
}

/** Compositions may name files relative to the service. */
const addressOf = (src: string) => new URL(src, location.origin).href;

async function drawSound(address: string, clip: Overlay, part: Part, show: (paint: Draw) => void) {
  const peaks = await peaksOf(address);
  if (!peaks) return;
  show((canvas) => {
    const middle = part.height / 2;
    const reach = middle - 2;
    const perPixel = ((speedOf(clip) / part.fps) * PEAKS_A_SECOND) / part.zoom;
    const first = inPointOf(clip) * PEAKS_A_SECOND + part.start * perPixel;
    canvas.beginPath();
    for (let x = 0; x < part.width; x += 2) {
      const from = Math.floor(first + x * perPixel);
      const until = Math.max(from + 1, Math.floor(first + (x + 2) * perPixel));
      // Of many values in a pixel a few are enough: the wave looks the same.
      const stride = Math.max(1, Math.floor((until - from) / 24));
      let most = 0;
      for (let at = from; at < until; at += stride) most = Math.max(most, peaks[at] ?? 0);
      // Quiet sounds are drawn higher than they are, as ears hear them.
      const half = Math.max(0.5, (most / 255) ** 0.6 * reach);
      canvas.rect(x, middle - half, 1.25, half * 2);
    }
    canvas.fill();
  });
}

async function drawImage(address: string, part: Part, show: (paint: Draw) => void) {
  const image = await imageOf(address);
  if (!image) return;
  show((canvas) => {
    const width = tileWidth(image.naturalWidth / image.naturalHeight, part.height);
    for (let x = -(part.start % width); x < part.width; x += width)
      cover(canvas, image, image.naturalWidth, image.naturalHeight, x, width, part.height);
  });
}

async function drawVideo(
  address: string,
  clip: Overlay,
  part: Part,
  show: (paint: Draw) => void,
  isStopped: () => boolean,
) {
  const width = tileWidth(16 / 9, part.height);
  const seconds = speedOf(clip) / (part.fps * part.zoom);
  // Times are rounded to steps of 2, 1, 1/2, 1/4 … seconds, so that another zoom finds the same pictures again.
  const step = 2 ** Math.floor(Math.log2(Math.max(1 / 16, width * seconds)));
  const first = Math.floor(part.start / width);
  const tiles = Array.from({ length: Math.ceil(((part.start % width) + part.width) / width) }, (_, index) => {
    const at = (first + index) * width;
    return { x: at - part.start, time: Math.floor((inPointOf(clip) + at * seconds) / step) * step };
  });
  const paint = () =>
    show((canvas) => {
      for (const { x, time } of tiles) {
        const frame = frameAtHand(address, time);
        if (frame) cover(canvas, frame, frame.width, frame.height, x, width, part.height);
      }
    });
  paint();
  for (const { time } of tiles) {
    if (isStopped()) return;
    if (frameAtHand(address, time)) continue;
    if (!(await frameOf(address, time))) return;
    paint();
  }
}

const tileWidth = (ratio: number, height: number) => Math.round(Math.max(0.5, Math.min(ratio, 2.4)) * height);

/** Fills a tile with a picture, cut to the tile's shape. */
function cover(
  canvas: CanvasRenderingContext2D,
  picture: CanvasImageSource,
  width: number,
  height: number,
  x: number,
  tileWidth: number,
  tileHeight: number,
) {
  const scale = Math.max(tileWidth / width, tileHeight / height);
  const [w, h] = [tileWidth / scale, tileHeight / scale];
  canvas.drawImage(picture, (width - w) / 2, (height - h) / 2, w, h, x, 0, tileWidth, tileHeight);
}
