/** Where each field is shown and with which control. Fields that are not listed are shown under "Advanced", by their type. */

import type { Json } from "@/editor/model/film";
import { type Field, isNumber, isText } from "./schema";

export type GroupName =
  | "position"
  | "content"
  | "style"
  | "shadow"
  | "space"
  | "animation"
  | "sound"
  | "timing"
  | "variable"
  | "advanced";

/** In the order in which they are shown. */
export const GROUPS: readonly GroupName[] = [
  "position",
  "content",
  "style",
  "shadow",
  "space",
  "animation",
  "sound",
  "timing",
  "variable",
  "advanced",
];

export type ControlName =
  | "number"
  | "slider"
  | "toggle"
  | "segmented"
  | "select"
  | "text"
  | "textarea"
  | "color"
  | "paint"
  | "gradient"
  | "shadow"
  | "filter"
  | "font"
  | "weight"
  | "easing"
  | "keyframes"
  | "strings"
  | "objects"
  | "picker"
  | "point"
  | "border"
  | "transform"
  | "media"
  | "fixed";

/** Names that a picker offers, from the registry. */
export type Area = "animations" | "during" | "layouts" | "effects" | "shapes" | "stickers" | "captions";

export interface Spec {
  group: GroupName;
  control: ControlName;
  /** The unit that is written after the number, if the field is a string. */
  unit?: string;
  /** Written behind the number, for people only. */
  suffix?: string;
  step?: number;
  min?: number;
  max?: number;
  /** A number of 1 is shown as 100. */
  percent?: boolean;
  options?: readonly string[];
  /** What an absent field means, if the schema does not say. */
  fallback?: Json;
  area?: Area;
  /** Letters inside the input instead of a label beside it: X, Y. Two of them share a line. */
  short?: string;
  /** Shadows of letters have no spread and are never inset. */
  text?: boolean;
}

type Row = [GroupName, ControlName, Omit<Spec, "group" | "control">?];

const BLEND_MODES = [
  "normal",
  "multiply",
  "screen",
  "overlay",
  "darken",
  "lighten",
  "color-dodge",
  "color-burn",
  "hard-light",
  "soft-light",
  "difference",
  "exclusion",
  "hue",
  "saturation",
  "color",
  "luminosity",
] as const;
const NUMERIC_FORMS = [
  "normal",
  "tabular-nums",
  "proportional-nums",
  "lining-nums",
  "oldstyle-nums",
  "slashed-zero",
  "diagonal-fractions",
  "stacked-fractions",
  "ordinal",
] as const;
const STRETCHES = [
  "ultra-condensed",
  "extra-condensed",
  "condensed",
  "semi-condensed",
  "normal",
  "semi-expanded",
  "expanded",
  "extra-expanded",
  "ultra-expanded",
] as const;

/**
 * By the path of a field, or by its name; `type:` before it narrows it to a type of overlay, and comes first. The order of the table
 * is the order on the screen.
 */
