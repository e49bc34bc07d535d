/**
 * An example of every style: `[value]`, or `[value, more]` with `styles` beside it, other fields of the overlay, `behind` (an overlay behind
 * it) and options of the film. A test tells which style of the schema has none.
 */
import { BRAND, base, PHOTO, picture } from "./films.mjs";

const ENTER = { enter: "slide-up", enterDuration: 0.8, exit: "fade" };
const RISE = { enabled: true, y: [80, 0], opacity: [0, 1], duration: 24, easing: "easeOutBack" };
const SHINE = "linear-gradient(90deg, #ffd166, #ff8a5c 50%, #e5488a)";
const CLIP = { background: SHINE, WebkitBackgroundClip: "text", WebkitTextFillColor: "transparent" };
const BOX = { background: "#ffffff14", padding: "24px 40px" };
const behind = { type: "image", src: PHOTO, left: 0, top: 0, width: 640, height: 360, styles: {} };
const move = { frames: 80, poster: 14, moves: true };
const stroke = { WebkitTextStroke: "3px #ff8a5c" };

/** Styles that several types have. */
const COMMON = {
  opacity: [0.35],
  mixBlendMode: ["overlay", { behind }],
  zIndex: [1, { note: "Overlays are ordered by `row`." }],
  transform: ["rotate(-8deg) skewX(-6deg)"],
  animation: [ENTER, move],
  staggeredMotion: [RISE, move],
};
/** Styles of images and of video. */
const MEDIA = {
  ...COMMON,
  mixBlendMode: ["luminosity", { styles: {} }],
  filter: ["sepia(0.7) contrast(1.2)"],
  borderRadius: ["40px"],
  objectFit: ["contain", { box: base.middle(520, 220) }],
  objectPosition: ["0% 100%", { box: base.middle(520, 140) }],
  boxShadow: ["0 24px 48px #000000a0, 0 0 0 6px #ffffff30"],
  border: ["10px solid #ffffff"],
  padding: ["22px", { styles: { paddingBackgroundColor: "#ffffff" } }],
  paddingBackgroundColor: ["#ffd166", { styles: { padding: "22px" } }],
  transform: ["perspective(800px) rotateY(28deg)"],
  clipPath: ["circle(38% at 50% 50%)"],
  cropEnabled: [true, { styles: { cropX: 30, cropY: 20, cropWidth: 40, cropHeight: 60 } }],
  cropX: [45, { styles: { cropEnabled: true, cropWidth: 50 } }],
  cropY: [40, { styles: { cropEnabled: true, cropHeight: 50 } }],
  cropWidth: [35, { styles: { cropEnabled: true } }],
  cropHeight: [50, { styles: { cropEnabled: true } }],
};
const SILENT = { note: "Heard, not seen." };
const GRID = { content: "grid-stagger", styles: { gridCols: 8, gridRows: 4, columnGap: 8 }, poster: 34, frames: 120 };
const MATRIX = { content: "matrix", poster: 90, frames: 120 };
const COLUMNS = { content: "scrolling-columns", poster: 40, frames: 120 };
const pictures = base.PICTURES;
const listed = [
  { images: pictures, speed: 60 },
  { images: [...pictures].reverse(), direction: "down" },
];

/** What each type shows: the overlay its styles are added to. */
export const BASES = {
  text: {
    type: "text",
    content: "Make it\nmove",
    ...base.middle(520, 240),
    styles: { fontFamily: "Outfit", fontSize: "84px", fontWeight: "800", color: "#ffffff", textAlign: "center" },
  },
  image: { type: "image", src: PHOTO, ...base.middle(400, 250), styles: {} },
  video: { type: "video", src: picture("clip.mp4"), ...base.middle(400, 225), styles: {} },
  sound: { type: "sound", src: picture("music.m4a"), left: 0, top: 0, width: 0, height: 0, styles: {} },
  shape: { type: "shape", content: "star", ...base.middle(220, 220), styles: { fill: "#ff8a5c" } },
  sticker: { type: "sticker", content: "five-stars", ...base.middle(300, 220), styles: {} },
  caption: {
    type: "caption",
    ...base.middle(600, 180),
    template: "classic",
    captions: base.caption({}).captions,
    styles: {},
  },
  effect: { type: "effect", content: "sparkles", left: 0, top: 0, width: 640, height: 360, styles: {} },
};

