/** The films of the format reference: what each name, style and field looks like. Pictures are frames of the same films. */

export const STAGE = { width: 640, height: 360 };
const FPS = 30;
export const BRAND = "linear-gradient(135deg, #ff8a5c, #e5488a)";
const NIGHT = "radial-gradient(circle at 70% 0%, #2b3160 0%, #171a2e 60%, #10121f 100%)";
export const PHOTO = "http://127.0.0.1:8080/docs/media/photo.jpg";
export const picture = (name) => `http://127.0.0.1:8080/docs/media/${name}`;

/** A box of a size in the middle of the stage. */
const middle = (width, height) => ({
  left: (STAGE.width - width) / 2,
  top: (STAGE.height - height) / 2,
  width,
  height,
});

/**
 * A film of overlays, front to back, on a dark stage. `frames` is its length, `poster` the frame that stands for it, `moves` whether it is
 * worth playing.
 */
export function film(overlays, { frames = 90, poster = Math.floor(frames / 2), moves = true, stage = NIGHT } = {}) {
  const back = { type: "shape", content: "rectangle", left: 0, top: 0, ...STAGE, styles: { gradient: stage } };
  const placed = [...overlays, back].map((overlay, index) => ({
    id: index + 1,
    row: index,
    from: 0,
    durationInFrames: frames,
    ...overlay,
  }));
  return {
    moves,
    composition: { ...STAGE, fps: FPS, durationInFrames: frames, posterFrame: poster, overlays: placed },
  };
}

const CARD = {
  fontFamily: "Outfit",
  fontSize: "56px",
  fontWeight: "700",
  color: "#ffffff",
  textAlign: "center",
  background: BRAND,
  borderRadius: "22px",
  padding: "22px 44px",
};
const card = (styles, content = "Rondo") => ({
  type: "text",
  content,
  ...middle(420, 200),
  styles: { ...CARD, ...styles },
});
const photo = (styles, box = middle(440, 280)) => ({ type: "image", src: PHOTO, ...box, styles });

/** Words with their times, as captions have them. */
export function spoken(text, wordMs = 450) {
  const words = text
    .split(" ")
    .map((word, index) => ({ word, startMs: index * wordMs, endMs: (index + 1) * wordMs, confidence: 1 }));
  return [{ text, startMs: 0, endMs: words.length * wordMs, words }];
}
const LINE = "Every word lights up in time";
const caption = (more) => ({ type: "caption", ...middle(600, 160), captions: spoken(LINE), ...more });

/** The moments at which stickers that change look best. */
const STICKER_MOMENTS = {
  "like-heart-burst": 14,
  "subscribe-button": 36,
  "location-pin": 20,
  "flash-sale": 25,
  "new-badge": 30,
};
const WARM = ["#ff8a5c", "#ffd166", "#f6f0e6", "#e5488a", "#7c8cff"];
const PICTURES = [PHOTO, picture("citrus.svg"), picture("house.svg"), picture("orbits.svg")];
const EFFECT_STYLES = {
  snow: { size: 2.5 },
  confetti: { size: 4 },
  rain: { size: 3 },
  fireflies: { size: 2 },
  sparkles: { size: 5 },
  "grid-stagger": { gridCols: 8, gridRows: 4, columnGap: 8, cellColors: WARM },
  fracture: { cellImages: [PHOTO] },
  "scrolling-columns": {
    columns: [
      { images: PICTURES, speed: 60 },
      { images: [...PICTURES].reverse(), direction: "down" },
      { images: [...PICTURES.slice(2), ...PICTURES.slice(0, 2)], speed: 80 },
    ],
    imageHeight: 140,
    columnGap: 12,
  },
};

/** Dots along an easing, standing still: their motion is so slow that nothing moves while the film plays. */
function curve(easing) {
  const dots = 40;
  const slow = 2000;
  return Array.from({ length: dots + 1 }, (_, index) => ({
    type: "shape",
    content: "circle",
    left: 90 + (380 * index) / dots - 4,
    top: 266,
    width: 8,
    height: 8,
    from: -index * slow,
    durationInFrames: (dots + 2) * slow,
    styles: {
      fill: "#8d95c8",
      staggeredMotion: { enabled: true, y: [0, -180], duration: dots * slow, easing },
    },
  }));
}

