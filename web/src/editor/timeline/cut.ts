/** Clips cut in time: what a trim, a split or another speed does to media, captions and animations. Films and clips stay as they are. */

import { type Json, type Overlay, valueAt, withValueAt } from "@/editor/model/film";

/** Where media begin, in seconds of the source. */
const IN_POINTS: Record<string, string> = { video: "videoStartTime", sound: "startFromSound" };

const SLOWEST = 1 / 16;
const FASTEST = 16;

export const hasMedia = (clip: Overlay) => clip.type in IN_POINTS;

export const numberAt = (clip: Overlay, path: string, otherwise: number): number => {
  const value = valueAt(clip, path);
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
};

export const speedOf = (clip: Overlay) => limit(numberAt(clip, "speed", 1), SLOWEST, FASTEST);

/** Seconds of the source before the clip starts. */
export const inPointOf = (clip: Overlay) => numberAt(clip, IN_POINTS[clip.type] ?? "", 0);

/** The frame of the film at which the source ends, if its length is known. */
export function sourceEndOf(clip: Overlay, fps: number): number | undefined {
  const seconds = numberAt(clip, "mediaSrcDuration", 0);
  if (!hasMedia(clip) || segmentsOf(clip) || seconds <= 0) return undefined;
  return clip.from + Math.round(((seconds - inPointOf(clip)) * fps) / speedOf(clip));
}

/** The clip with its start moved by some frames, as far as its source and its end allow. Its end stays. */
export function trimStart(clip: Overlay, by: number, fps: number): Overlay {
  const frames = limit(Math.round(by), -roomBefore(clip, fps), clip.durationInFrames - 1);
  if (!frames) return clip;
  return {
    ...startingAt(clip, frames, fps),
    from: clip.from + frames,
    durationInFrames: clip.durationInFrames - frames,
  };
}

/** The clip with its end moved by some frames. */
export const trimEnd = (clip: Overlay, by: number): Overlay => ({
  ...clip,
  durationInFrames: Math.max(1, clip.durationInFrames + Math.round(by)),
});

/** Frames by which the start can move to the left. */
function roomBefore(clip: Overlay, fps: number): number {
  const segments = segmentsOf(clip);
  if (segments) return Math.floor((segments[0]?.startFrame ?? 0) / effectiveSpeed(clip, segments[0]));
  if (hasMedia(clip)) return Math.min(clip.from, Math.floor((inPointOf(clip) * fps) / speedOf(clip) + 1e-6));
  return Math.max(0, clip.from);
}

/** The clip whose content begins some frames later (or earlier): media from another in-point, captions that many frames sooner. */
function startingAt(clip: Overlay, frames: number, fps: number): Overlay {
  if (clip.type === "caption") return { ...clip, captions: captionsFrom(clip["captions"], (frames / fps) * 1000) };
  const segments = segmentsOf(clip);
  if (segments) return { ...clip, segments: segmentsFrom(clip, segments, frames) };
  const path = IN_POINTS[clip.type];
  if (!path) return clip;
  return { ...clip, [path]: rounded(Math.max(0, inPointOf(clip) + (frames * speedOf(clip)) / fps)) };
}

/** The two parts of a clip cut at a frame of the film inside it. The second one has no id yet. */
export function splitClip(clip: Overlay, frame: number, fps: number): [Overlay, Omit<Overlay, "id">] {
  const at = Math.round(frame) - clip.from;
  const first: Overlay = {
    ...without(clip, ["styles.animation.exit", "styles.animation.exitDuration", "styles.fadeOut"]),
    durationInFrames: at,
  };
  if (clip.type === "caption") first["captions"] = captionsUntil(clip["captions"], (at / fps) * 1000);
  const { id: _, ...second } = {
    ...settled(
      without(startingAt(clip, at, fps), ["styles.animation.enter", "styles.animation.enterDuration", "styles.fadeIn"]),
    ),
    from: clip.from + at,
    durationInFrames: clip.durationInFrames - at,
  };
  return [first, second];
}

/** The clip without the motions that its first part has already shown. Their clocks would start again. */
function settled(clip: Overlay): Overlay {
  let next = clip;
  for (const motion of ["animatedText", "typeWriter", "staggeredMotion", "counterMode"]) {
    const path = `styles.${motion}`;
    const value = valueAt(next, path);
    if (typeof value !== "object" || value === null || valueAt(value, "loop") === true) continue;
    const to = valueAt(value, "to");
    const isCounter = motion === "counterMode" && typeof to === "number";
    next = withValueAt(next, isCounter ? `${path}.from` : `${path}.enabled`, isCounter ? to : false);
  }
  return next;
}

