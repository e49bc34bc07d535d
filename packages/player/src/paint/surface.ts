/** The canvas. Only what changed is put on it. */

import type { Box, Engine } from "./engine";

export type Percent = 100 | 50;

/** Parts put on the canvas one by one; more are joined. */
const MOST_BOXES = 12;

export class Surface {
  private readonly context: OffscreenCanvasRenderingContext2D;
  /** Parts that were painted and are not on the canvas yet, by size. They differ from the frame painted before, of any film. */
  private pending: Record<Percent, Box[]> = { 100: [], 50: [] };
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
    const boxes = [...this.pending[percent], ...this.engine.dirty()];
    this.pending[percent] = boxes.length > MOST_BOXES ? [around(boxes)] : boxes;
  }

  /** Shows the frame that was painted last. */
  show(percent: Percent) {
    const pixels = this.engine.pixels();
    const boxes = this.pending[percent];
    const same = this.shown === percent && this.fits(pixels.width, pixels.height);
    this.pending[percent] = [];
    this.shown = percent;
    if (!same) this.resize(pixels.width, pixels.height);
    if (!same) this.context.putImageData(pixels, 0, 0);
    else for (const { x, y, width, height } of boxes) this.context.putImageData(pixels, 0, 0, x, y, width, height);
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

/** The smallest box around others. */
function around(boxes: Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
