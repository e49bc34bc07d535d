/** Images take long to paint the first time. They are painted once before they are due. */

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

interface Cold {
  src: string;
  frame: number;
}

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
    for (const src of this.warm) if (!used.has(src)) this.warm.delete(src);
    this.cold = [...used]
      .filter(([src]) => !this.warm.has(src))
      .map(([src, frame]) => ({ src, frame }))
      .sort((a, b) => a.frame - b.frame)
      .slice(0, MOST);
  }

  /** The next frame to paint, from one frame to another; null when there is none. */
  next(from: number, to: number): Cold | null {
    return this.cold.find(({ frame }) => frame >= from && frame < to) ?? null;
  }

  painted(image: Cold) {
    this.cold.splice(this.cold.indexOf(image), 1);
    this.warm.add(image.src);
  }
}