/** The clip at another speed: it shows the same part of its source in another length. */
export function atSpeed(clip: Overlay, speed: number): Overlay {
  const next = rounded(limit(speed, SLOWEST, FASTEST));
  const length = Math.max(1, Math.round((clip.durationInFrames * speedOf(clip)) / next));
  return { ...clip, speed: next, durationInFrames: length };
}

/** The clip at the length given, as fast as its content then has to be. */
export function stretched(clip: Overlay, length: number): Overlay {
  const frames = Math.max(1, Math.round(length));
  const speed = limit((clip.durationInFrames * speedOf(clip)) / frames, SLOWEST, FASTEST);
  return { ...clip, speed: rounded(speed), durationInFrames: frames };
}

// Segments: parts of the source, one after another.

interface Segment {
  [key: string]: Json | undefined;
  startFrame: number;
  endFrame: number;
}

function segmentsOf(clip: Overlay): Segment[] | undefined {
  const { segments } = clip;
  if (!Array.isArray(segments)) return undefined;
  const usable = (segments as Segment[]).filter((segment) => segment && segment.endFrame > segment.startFrame);
  return usable.length ? usable : undefined;
}

const effectiveSpeed = (clip: Overlay, segment: Segment | undefined) =>
  Math.max(0.001, numberAt(clip, "speed", 1)) *
  Math.max(0.001, typeof segment?.["speed"] === "number" ? segment["speed"] : 1);

/** The segments after some frames of the clip; before its start, the first one begins earlier. */
function segmentsFrom(clip: Overlay, segments: Segment[], frames: number): Segment[] {
  let rest = frames;
  for (const [index, segment] of segments.entries()) {
    const speed = effectiveSpeed(clip, segment);
    const length = Math.max(1, Math.round((segment.endFrame - segment.startFrame) / speed));
    const isLast = index === segments.length - 1;
    if (rest < length || isLast) {
      const start = Math.max(0, segment.startFrame + Math.round(rest * speed));
      return [{ ...segment, startFrame: Math.min(start, segment.endFrame - 1) }, ...segments.slice(index + 1)];
    }
    rest -= length;
  }
  return segments;
}

// Captions: times in milliseconds from the start of the clip.

type Timed = { [key: string]: Json | undefined; startMs: number; endMs: number };

const listOf = (value: Json | undefined) => (Array.isArray(value) ? (value as Timed[]) : []);

function captionsFrom(captions: Json | undefined, ms: number): Json {
  return listOf(captions)
    .filter((caption) => caption.endMs > ms)
    .map((caption) => {
      const words = listOf(caption["words"]).filter((word) => (word.startMs + word.endMs) / 2 > ms);
      return withWords(caption, words, ms, Number.POSITIVE_INFINITY);
    })
    .filter((caption) => caption !== undefined) as Json;
}

function captionsUntil(captions: Json | undefined, ms: number): Json {
  return listOf(captions)
    .filter((caption) => caption.startMs < ms)
    .map((caption) => {
      const words = listOf(caption["words"]).filter((word) => (word.startMs + word.endMs) / 2 <= ms);
      return withWords(caption, words, 0, ms);
    })
    .filter((caption) => caption !== undefined) as Json;
}

/** A caption of the words that are left, between two times, its clock starting at the first. Nothing if no word is left. */
function withWords(caption: Timed, words: Timed[], from: number, until: number): Timed | undefined {
  const all = listOf(caption["words"]);
  if (all.length && !words.length) return undefined;
  const shift = <T extends Timed>(timed: T): T => ({
    ...timed,
    startMs: rounded(Math.max(0, timed.startMs - from)),
    endMs: rounded(Math.min(timed.endMs, until) - from),
  });
  const next = shift(caption);
  if (!all.length) return next;
  next["words"] = words.map(shift);
  if (words.length < all.length) next["text"] = words.map((word) => String(word["word"]).trim()).join(" ");
  if (typeof next["timestampMs"] === "number") next["timestampMs"] = rounded(Math.max(0, next["timestampMs"] - from));
  return next;
}

// Small helpers.

export const limit = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most));

/** Without the noise of floating point. */
export const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

/** The clip without the fields; objects that become empty stay away as well. */
export function without(clip: Overlay, paths: readonly string[]): Overlay {
  let next = clip;
  for (const path of paths) {
    if (valueAt(next, path) === undefined) continue;
    next = withValueAt(next, path, undefined);
    const holder = path.slice(0, path.lastIndexOf("."));
    const left = valueAt(next, holder);
    if (holder.includes(".") && typeof left === "object" && left && !Object.keys(left).length)
      next = withValueAt(next, holder, undefined);
  }
  return next;
}