const TABLE: Record<string, Row> = {
  left: ["position", "number", { short: "X" }],
  top: ["position", "number", { short: "Y" }],
  width: ["position", "number", { short: "W" }],
  height: ["position", "number", { short: "H" }],
  rotation: ["position", "number", { suffix: "°" }],

  // Sounds need a box that nothing reads.
  "sound:left": ["advanced", "number"],
  "sound:top": ["advanced", "number"],
  "sound:width": ["advanced", "number"],
  "sound:height": ["advanced", "number"],
  "sound:rotation": ["advanced", "number"],

  "text:content": ["content", "textarea"],
  "shape:content": ["content", "picker", { area: "shapes" }],
  "sticker:content": ["content", "picker", { area: "stickers" }],
  "effect:content": ["content", "picker", { area: "effects" }],
  template: ["content", "picker", { area: "captions" }],
  captions: ["content", "objects"],
  src: ["content", "media"],
  "styles.mode": ["content", "select"],
  // What captions leave out comes from their template.
  "caption:styles.fontFamily": ["content", "font"],
  "caption:styles.fontWeight": ["content", "weight"],
  "caption:styles.fontSize": ["content", "number", { unit: "px", min: 0 }],
  "caption:styles.color": ["content", "color"],
  "caption:styles.lineHeight": ["content", "number", { step: 0.05, min: 0 }],
  fontFamily: ["content", "font", { fallback: "Inter" }],
  fontWeight: ["content", "weight", { fallback: "400" }],
  "styles.fontSize": ["content", "number", { unit: "px", min: 1, fallback: "48px" }],
  fontSizeFixed: ["content", "toggle"],
  fontSizeScale: ["content", "slider", { min: 0.4, max: 2, step: 0.05, fallback: 1 }],
  color: ["content", "color", { fallback: "#000000" }],
  textAlign: ["content", "segmented"],
  verticalAlign: ["content", "segmented", { options: ["top", "middle", "bottom"], fallback: "middle" }],
  lineHeight: ["content", "number", { unit: "", step: 0.05, min: 0, fallback: "1.2" }],
  letterSpacing: ["content", "number", { unit: "px", step: 0.5, fallback: "0px" }],
  fontStyle: ["content", "segmented", { options: ["normal", "italic"], fallback: "normal" }],
  textTransform: [
    "content",
    "segmented",
    { options: ["none", "uppercase", "lowercase", "capitalize"], fallback: "none" },
  ],
  textDecoration: [
    "content",
    "segmented",
    { options: ["none", "underline", "line-through", "overline"], fallback: "none" },
  ],
  wordSpacing: ["content", "number", { unit: "px", fallback: "0px" }],
  textIndent: ["content", "number", { unit: "px", fallback: "0px" }],
  fontStretch: ["content", "select", { options: STRETCHES, fallback: "normal" }],
  fontVariantNumeric: ["content", "select", { options: NUMERIC_FORMS, fallback: "normal" }],
  fontFeatureSettings: ["content", "text"],

  objectFit: ["content", "select"],
  objectPosition: ["content", "point", { fallback: "50% 50%" }],
  cropEnabled: ["content", "toggle"],
  cropX: ["content", "slider", { min: 0, max: 100, step: 1, suffix: "%" }],
  cropY: ["content", "slider", { min: 0, max: 100, step: 1, suffix: "%" }],
  cropWidth: ["content", "slider", { min: 0, max: 100, step: 1, suffix: "%" }],
  cropHeight: ["content", "slider", { min: 0, max: 100, step: 1, suffix: "%" }],
  "greenscreen.enabled": ["content", "toggle"],
  keyColor: ["content", "color", { fallback: "#00ff00" }],
  sensitivity: ["content", "slider", { min: 0, max: 255, step: 1 }],
  smoothing: ["content", "slider", { min: 0, max: 10, step: 0.5, suffix: "px" }],
  spill: ["content", "slider", { min: 0, max: 1, step: 0.01, percent: true }],
  "greenscreen.threshold.red": ["content", "slider", { min: 0, max: 255, step: 1 }],
  "greenscreen.threshold.green": ["content", "slider", { min: 0, max: 255, step: 1 }],
  "greenscreen.threshold.blue": ["content", "slider", { min: 0, max: 255, step: 1 }],

  category: ["content", "select"],
  fill: ["content", "color", { fallback: "#3B82F6" }],
  gradient: ["content", "gradient"],
  stroke: ["content", "color"],
  strokeWidth: ["content", "number", { suffix: "px", min: 0, fallback: 2 }],
  "sticker:styles.scale": ["content", "slider", { min: 0, max: 3, step: 0.05 }],
  "styles.gradientTransition.enabled": ["animation", "toggle"],
  "styles.gradientTransition.gradients": ["animation", "strings"],
  "styles.gradientTransition.duration": ["animation", "number", { suffix: "fr", min: 0 }],
  "styles.gradientTransition.easing": ["animation", "easing"],

  "effect:styles.color": ["content", "color"],
  particleCount: ["content", "slider", { min: 0, max: 500, step: 5 }],
  "effect:styles.speed": ["content", "slider", { min: 0, max: 5, step: 0.1 }],
  "effect:styles.size": ["content", "slider", { min: 0, max: 100, step: 1, suffix: "px" }],
  matrixColor: ["content", "color", { fallback: "#00ff41" }],
  matrixCharset: ["content", "text"],
  matrixFontSize: ["content", "slider", { min: 4, max: 64, step: 1, suffix: "px" }],
  matrixDensity: ["content", "slider", { min: 0, max: 1, step: 0.01, percent: true }],
  gridCols: ["content", "number", { min: 1, max: 100 }],
  gridRows: ["content", "number", { min: 1, max: 100 }],
  columnGap: ["content", "number", { suffix: "px", min: 0 }],
  imageHeight: ["content", "number", { suffix: "px", min: 1 }],
  cellColors: ["content", "strings"],
  cellImages: ["content", "strings"],
  columns: ["content", "objects"],
  staggerDelay: ["animation", "number", { suffix: "fr", min: 0 }],
  staggerDir: ["animation", "select"],
  animDuration: ["animation", "number", { suffix: "fr", min: 0 }],

  "styles.highlightStyle.color": ["content", "color"],
  "styles.highlightStyle.backgroundColor": ["content", "color"],
  "styles.highlightStyle.background": ["content", "paint"],
  "styles.highlightStyle.scale": ["content", "slider", { min: 0.5, max: 2, step: 0.01, fallback: 1.08 }],
  "styles.highlightStyle.fontWeight": ["content", "weight"],
  "styles.highlightStyle.fontStyle": ["content", "segmented", { options: ["normal", "italic"] }],
  "styles.highlightStyle.padding": ["content", "text"],
  "styles.highlightStyle.borderRadius": ["content", "number", { unit: "px", min: 0, fallback: "0px" }],
  "styles.highlightStyle.border": ["content", "border"],
  "styles.highlightStyle.textShadow": ["content", "shadow", { text: true }],
  "styles.highlightStyle.backdropFilter": ["content", "filter"],
  "styles.highlightStyle.transform": ["content", "transform"],
  "styles.highlightStyle.transition": ["content", "number", { unit: "s", step: 0.05, min: 0, fallback: "0s" }],

  opacity: ["style", "slider", { min: 0, max: 1, step: 0.01, percent: true }],
  mixBlendMode: ["style", "select", { options: BLEND_MODES, fallback: "normal" }],
  backgroundColor: ["style", "color"],
  background: ["style", "paint"],
  padding: ["style", "number", { unit: "px", min: 0, fallback: "0px" }],
  paddingBackgroundColor: ["style", "color"],
  borderRadius: ["style", "number", { unit: "px", min: 0, fallback: "0px" }],
  border: ["style", "border"],
  clipPath: ["style", "text"],
  WebkitTextStroke: ["style", "border"],
  WebkitTextStrokeWidth: ["style", "number", { unit: "px", min: 0, step: 0.5, fallback: "0px" }],
  WebkitTextStrokeColor: ["style", "color"],
  paintOrder: ["style", "select", { options: ["normal", "stroke"], fallback: "normal" }],
  WebkitTextFillColor: ["style", "color"],
  WebkitBackgroundClip: ["style", "select", { options: ["border-box", "text"], fallback: "border-box" }],
  backgroundSize: ["style", "text"],
  backgroundPosition: ["style", "text"],
  backgroundRepeat: [
    "style",
    "select",
    { options: ["repeat", "repeat-x", "repeat-y", "no-repeat"], fallback: "repeat" },
  ],

  boxShadow: ["shadow", "shadow"],
  textShadow: ["shadow", "shadow", { text: true }],
  filter: ["shadow", "filter"],
  backdropFilter: ["shadow", "filter"],

  "styles.layout3D.layout": ["space", "picker", { area: "layouts" }],
  "styles.layout3D.settle": ["space", "toggle"],
  transform: ["space", "transform"],

  "styles.animation.enter": ["animation", "picker", { area: "animations" }],
  "styles.animation.enterDuration": ["animation", "number", { suffix: "s", step: 0.05, min: 0, fallback: 0.5 }],
  "styles.animation.exit": ["animation", "picker", { area: "animations" }],
  "styles.animation.exitDuration": ["animation", "number", { suffix: "s", step: 0.05, min: 0, fallback: 0.5 }],
  "styles.animation.during": ["animation", "picker", { area: "during" }],
  "styles.animation.duringSpeed": ["animation", "slider", { min: 0, max: 5, step: 0.1 }],
  "styles.animation.duringIntensity": ["animation", "slider", { min: 0, max: 5, step: 0.1 }],
  enabled: ["animation", "toggle"],
  split: ["animation", "select", { options: ["none", "word", "character", "line"] }],
  splitStagger: ["animation", "number", { suffix: "fr", min: 0 }],
  stagger: ["animation", "number", { suffix: "fr", min: 0 }],
  staggerDirection: ["animation", "select"],
  x: ["animation", "keyframes", { suffix: "px" }],
  y: ["animation", "keyframes", { suffix: "px" }],
  scale: ["animation", "keyframes"],
  rotate: ["animation", "keyframes", { suffix: "°" }],
  blur: ["animation", "keyframes", { suffix: "px" }],
  "styles.staggeredMotion.opacity": ["animation", "keyframes"],
  "styles.animatedText.opacity": ["animation", "keyframes"],
  glitch: ["animation", "keyframes"],
  duration: ["animation", "number", { suffix: "fr", min: 0, fallback: 30 }],
  delay: ["animation", "number", { suffix: "fr", min: 0 }],
  easing: ["animation", "easing", { fallback: "linear" }],
  cursor: ["animation", "toggle"],
  loop: ["animation", "toggle"],
  deleteBeforeNext: ["animation", "toggle"],
  typeSpeed: ["animation", "number", { suffix: "fr", min: 0, step: 0.5 }],
  deleteSpeed: ["animation", "number", { suffix: "fr", min: 0, step: 0.5 }],
  pauseAfterType: ["animation", "number", { suffix: "fr", min: 0 }],
  pauseAfterDelete: ["animation", "number", { suffix: "fr", min: 0 }],
  blinkSpeed: ["animation", "number", { suffix: "fr", min: 1 }],
  errorRate: ["animation", "slider", { min: 0, max: 1, step: 0.01, percent: true }],
  errorCorrectDelay: ["animation", "number", { suffix: "fr", min: 0 }],
  "styles.counterMode.from": ["animation", "number"],
  "styles.counterMode.to": ["animation", "number", { fallback: 100 }],
  toFixed: ["animation", "number", { min: 0, max: 20 }],
  prefix: ["animation", "text"],
  postfix: ["animation", "text"],
  separator: ["animation", "text"],
  language: ["animation", "text"],
  theme: ["animation", "segmented"],
  showLineNumbers: ["animation", "toggle"],
  lineStagger: ["animation", "number", { suffix: "fr", min: 0 }],
  "styles.codeBlock.fontSize": ["animation", "number", { suffix: "px", min: 1 }],

  volume: ["sound", "slider", { min: 0, max: 1, step: 0.01, percent: true }],
  fadeIn: ["sound", "number", { suffix: "s", step: 0.1, min: 0 }],
  fadeOut: ["sound", "number", { suffix: "s", step: 0.1, min: 0 }],

  from: ["timing", "number", { suffix: "fr" }],
  durationInFrames: ["timing", "number", { suffix: "fr", min: 1 }],
  row: ["timing", "number"],
  videoStartTime: ["timing", "number", { suffix: "s", step: 0.1, min: 0 }],
  startFromSound: ["timing", "number", { suffix: "s", step: 0.1, min: 0 }],
  speed: ["timing", "slider", { min: 0.1, max: 4, step: 0.05 }],
  segments: ["timing", "objects"],

  isDynamic: ["variable", "toggle"],
  name: ["variable", "text"],

  zIndex: ["advanced", "number"],
  "sound:styles.opacity": ["advanced", "number"],
  "sound:styles.transform": ["advanced", "text"],
  "video:content": ["advanced", "text"],
  "image:content": ["advanced", "text"],
  "sound:content": ["advanced", "text"],
  transition: ["advanced", "text"],
  mediaSrcDuration: ["advanced", "number", { suffix: "s", min: 0 }],
  videoDurationInFrames: ["advanced", "number", { suffix: "fr", min: 0 }],
  isDragging: ["advanced", "toggle"],
  id: ["advanced", "fixed"],
  type: ["advanced", "fixed"],
};