export const STYLES = {
  text: {
    ...COMMON,
    fontSize: ["120px"],
    fontSizeFixed: [true, { styles: { fontSize: "150px" } }],
    fontSizeScale: [0.6, { styles: { fontSize: undefined } }],
    fontWeight: ["200"],
    color: ["#ff8a5c"],
    backgroundColor: ["#e5488a", { styles: { padding: "12px 36px" } }],
    fontFamily: ["Playfair Display"],
    fontStyle: ["italic", { styles: { fontFamily: "Playfair Display" } }],
    textDecoration: ["underline"],
    fontStretch: ["75%", { styles: { fontFamily: "Archivo" } }],
    fontVariantNumeric: ["tabular-nums", { content: "1,118.40\n2,071.95", styles: { fontFamily: "Inter" } }],
    fontFeatureSettings: ['"ss01" 1, "cv11" 1', { content: "Agent 14a", styles: { fontFamily: "Inter" } }],
    lineHeight: ["0.85"],
    letterSpacing: ["0.18em", { styles: { fontSize: "64px" } }],
    wordSpacing: ["40px", { content: "Far and wide", styles: { fontSize: "64px" } }],
    textIndent: ["80px", { styles: { textAlign: "left", fontSize: "60px" } }],
    verticalAlign: ["bottom", { box: { left: 60, top: 20, width: 520, height: 320 }, styles: { fontSize: "60px" } }],
    textAlign: ["right"],
    textShadow: ["0 0 12px #ff8a5c, 0 0 42px #e5488a"],
    padding: ["36px 60px", { styles: { background: BRAND } }],
    paddingBackgroundColor: ["#ffffff", { note: "Has no effect on text." }],
    borderRadius: ["36px", { styles: { ...BOX, background: BRAND } }],
    boxShadow: [
      "0 16px 40px #e5488aa0",
      {
        box: { left: 20, top: 10, width: 600, height: 340 },
        styles: { ...BOX, background: "#e5488a", borderRadius: "24px" },
      },
    ],
    background: [BRAND, { styles: { padding: "24px 48px" } }],
    backgroundSize: ["24px 24px", { styles: { ...BOX, background: "radial-gradient(#ff8a5c 3px, #2b3160 4px)" } }],
    backgroundPosition: [
      "12px 12px",
      { styles: { ...BOX, background: "radial-gradient(#ff8a5c 3px, #2b3160 4px)", backgroundSize: "24px 24px" } },
    ],
    backgroundRepeat: ["no-repeat", { styles: { ...BOX, background: BRAND, backgroundSize: "50% 100%" } }],
    WebkitBackgroundClip: ["text", { styles: CLIP }],
    WebkitTextFillColor: ["transparent", { styles: CLIP }],
    WebkitTextStroke: ["3px #ff8a5c", { styles: { color: "transparent" } }],
    WebkitTextStrokeWidth: ["6px", { styles: { ...stroke, color: "#171a2e" } }],
    WebkitTextStrokeColor: ["#7c8cff", { styles: { ...stroke, color: "#171a2e" } }],
    paintOrder: ["stroke", { styles: { WebkitTextStroke: "16px #e5488a" } }],
    filter: ["blur(3px)"],
    backdropFilter: ["blur(12px)", { behind, styles: { ...BOX, background: "#ffffff30", borderRadius: "24px" } }],
    border: ["6px solid #ff8a5c", { styles: { padding: "20px 44px", borderRadius: "24px" } }],
    textTransform: ["uppercase"],
    mixBlendMode: ["difference", { behind }],
    animatedText: [
      {
        enabled: true,
        split: "character",
        splitStagger: 3,
        y: [60, 0],
        opacity: [0, 1],
        duration: 18,
        easing: "easeOutBack",
      },
      { ...move, poster: 20 },
    ],
    typeWriter: [
      { enabled: true, typeSpeed: 4 },
      { ...move, poster: 30 },
    ],
    counterMode: [
      { enabled: true, from: 0, to: 12480, separator: ",", prefix: "$", duration: 60 },
      { content: "0", ...move, poster: 30 },
    ],
    codeBlock: [
      { enabled: true, language: "js", showLineNumbers: true, fontSize: 22 },
      {
        content: 'const film = new Film();\nfilm.text("Hello");\nawait render(film);',
        box: { left: 60, top: 80, width: 520, height: 200 },
      },
    ],
  },
  image: { ...MEDIA, layout3D: [{ layout: "card-left" }] },
  video: {
    ...MEDIA,
    volume: [0.5, SILENT],
    fadeIn: [1, SILENT],
    fadeOut: [1, SILENT],
  },
  sound: {
    volume: [0.3, SILENT],
    fadeIn: [1, SILENT],
    fadeOut: [2, SILENT],
    opacity: [1, { note: "Has no effect on sound." }],
    zIndex: [1, { note: "Has no effect on sound." }],
    transform: ["none", { note: "Has no effect on sound." }],
  },
  shape: {
    ...COMMON,
    fill: ["#ffd166"],
    stroke: ["#ffffff", { styles: { strokeWidth: 10 } }],
    strokeWidth: [22, { styles: { stroke: "#ffffff" } }],
    borderRadius: ["48px", { content: "rectangle" }],
    boxShadow: ["0 18px 40px #e5488a"],
    gradient: [SHINE],
    gradientTransition: [
      {
        gradients: ["linear-gradient(90deg, #ff8a5c, #e5488a)", "linear-gradient(90deg, #7c8cff, #2bd4c3)"],
        duration: 60,
      },
      { content: "circle", ...move, poster: 40 },
    ],
  },
  sticker: {
    ...COMMON,
    fill: ["#7c8cff", { content: "circle-pulse" }],
    stroke: ["#ff8a5c", { content: "progress-ring" }],
    strokeWidth: [16, { content: "progress-ring", styles: { stroke: "#ff8a5c" } }],
    scale: [0.6],
    filter: ["hue-rotate(160deg)"],
  },
  caption: {
    ...COMMON,
    fontFamily: ["Bebas Neue"],
    fontSize: ["64px"],
    lineHeight: [1.6, { styles: { fontSize: "44px" } }],
    textAlign: ["left"],
    color: ["#ffd166"],
    backgroundColor: ["#000000b0"],
    background: ["linear-gradient(90deg, #7c8cff, #e5488a)"],
    WebkitBackgroundClip: ["text", { styles: CLIP }],
    WebkitTextFillColor: ["transparent", { styles: CLIP }],
    WebkitTextStroke: ["3px #e5488a"],
    WebkitTextStrokeWidth: ["6px", { styles: stroke }],
    WebkitTextStrokeColor: ["#7c8cff", { styles: stroke }],
    paintOrder: ["stroke", { styles: { WebkitTextStroke: "10px #e5488a" } }],
    backdropFilter: ["blur(10px)", { behind, styles: { background: "#ffffff30" } }],
    padding: ["28px 48px", { styles: { backgroundColor: "#000000b0" } }],
    letterSpacing: ["0.12em"],
    textShadow: ["0 0 18px #e5488a"],
    borderRadius: ["32px", { styles: { backgroundColor: "#000000b0", padding: "20px 40px" } }],
    transition: ["0.2s", { note: "Has no effect on a film." }],
    fontWeight: ["300"],
    fontStyle: ["italic"],
    textTransform: ["uppercase"],
    highlightStyle: [{ backgroundColor: "#e5488a", color: "#ffffff", borderRadius: "12px", padding: "2px 12px" }],
    mode: ["karaoke"],
    border: ["4px solid #ff8a5c", { styles: { padding: "20px 36px" } }],
    animation: [
      { enter: "slide-up", enterDuration: 0.6 },
      { frames: 84, poster: 8 },
    ],
  },
  effect: {
    ...COMMON,
    animation: [
      { enter: "fade", enterDuration: 1 },
      { ...move, poster: 20, styles: { size: 8 } },
    ],
    mixBlendMode: ["screen", { behind, styles: { size: 8 } }],
    staggeredMotion: [{ enabled: true, stagger: 2, y: [60, 0], opacity: [0, 1], duration: 20 }, GRID],
    color: ["#7c8cff", { styles: { size: 6 } }],
    particleCount: [200, { styles: { size: 4 } }],
    speed: [2.5, { styles: { size: 5 } }],
    size: [9],
    matrixColor: ["#ff8a5c", MATRIX],
    matrixCharset: ["RONDO", MATRIX],
    matrixFontSize: [34, MATRIX],
    matrixDensity: [0.3, MATRIX],
    gridCols: [4, GRID],
    gridRows: [2, GRID],
    staggerDelay: [3, { ...GRID, poster: 60 }],
    staggerDir: ["center", { ...GRID, poster: 24 }],
    animDuration: [40, GRID],
    cellColors: [base.WARM, GRID],
    cellImages: [pictures, GRID],
    columns: [listed, { ...COLUMNS, styles: { imageHeight: 140, columnGap: 12 } }],
    columnGap: [40, { ...COLUMNS, styles: { columns: listed, imageHeight: 140 } }],
    imageHeight: [220, { ...COLUMNS, styles: { columns: listed, columnGap: 12 } }],
    opacity: [0.35, { styles: { size: 6 } }],
    transform: ["rotate(12deg)", { styles: { size: 6 } }],
  },
};
