/** Pictures of an overlay with a preset, painted by a player of their own that nobody sees. */

import type { Film, Json, Overlay } from "@/editor/model/film";
import { withValueAt } from "@/editor/model/film";
import type { PlayerElement } from "@/editor/player";
import { loadPlayer } from "@/film/load-player";
import { loadOwnFonts, withOwnFonts } from "@/film/own-fonts";
import type { Area } from "./table";

export const TILE = { width: 160, height: 90 } as const;

export interface TileFilm {
  composition: Json;
  /** The frame of a tile at rest. */
  still: number;
  /** The frames of a tile that plays. */
  frames: readonly number[];
}

/** Frames `from`, `from + step`, … before `to`. */
const every = (step: number, from: number, to: number) =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);

const PLAYED: Record<Area | "exit", { length: number; still: number; frames: readonly number[] }> = {
  animations: { length: 40, still: 6, frames: every(2, 0, 22) },
  exit: { length: 40, still: 33, frames: every(2, 22, 40) },
  during: { length: 90, still: 40, frames: every(6, 0, 90) },
  layouts: { length: 90, still: 60, frames: [] },
  effects: { length: 90, still: 45, frames: every(3, 30, 75) },
  shapes: { length: 60, still: 30, frames: [] },
  stickers: { length: 90, still: 45, frames: every(4, 0, 90) },
  captions: { length: 90, still: 24, frames: every(4, 0, 90) },
};

/** Styles that would hide what a tile shows. */
const OTHER_MOTION = ["animation", "staggeredMotion", "animatedText", "typeWriter", "counterMode"];
const PIXELS = new Set(["fontSize", "strokeWidth", "size", "matrixFontSize", "columnGap", "imageHeight"]);

/** Styles of an overlay that is drawn `k` times as large. */
function scaled(value: Json | undefined, k: number, name = ""): Json | undefined {
  if (typeof value === "string") {
    if (PIXELS.has(name) && /^[\d.]+$/.test(value)) return `${Number(value) * k}px`;
    return value.replaceAll(/(-?[\d.]+)px\b/g, (_, pixels: string) => `${Number((Number(pixels) * k).toFixed(3))}px`);
  }
  if (typeof value === "number") return PIXELS.has(name) ? value * k : value;
  if (Array.isArray(value)) return value.map((one) => scaled(one, k, name) ?? null);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, scaled(one, k, key)]));
}

/** A tiny film that holds the overlay with a preset. */
export function tileFilm(film: Film, overlay: Overlay, path: string, area: Area, name: string): TileFilm {
  const played = PLAYED[path.endsWith(".exit") ? "exit" : area];
  const width = Math.max(Number(overlay["width"]) || TILE.width, 1);
  const height = Math.max(Number(overlay["height"]) || TILE.height, 1);
  const k = Math.min(TILE.width / width, TILE.height / height) * (area === "effects" ? 1 : 0.72);
  const isCaption = overlay.type === "caption";
  const styles = (overlay["styles"] ?? {}) as Record<string, Json>;
  const kept = Object.fromEntries(Object.entries(styles).filter(([key]) => !OTHER_MOTION.includes(key)));
  // The type of captions has sizes that its template gives, so the layer is scaled as a whole.
  const box = isCaption ? { width, height } : { width: width * k, height: height * k };
  const placed = {
    ...overlay,
    from: 0,
    durationInFrames: played.length,
    rotation: 0,
    isDynamic: false,
    ...box,
    left: (TILE.width - box.width) / 2,
    top: (TILE.height - box.height) / 2,
    styles: isCaption ? { ...kept, transform: `scale(${k})` } : (scaled(kept, k) as Json),
    ...(isCaption ? { captions: captionsOf(overlay) } : {}),
    ...(overlay.type === "video" ? { segments: [] } : {}),
  };
  return {
    composition: {
      width: TILE.width,
      height: TILE.height,
      fps: 30,
      durationInFrames: played.length,
      backgroundColor: (film["backgroundColor"] as Json) ?? "#ffffff",
      overlays: [withValueAt(placed as Overlay, path, name)],
    },
    still: played.still,
    frames: played.frames,
  };
}

/** The first caption at the start of the tile, or a sentence that stands for one. */
function captionsOf(overlay: Overlay): Json {
  const [first] = (Array.isArray(overlay["captions"]) ? overlay["captions"] : []) as Record<string, Json>[];
  const text = typeof first?.["text"] === "string" && first["text"] ? first["text"] : "Every word counts";
  return [{ text: text.split(/\s+/).slice(0, 4).join(" "), startMs: 0, endMs: 3000, words: [] }];
}

interface Job {
  film: TileFilm;
  frame: number;
  signal: AbortSignal;
  resolve: (image: ImageData | null) => void;
}

/** How long the player stays without work. */
const REST_MS = 20_000;
const jobs: Job[] = [];
let player: PlayerElement | null = null;
let isPainting = false;
let resting: ReturnType<typeof setTimeout> | undefined;

/** The pixels of a frame; null if the tile is gone by then or cannot be painted. */
export function paintTile(film: TileFilm, frame: number, signal: AbortSignal): Promise<ImageData | null> {
  return new Promise((resolve) => {
    jobs.push({ film, frame, signal, resolve });
    void work();
  });
}

async function work() {
  if (isPainting) return;
  isPainting = true;
  clearTimeout(resting);
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    if (job.signal.aborted) job.resolve(null);
    else job.resolve(await paint(job).catch(() => null));
  }
  isPainting = false;
  resting = setTimeout(() => {
    player?.remove();
    player = null;
  }, REST_MS);
}

async function paint({ film, frame }: Job): Promise<ImageData> {
  if (!player) {
    await loadPlayer();
    player = document.createElement("rondo-player") as unknown as PlayerElement;
    player.ariaHidden = "true";
    player.inert = true;
    player.muted = true;
    player.className = "fixed -top-[999px] left-0 w-40";
    document.body.append(player);
  }
  await loadOwnFonts();
  const composition = withOwnFonts(film.composition);
  if (player.composition !== composition) player.composition = composition;
  return player.frame(frame);
}
