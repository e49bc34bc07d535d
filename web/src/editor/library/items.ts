/** What the library offers beside the account's own files: texts, shapes, stickers, effects and captions, sized for a film. */

import type { Film, Json } from "@/editor/model/film";
import { type Draft, fitted, framesOf } from "./place";
import type { Styles, TextPreset } from "./text-presets";

/** Lengths in pixels that were written for a canvas of 1080, for another one. */
export function scaledStyles(styles: Styles, scale: number): Styles {
  return scaleLengths(styles, scale) as Styles;
}

const PIXELS = /(-?\d*\.?\d+)px/g;
/** Fields whose numbers are pixels. */
const LENGTHS = ["x", "y", "strokeWidth", "fontSize", "blur", "columnGap", "imageHeight", "matrixFontSize"];
const round = (value: number) => Math.round(value * 100) / 100;

export function scaleLengths(value: Json | undefined, scale: number, key = ""): Json | undefined {
  if (scale === 1) return value;
  if (typeof value === "string") return value.replaceAll(PIXELS, (_, number) => `${round(Number(number) * scale)}px`);
  if (typeof value === "number") return LENGTHS.includes(key) ? round(value * scale) : value;
  if (Array.isArray(value)) return value.map((each) => scaleLengths(each, scale, key) ?? null);
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, scaleLengths(each, scale, name)]));
  return value;
}

export function textDraft(film: Film, { content, box, size, styles }: TextPreset): Draft {
  const shorter = Math.min(film.width, film.height);
  const [left, top, width, height] = box;
  return {
    type: "text",
    durationInFrames: framesOf(film, 4),
    left: Math.round(left * film.width),
    top: Math.round(top * film.height),
    width: Math.round(width * film.width),
    height: Math.round(height * film.height),
    rotation: 0,
    content,
    styles: {
      fontSize: `${Math.round(size * shorter)}px`,
      textAlign: "center",
      ...scaledStyles(styles, shorter / 1080),
    },
  };
}

/** Shapes that are not as wide as they are high: their ratio. */
const RATIOS: Record<string, number> = {
  rectangle: 16 / 9,
  "rounded-rectangle": 16 / 9,
  pill: 3,
  ellipse: 1.6,
  arrow: 2,
  "arrow-left": 2,
  "arrow-up": 0.5,
  "arrow-down": 0.5,
  "double-arrow": 2,
  line: 40,
  "line-vertical": 1 / 40,
  wave: 3,
  parallelogram: 1.6,
  trapezoid: 1.6,
  "speech-bubble": 1.4,
  semicircle: 2,
};
/** Stickers that are wider than high. */
const STICKER_RATIOS: Record<string, number> = {
  "audio-visualiser": 2,
  "audio-bars": 1.6,
  "bar-chart": 1.5,
  "review-card": 1.8,
  "subscribe-button": 3,
  "social-proof": 2.4,
  "star-rating": 3.4,
  "five-stars": 4,
  "discount-ribbon": 2.6,
  "limited-offer": 2.4,
  "flash-sale": 2.2,
  "quote-bubble": 1.6,
  "chat-bubble": 1.6,
  "typing-dots": 1.8,
};

export const shapeRatio = (shape: string) => RATIOS[shape] ?? 1;
export const stickerRatio = (sticker: string) => STICKER_RATIOS[sticker] ?? 1;

export function shapeDraft(film: Film, shape: string): Draft {
  const part = shape.startsWith("line") ? 0.5 : 0.36;
  return {
    type: "shape",
    durationInFrames: framesOf(film, 5),
    ...fitted(film, shapeRatio(shape), 1, part),
    rotation: 0,
    content: shape,
    styles: { fill: "#d2452a" },
  };
}

export function stickerDraft(film: Film, sticker: string, category = "Emojis"): Draft {
  return {
    type: "sticker",
    durationInFrames: framesOf(film, 4),
    ...fitted(film, stickerRatio(sticker), 1, 0.3),
    rotation: 0,
    content: sticker,
    category,
    styles: {},
  };
}

export function effectDraft(film: Film, effect: string): Draft {
  return {
    type: "effect",
    durationInFrames: framesOf(film, 6),
    left: 0,
    top: 0,
    width: film.width,
    height: film.height,
    rotation: 0,
    content: effect,
    styles: effect === "scrolling-columns" ? { columns: columnsOf(film) } : {},
  };
}

/** The pictures of a film in three columns. */
function columnsOf(film: Film): Json {
  const images = film.overlays.flatMap(({ type, src }) =>
    type === "image" && typeof src === "string" && src ? [src] : [],
  );
  return [0, 1, 2].map((column) => ({
    images: images.length ? [0, 1, 2].map((row) => images[(row + column) % images.length] ?? "") : [],
    speed: 100,
    direction: column % 2 ? "down" : "up",
  }));
}

/** Captions near the bottom of the canvas, above what apps draw there. */
export function captionDraft(film: Film, captions: Json[], frames: number, template = "classic"): Draft {
  const isTall = film.height > film.width;
  return {
    type: "caption",
    durationInFrames: Math.max(1, Math.round(frames)),
    left: Math.round(film.width * 0.08),
    top: Math.round(film.height * (isTall ? 0.62 : 0.74)),
    width: Math.round(film.width * 0.84),
    height: Math.round(film.height * (isTall ? 0.18 : 0.2)),
    rotation: 0,
    captions,
    template,
    styles: { fontSize: `${Math.round(Math.min(film.width, film.height) * 0.055)}px` },
  };
}

export function soundDraft(film: Film, src: string, seconds: number, name?: string): Draft {
  return {
    type: "sound",
    durationInFrames: framesOf(film, seconds),
    left: 0,
    top: 0,
    width: 0,
    height: 0,
    src,
    ...(name ? { name } : {}),
    mediaSrcDuration: round(seconds),
    styles: { volume: 1 },
  };
}
