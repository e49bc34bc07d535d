/** Building compositions in code. */

import type { ShapeName, StickerName } from "./names.gen.js";
import type {
  CaptionOverlay,
  Composition,
  EffectOverlay,
  ImageOverlay,
  Overlay,
  ShapeOverlay,
  SoundOverlay,
  StickerOverlay,
  TextOverlay,
  VideoOverlay,
} from "./types.js";

/** The fields of an overlay besides its type and main value, all of them optional. */
export type Fields<O, Main extends keyof O> = Partial<Omit<O, "type" | Main>>;

export interface FilmOptions extends Omit<Composition, "overlays" | "durationInFrames"> {
  /** Length in frames. Default: the end of the last overlay that has a length. */
  durationInFrames?: number;
}

/**
 * A composition in the making. Overlays are added from back to front, each in front of the ones before. An overlay fills the canvas and
 * lasts until the end of the film unless its fields say otherwise.
 */
export class Film {
  private readonly overlays: Record<string, unknown>[] = [];

  constructor(private readonly options: FilmOptions = {}) {}

  /** Frames of a number of seconds. */
  frames(seconds: number): number {
    return Math.round(seconds * (this.options.fps ?? 30));
  }

  text(content: string, fields: Fields<TextOverlay, "content"> = {}): this {
    return this.add({ type: "text", content, ...fields });
  }

  image(src: string, fields: Fields<ImageOverlay, "src"> = {}): this {
    return this.add({ type: "image", src, ...fields });
  }

  video(src: string, fields: Fields<VideoOverlay, "src"> = {}): this {
    return this.add({ type: "video", src, ...fields });
  }

  sound(src: string, fields: Fields<SoundOverlay, "src"> = {}): this {
    return this.add({ type: "sound", src, ...fields });
  }

  shape(content: ShapeName, fields: Fields<ShapeOverlay, "content"> = {}): this {
    return this.add({ type: "shape", content, ...fields });
  }

  sticker(content: StickerName, fields: Fields<StickerOverlay, "content"> = {}): this {
    return this.add({ type: "sticker", content, ...fields });
  }

  captions(captions: CaptionOverlay["captions"], fields: Fields<CaptionOverlay, "captions"> = {}): this {
    return this.add({ type: "caption", captions, ...fields });
  }

  effect(content: EffectOverlay["content"], fields: Fields<EffectOverlay, "content"> = {}): this {
    return this.add({ type: "effect", content, ...fields });
  }

  /** Adds an overlay as it is. */
  add(overlay: Record<string, unknown>): this {
    this.overlays.push(overlay);
    return this;
  }

  /** The composition, for `inputProps`. */
  toJSON(): Composition {
    const { width = 1920, height = 1080 } = this.options;
    const ends = this.overlays.map(({ from, durationInFrames }) => Number(from ?? 0) + Number(durationInFrames ?? 0));
    const length = this.options.durationInFrames ?? (Math.max(0, ...ends) || this.frames(5));
    const overlays = this.overlays.map((overlay, index) => {
      const from = Number(overlay.from ?? 0);
      return {
        id: index + 1,
        row: this.overlays.length - 1 - index,
        from,
        durationInFrames: Math.max(length - from, 1),
        left: 0,
        top: 0,
        width,
        height,
        ...overlay,
      } as unknown as Overlay;
    });
    return { ...this.options, width, height, durationInFrames: length, overlays };
  }
}