/** Text in a font, in its own script where it has one. */
const SCRIPTS = {
  Arabic: "أهلا وسهلا",
  Armenian: "Բարի գալուստ",
  Bengali: "স্বাগতম",
  Devanagari: "स्वागत है",
  Ethiopic: "እንኳን ደህና መጡ",
  Georgian: "მოგესალმებით",
  Gujarati: "સ્વાગત છે",
  Gurmukhi: "ਜੀ ਆਇਆਂ ਨੂੰ",
  Hebrew: "ברוכים הבאים",
  JP: "ようこそ",
  Kannada: "ಸ್ವಾಗತ",
  Khmer: "សូមស្វាគមន៍",
  KR: "환영합니다",
  Lao: "ຍິນດີຕ້ອນຮັບ",
  Malayalam: "സ്വാഗതം",
  Math: "∑ ∫ √ ∞ ≠ ∂",
  Myanmar: "ကြိုဆိုပါတယ်",
  SC: "欢迎光临",
  Sinhala: "සාදරයෙන් පිළිගනිමු",
  Symbols: "☀ ☎ ♞ ♫ ⚑",
  "Symbols 2": "🖈 🗹 🞋 🟂 🖶",
  Tamil: "நல்வரவு",
  TC: "歡迎光臨",
  Telugu: "స్వాగతం",
  Thai: "ยินดีต้อนรับ",
};
const sampleOf = (family) =>
  family === "Noto Color Emoji" ? "🎬 🎉 🚀" : (SCRIPTS[family.replace("Noto Sans ", "")] ?? "Rondo Aa 12");

/** For each area of the registry: the overlay of a name, and the options of its film. The first overlay is the one that is shown as JSON. */
export const AREAS = {
  animations: (name) =>
    film([card({ animation: { enter: name, enterDuration: 1, exit: name, exitDuration: 1 } })], {
      poster: 12,
      frames: 100,
    }),
  during: (name, { kind }) =>
    kind === "drift"
      ? film([photo({ animation: { during: name, duringIntensity: 2 } }, { left: 0, top: 0, ...STAGE })], {
          frames: 120,
        })
      : film([card({ animation: { during: name, duringIntensity: 2 } })], { frames: 120, poster: 22 }),
  layouts: (name) =>
    film([photo({ borderRadius: "14px", layout3D: { layout: name } }, middle(360, 230))], { moves: false }),
  effects: (name) =>
    film([{ type: "effect", content: name, left: 0, top: 0, ...STAGE, styles: EFFECT_STYLES[name] ?? {} }], {
      frames: 150,
      poster: { "grid-stagger": 32, fracture: 50 }[name] ?? 90,
    }),
  shapes: (name) => {
    const isWide = ["rectangle", "rounded-rectangle", "pill", "ellipse", "line"].includes(name);
    const styles = name.startsWith("line")
      ? { fill: "#ff8a5c", stroke: "#ff8a5c", strokeWidth: 8 }
      : { gradient: BRAND };
    return film([{ type: "shape", content: name, ...middle(isWide ? 280 : 190, isWide ? 160 : 190), styles }], {
      moves: false,
    });
  },
  stickers: (name) =>
    film([{ type: "sticker", content: name, ...middle(250, 250) }], { poster: STICKER_MOMENTS[name] ?? 45 }),
  captions: (name) => film([caption({ template: name })], { poster: 60, frames: 84 }),
  easings: (name) => {
    const ball = {
      type: "shape",
      content: "circle",
      left: 520,
      top: 254,
      width: 32,
      height: 32,
      styles: { gradient: BRAND, staggeredMotion: { enabled: true, y: [0, -180], duration: 45, easing: name } },
    };
    return film([ball, ...curve(name)], { frames: 75, poster: 30 });
  },
  filters: (name) => film([photo({ filter: name, borderRadius: "14px" })], { moves: false }),
  fonts: (family) =>
    film(
      [
        {
          type: "text",
          content: sampleOf(family),
          ...middle(580, 180),
          styles: { fontFamily: family, fontSize: "84px", color: "#ffffff", textAlign: "center" },
        },
      ],
      { moves: false },
    ),
};

export const base = { card, photo, caption, middle, PICTURES, WARM };