const PARTICLES = ["color", "particleCount", "speed", "size"];
const CELLS = [
  ...["gridCols", "gridRows", "columnGap", "cellColors", "cellImages"],
  ...["staggerDelay", "staggerDir", "animDuration", "speed"],
];
const EFFECTS: Record<string, readonly string[]> = {
  snow: PARTICLES,
  confetti: PARTICLES,
  rain: PARTICLES,
  fireflies: PARTICLES,
  sparkles: PARTICLES,
  bubbles: PARTICLES,
  matrix: ["matrixColor", "matrixCharset", "matrixFontSize", "matrixDensity", "speed"],
  "grid-stagger": CELLS,
  fracture: CELLS,
  "scrolling-columns": ["columns", "columnGap", "imageHeight", "speed"],
};
const OF_EFFECTS = new Set(Object.values(EFFECTS).flat());

/** Whether a field of an effect is one that this effect does not read. */
export const isOfOtherEffect = (effect: string, { name, path }: Field) => {
  const read = EFFECTS[effect];
  return read !== undefined && path === `styles.${name}` && OF_EFFECTS.has(name) && !read.includes(name);
};

/** Fields of the items of lists: the table above is for overlays. */
const ITEMS: Record<string, Row> = {
  text: ["content", "text"],
  word: ["content", "text"],
  startMs: ["content", "number", { suffix: "ms" }],
  endMs: ["content", "number", { suffix: "ms" }],
  words: ["content", "objects"],
  startFrame: ["content", "number", { suffix: "fr" }],
  endFrame: ["content", "number", { suffix: "fr" }],
  speed: ["content", "number", { step: 0.1, min: 0 }],
  images: ["content", "strings"],
  direction: ["content", "segmented"],
  timestampMs: ["content", "number", { suffix: "ms" }],
  name: ["content", "text"],
  value: ["content", "color"],
  fields: ["content", "strings"],
  "fonts.value": ["content", "font"],
};

