/** Frames as people read them, and the ticks of the ruler. */

/** Minutes, seconds and frames: "00:02:15", with hours if there are any: "1:00:02:15". */
export function timeCode(frame: number, fps: number): string {
  const rate = Math.max(1, Math.round(fps));
  const whole = Math.max(0, Math.round(frame));
  const seconds = Math.floor(whole / rate);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60, whole % rate].map(twoDigits).join(":");
  const hours = Math.floor(seconds / 3600);
  return hours ? `${hours}:${parts}` : parts;
}

/** Minutes and seconds: "0:02", "1:05:00", with tenths if the second is not whole: "0:02.5". */
export function clockTime(frame: number, fps: number): string {
  const tenths = Math.round((Math.max(0, frame) / fps) * 10);
  const seconds = Math.floor(tenths / 10);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const start = hours ? `${hours}:${twoDigits(minutes % 60)}` : String(minutes);
  return `${start}:${twoDigits(seconds % 60)}${tenths % 10 ? `.${tenths % 10}` : ""}`;
}

const twoDigits = (value: number) => String(value).padStart(2, "0");

/** Distances of labels, in seconds, and into how many parts small ticks divide them. */
const SECONDS = [
  [1, 4],
  [2, 4],
  [5, 5],
  [10, 5],
  [15, 3],
  [30, 6],
  [60, 6],
  [120, 4],
  [300, 5],
  [600, 5],
  [1800, 6],
  [3600, 6],
] as const;

const LABEL_WIDTH = 76;

export interface Ticks {
  /** Frames between labels; not whole if the frame rate is not. */
  major: number;
  /** Small ticks between two labels, the label's own included. */
  parts: number;
}

/** The densest ticks whose labels fit, at so many pixels a frame. */
export function ticksFor(zoom: number, fps: number): Ticks {
  for (const major of [1, 2, 5, 10, 15])
    if (major < fps && major * zoom >= LABEL_WIDTH)
      return { major, parts: major * zoom > 160 && major === 1 ? 1 : major };
  for (const [seconds, parts] of SECONDS)
    if (seconds * fps * zoom >= LABEL_WIDTH) return { major: seconds * fps, parts };
  return { major: 3600 * fps, parts: 6 };
}

/** The label of a tick: whole seconds as a time, frames between them as "+15". */
export function tickLabel(frame: number, fps: number): string {
  const rest = Math.round(frame) % Math.round(fps);
  return Number.isInteger(fps) && rest ? `+${rest}` : clockTime(frame, fps);
}
