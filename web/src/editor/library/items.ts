/** What the library offers beside the account's own files: texts, shapes, stickers, effects and captions, sized for a film. */

import type { Film, Json } from "@/editor/model/film";
import { type Draft, fitted, framesOf } from "./place";

type Styles = { [key: string]: Json };

export interface TextPreset {
  id: string;
  label: string;
  content: string;
  /** Parts of the canvas: left, top, width, height. */
  box: readonly [number, number, number, number];
  /** Height of the letters, as a part of the canvas's shorter side. */
  size: number;
  styles: Styles;
}

const FADE_UP: Json = { enter: "slide-up", exit: "fade", enterDuration: 0.5, exitDuration: 0.3 };
const FADE: Json = { enter: "fade", exit: "fade", enterDuration: 0.4, exitDuration: 0.3 };

/** Texts as they look. Sizes in `styles` are written for a canvas of 1080 pixels and scaled. */
export const TEXT_PRESETS: readonly TextPreset[] = [
  {
    id: "title",
    label: "Title",
    content: "Your title",
    box: [0.08, 0.36, 0.84, 0.28],
    size: 0.13,
    styles: {
      fontFamily: "Inter",
      fontWeight: "800",
      color: "#ffffff",
      letterSpacing: "-2px",
      textShadow: "0px 4px 24px rgba(0,0,0,0.45)",
      animation: FADE_UP,
    },
  },
  {
    id: "subtitle",
    label: "Subtitle",
    content: "A line that says a little more",
    box: [0.12, 0.62, 0.76, 0.12],
    size: 0.05,
    styles: {
      fontFamily: "Inter",
      fontWeight: "500",
      color: "#ffffff",
      textShadow: "0px 2px 12px rgba(0,0,0,0.5)",
      animation: FADE,
    },
  },
  {
    id: "lower-third",
    label: "Lower third",
    content: "Ada Lovelace\nMathematician",
    box: [0.06, 0.76, 0.46, 0.15],
    size: 0.045,
    styles: {
      fontFamily: "Inter",
      fontWeight: "700",
      color: "#14171f",
      backgroundColor: "#ffffff",
      textAlign: "left",
      padding: "18px 28px",
      borderRadius: "14px",
      lineHeight: "1.25",
      animation: { enter: "slide-right", exit: "fade", enterDuration: 0.5, exitDuration: 0.3 },
    },
  },
  {
    id: "quote",
    label: "Quote",
    content: "“Say it in one\nsentence.”",
    box: [0.1, 0.3, 0.8, 0.4],
    size: 0.085,
    styles: {
      fontFamily: "Playfair Display",
      fontWeight: "700",
      fontStyle: "italic",
      color: "#fff7e8",
      lineHeight: "1.2",
      animation: FADE,
    },
  },
  {
    id: "label",
    label: "Label",
    content: "NEW",
    box: [0.36, 0.43, 0.28, 0.14],
    size: 0.06,
    styles: {
      fontFamily: "Inter",
      fontWeight: "800",
      color: "#ffffff",
      backgroundColor: "#d2452a",
      borderRadius: "999px",
      padding: "14px 40px",
      letterSpacing: "3px",
      animation: { enter: "elastic-scale", exit: "fade", enterDuration: 0.7, exitDuration: 0.2 },
    },
  },
  {
    id: "gradient",
    label: "Gradient",
    content: "Colourful",
    box: [0.08, 0.36, 0.84, 0.28],
    size: 0.14,
    styles: {
      fontFamily: "Outfit",
      fontWeight: "800",
      background: "linear-gradient(90deg, #ff7a5c, #ffb84d, #8cb2ff)",
      WebkitBackgroundClip: "text",
      WebkitTextFillColor: "transparent",
      letterSpacing: "-2px",
      animation: FADE_UP,
    },
  },
  {
    id: "words",
    label: "Word by word",
    content: "One word after another",
    box: [0.08, 0.34, 0.84, 0.32],
    size: 0.1,
    styles: {
      fontFamily: "Montserrat",
      fontWeight: "800",
      color: "#ffffff",
      textShadow: "0px 4px 20px rgba(0,0,0,0.45)",
      animatedText: {
        enabled: true,
        split: "word",
        splitStagger: 4,
        y: [60, 0],
        opacity: [0, 1],
        blur: [8, 0],
        duration: 16,
        easing: "easeOutExpo",
      },
    },
  },
  {
    id: "typewriter",
    label: "Typewriter",
    content: "Typed as you watch",
    box: [0.1, 0.4, 0.8, 0.2],
    size: 0.07,
    styles: {
      fontFamily: "JetBrains Mono",
      fontWeight: "500",
      color: "#9ff0c0",
      typeWriter: { enabled: true, cursor: true, typeSpeed: 2 },
    },
  },
  {
    id: "counter",
    label: "Counter",
    content: "100",
    box: [0.2, 0.3, 0.6, 0.4],
    size: 0.24,
    styles: {
      fontFamily: "Space Grotesk",
      fontWeight: "700",
      color: "#ffffff",
      counterMode: { enabled: true, from: 0, to: 100, duration: 60, postfix: " %", easing: "easeOutExpo" },
    },
  },
  {
    id: "handwritten",
    label: "Handwritten",
    content: "with love",
    box: [0.15, 0.36, 0.7, 0.28],
    size: 0.15,
    styles: { fontFamily: "Caveat", fontWeight: "700", color: "#ffe08a", transform: "rotate(-4deg)", animation: FADE },
  },
  {
    id: "headline",
    label: "Poster",
    content: "BIG NEWS",
    box: [0.05, 0.32, 0.9, 0.36],
    size: 0.22,
    styles: {
      fontFamily: "Bebas Neue",
      fontWeight: "400",
      color: "#ffd84d",
      lineHeight: "0.95",
      letterSpacing: "2px",
      animation: { enter: "zoom-blur", exit: "fade", enterDuration: 0.5, exitDuration: 0.2 },
    },
  },
  {
    id: "code",
    label: "Code",
    content: "const film = make();\nrender(film);",
    box: [0.12, 0.3, 0.76, 0.4],
    size: 0.05,
    styles: {
      codeBlock: { enabled: true, language: "javascript", theme: "dark", showLineNumbers: true, fontSize: 44 },
    },
  },
];

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