const FILM: Record<string, Row> = {
  width: ["position", "number", { short: "W", min: 16, max: 4096 }],
  height: ["position", "number", { short: "H", min: 16, max: 4096 }],
  fps: ["timing", "number", { suffix: "fps", min: 1, max: 120 }],
  durationInFrames: ["timing", "number", { suffix: "fr", min: 1 }],
  posterFrame: ["timing", "number", { suffix: "fr", min: 0 }],
  backgroundColor: ["style", "color", { fallback: "#ffffff" }],
  colors: ["style", "objects"],
  fonts: ["style", "objects"],
  fontFaces: ["advanced", "objects"],
  src: ["advanced", "text"],
};

const ORDER = new Map(Object.keys(TABLE).map((key, index) => [key, index]));
const FILM_ORDER = new Map(Object.keys(FILM).map((key, index) => [key, index]));

/** The control of a field that no table lists. */
function controlOf({ schema, items }: Field): ControlName {
  if (items) return "objects";
  if (schema.const !== undefined) return "fixed";
  if (schema.type === "array") return schema.items && isNumber(schema.items) ? "keyframes" : "strings";
  if (schema.type === "boolean") return "toggle";
  if (schema.enum) return "select";
  if (isNumber(schema)) return "number";
  return isText(schema) ? "text" : "fixed";
}

