/** Decides at which size frames are painted, from how long each size takes. */

import type { Percent } from "./surface";

/** Weight of the latest frame in the average. */
const WEIGHT = 0.2;
/** Parts of a frame's time: above the first painting halves its size, below the second it may return to full size. */
const SLOW = 0.9;
const FAST = 0.6;
/** Full size is expected to take this many times as long as half size, until both are known. */
const RATIO = 3.5;
/** Half size is used where it takes less than this part of full size. Films of video alone may gain nothing by it. */
const GAIN = 1;
/** Frames in a row at full size that are enough to halve it, whatever the average says. */
const SLOW_ONES = 2;
/** Frames at half size by which it is judged. */
const ENOUGH = 20;
/** Milliseconds at half size before full size is tried again: at first, and at most after it was slow again. */
const PATIENCE = 8000;
const MOST_PATIENCE = 64_000;
/** Milliseconds for which half size is not tried again after it gained nothing. */
const LESSON = 5000;
/** Frames at rest that are not counted. */
const FIRST_ONES = 4;
/** Milliseconds of painting above which a frame is shown at half size first. */
const SLOW_AT_REST = 14;
/** What is left of the cost of a slow frame with each faster one after it. */
const MEMORY = 0.9;
/** What is left of the cost of half size with each frame at full size. */
const RETRY = 0.97;
/** Pixels of a frame that is shown at half size first while nothing is known. */
const LARGE = 1_000_000;

export class Pace {
  private cost: Record<Percent, number> = { 100: 0, 50: 0 };
  private halvedAt = 0;
  private patience = PATIENCE;
  /** Slow frames in a row at full size. */
  private slow = 0;
  /** What the latest frames at half size took. */
  private halves: number[] = [];
  private uselessUntil = -Infinity;
  percent: Percent = 100;

  /** Milliseconds that the next frame is expected to take. */
  get expected() {
    return this.cost[this.percent];
  }

  /** Counts a frame that took `spent` of the `frameTime` milliseconds it is shown. */
  count(percent: Percent, spent: number, frameTime: number, now: number) {
    const before = this.cost[percent];
    this.cost[percent] = before === 0 ? spent : before + (spent - before) * WEIGHT;
    if (percent !== this.percent) return;
    if (percent === 100) {
      this.slow = spent > SLOW * frameTime ? this.slow + 1 : 0;
      const isSlow = this.slow >= SLOW_ONES || this.cost[100] > SLOW * frameTime;
      if (!isSlow || now < this.uselessUntil) return;
      // The slow ones are what half size is compared with.
      this.cost[100] = Math.max(this.cost[100], spent);
      this.halve(now);
      return;
    }
    this.halves.push(spent);
    if (this.halves.length > ENOUGH) this.halves.shift();
    if (this.halves.length === ENOUGH && median(this.halves) > GAIN * this.cost[100]) {
      this.percent = 100;
      this.uselessUntil = now + LESSON;
    } else if (now - this.halvedAt > this.patience && this.cost[50] * RATIO < FAST * frameTime) {
      this.percent = 100;
      this.cost[100] = this.cost[50] * RATIO;
      this.patience = Math.min(this.patience * 2, MOST_PATIENCE);
    }
  }

  private halve(now: number) {
    // Frames with late pictures may have told already.
    if (this.cost[50] > GAIN * this.cost[100]) {
      this.uselessUntil = now + LESSON;
      return;
    }
    this.percent = 50;
    this.cost[50] ||= this.cost[100] / RATIO;
    this.halvedAt = now;
    this.halves = [];
    this.slow = 0;
  }
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Decides whether a frame at rest is worth showing at half size first. */
export class RestPace {
  private cost: Record<Percent, number> = { 100: 0, 50: 0 };
  /** Frames at each size so far: the first ones also decode images, make glyphs and compile the engine. */
  private counted: Record<Percent, number> = { 100: 0, 50: 0 };

  count(percent: Percent, spent: number) {
    if (++this.counted[percent] < FIRST_ONES) return;
    const before = this.cost[percent];
    if (percent === 100) {
      // The slow ones count: those are waited for.
      this.cost[100] = Math.max(spent, before * MEMORY);
      // Half size that did not pay is tried again after a while.
      this.cost[50] *= RETRY;
    } else this.cost[50] = before === 0 || spent < before ? spent : before + (spent - before) / 4;
  }

  /** Whether full size takes longer than someone who drags the playhead likes to wait, and half size does not. */
  halvesFirst(pixels: number): boolean {
    const full = this.cost[100];
    if (full === 0) return pixels >= LARGE;
    return full > SLOW_AT_REST && (this.cost[50] || full / RATIO) < full * 0.6;
  }
}
