/** Images take long to paint the first time. They are painted once at each size before they are due. */

import type { Percent } from "./surface";

/** Frames after an image comes in: most animations have ended. */
const LATER = 15;
/** Images that are painted ahead for one film. */
const MOST = 12;

interface Overlay {
  type?: unknown;
  src?: unknown;
  from?: unknown;
  durationInFrames?: unknown;
}

export interface Cold {
  src: string;
  frame: number;
  percent: Percent;
}

const nameOf = (src: string, percent: Percent) => `${percent} ${src}`;

export class Warmth {
  private warm = new Set<string>();
  private cold: Cold[] = [];

  /** Takes note of the images of a film; those that were painted before stay warm. */
  setFilm(overlays: Overlay[], frames: number) {
    const used = new Map<string, number>();
    for (const { type, src, from, durationInFrames } of overlays) {
      if (type !== "image" || typeof src !== "string" || typeof from !== "number") continue;
      const length = typeof durationInFrames === "number" ? durationInFrames : 1;
      const frame = Math.round(from + Math.min(LATER, length / 2));
      if (frame >= 0 && frame < frames && frame < (used.get(src) ?? Infinity)) used.set(src, frame);
    }
    const sizes: Percent[] = [100, 50];
    const all = sizes.flatMap((percent) =>
      [...used]
        .map(([src, frame]) => ({ src, frame, percent }))
        .sort((a, b) => a.frame - b.frame)
        .slice(0, MOST),
    );
    const warm = new Set(all.map(({ src, percent }) => nameOf(src, percent)));
    for (const name of this.warm) if (!warm.has(name)) this.warm.delete(name);
    this.cold = all.filter(({ src, percent }) => !this.warm.has(nameOf(src, percent)));
  }

  /** The next frame to paint, from one frame to another, at one size or at any, but none of `tried`; null when there is none. */
  next(from: number, to: number, tried: ReadonlySet<Cold>, percent?: Percent): Cold | null {
    const fits = (image: Cold) =>
      image.frame >= from && image.frame < to && image.percent === (percent ?? image.percent) && !tried.has(image);
    return this.cold.find(fits) ?? null;
  }

  /** The images to paint from one frame to another, at any size. */
  within(from: number, to: number): Set<string> {
    return new Set(this.cold.filter(({ frame }) => frame >= from && frame < to).map(({ src }) => src));
  }

  painted(image: Cold) {
    this.cold.splice(this.cold.indexOf(image), 1);
    this.warm.add(nameOf(image.src, image.percent));
  }
}