const toSpec = (row: Row | undefined, field: Field): Spec =>
  row ? { ...row[2], group: row[0], control: row[1] } : { group: "advanced", control: controlOf(field) };

const keysOf = (type: string, { path, name }: Field) => [`${type}:${path}`, path, `${type}:${name}`, name];

export interface Placed extends Field {
  spec: Spec;
}

/** A field of an overlay of a type with its place and control. */
export const placeField = (type: string, field: Field): Placed => {
  const key = keysOf(type, field).find((one) => TABLE[one]);
  return { ...field, spec: toSpec(key === undefined ? undefined : TABLE[key], field) };
};

/** A field of an item of a list, such as `fonts[0].value`. */
export const placeItem = (field: Field): Placed => {
  const [list] = field.path.split("[");
  return { ...field, spec: toSpec(ITEMS[`${list}.${field.name}`] ?? ITEMS[field.name], field) };
};

/** Fields in the order in which they are shown. */
export function placeFields(type: string | "film", fields: readonly Field[]): Placed[] {
  const isFilm = type === "film";
  const order = (field: Field) => {
    const keys = isFilm ? [field.path] : keysOf(type, field);
    for (const key of keys) {
      const at = (isFilm ? FILM_ORDER : ORDER).get(key);
      if (at !== undefined) return at;
    }
    return Number.MAX_SAFE_INTEGER;
  };
  const placed = fields.map((field) =>
    isFilm ? { ...field, spec: toSpec(FILM[field.path], field) } : placeField(type, field),
  );
  return placed.sort((left, right) => order(left) - order(right));
}
