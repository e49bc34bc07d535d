/** How long a clip takes to enter and to exit: an animation of a picture, a fade of a sound. */

import { type Overlay, valueAt, withValueAt } from "@/editor/model/film";
import { limit, numberAt, rounded, without } from "./cut";

export type Ramp = "enter" | "exit";

/** Frames of an animation whose length is not given. */
const DEFAULT_RAMP = 15;
/** What a clip without an animation gets when its handle is drawn. */
const DEFAULT_ANIMATION = "fade";

const FADES = { enter: "styles.fadeIn", exit: "styles.fadeOut" } as const;
const ANIMATIONS = { enter: "styles.animation.enter", exit: "styles.animation.exit" } as const;

/** Clips without a ramp: captions are timed by their words. */
export const hasRamps = (clip: Overlay) => clip.type !== "caption";

/** Frames of a ramp, 0 without one. */
export function rampOf(clip: Overlay, ramp: Ramp, fps: number): number {
  if (clip.type === "sound") return limit(Math.round(numberAt(clip, FADES[ramp], 0) * fps), 0, clip.durationInFrames);
  const name = valueAt(clip, ANIMATIONS[ramp]);
  if (typeof name !== "string" || !name || name === "none") return 0;
  const seconds = numberAt(clip, `${ANIMATIONS[ramp]}Duration`, -1);
  const frames = seconds >= 0 ? Math.max(1, Math.round(seconds * fps)) : DEFAULT_RAMP;
  return Math.min(frames, clip.durationInFrames);
}

/** The clip with a ramp of another length. Without a length it has none. */
export function withRamp(clip: Overlay, ramp: Ramp, frames: number, fps: number): Overlay {
  const seconds = rounded(frames / fps);
  if (clip.type === "sound") return frames ? withValueAt(clip, FADES[ramp], seconds) : without(clip, [FADES[ramp]]);
  const path = ANIMATIONS[ramp];
  if (!frames) return without(clip, [path, `${path}Duration`]);
  const named = rampOf(clip, ramp, fps) ? clip : withValueAt(clip, path, DEFAULT_ANIMATION);
  return withValueAt(named, `${path}Duration`, seconds);
}
