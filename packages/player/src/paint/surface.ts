/** The canvas. Only what changed is put on it. */

import type { Box, Engine } from "./engine";

export type Percent = 100 | 50;

export class Surface {
  private readonly context: OffscreenCanvasRenderingContext2D;
  /** Parts that were painted and are not on the canvas yet, by size. */
  private pending = new Map<Percent, Box | null>();
  private shown: Percent | null = null;
  /** Frames painted so far. */
  paints = 0;

  constructor(
    private readonly canvas: OffscreenCanvas,
    private readonly engine: Engine,
  ) {
    const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
    if (!context) throw new Error("This browser has no canvas for workers.");
    this.context = context;
  }

  /** Paints a frame; it is not shown yet. */
  paint(frame: number, percent: Percent) {
    this.paints++;
    this.engine.paint(frame, percent);
    const box = this.engine.dirty();
    this.pending.set(percent, union(this.pending.get(percent) ?? null, box));
  }

  /** Everything is put on the canvas next time. */
  invalidate() {
    this.shown = null;
  }

  /** Shows the frame that was painted last. */
  show(percent: Percent) {
    const pixels = this.engine.pixels();
    const box = this.pending.get(percent);
    const same = this.shown === percent && this.fits(pixels.width, pixels.height);
    this.pending.set(percent, null);
    this.shown = percent;
    if (!same) this.resize(pixels.width, pixels.height);
    if (same && box) this.context.putImageData(pixels, 0, 0, box.x, box.y, box.width, box.height);
    else this.context.putImageData(pixels, 0, 0);
  }

  /** Shows a picture that the engine did not paint. */
  showPicture(picture: ImageBitmap) {
    this.resize(picture.width, picture.height);
    this.context.drawImage(picture, 0, 0);
    this.shown = null;
  }

  private fits(width: number, height: number) {
    return this.canvas.width === width && this.canvas.height === height;
  }

  private resize(width: number, height: number) {
    if (this.fits(width, height)) return;
    this.canvas.width = width;
    this.canvas.height = height;
  }
}

function union(a: Box | null, b: Box): Box {
  if (!a || a.width === 0 || a.height === 0) return b;
  if (b.width === 0 || b.height === 0) return a;
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const [right, bottom] = [Math.max(a.x + a.width, b.x + b.width), Math.max(a.y + a.height, b.y + b.height)];
  return { x, y, width: right - x, height: bottom - y };
}
