/** Decides at which size frames are painted while playing, from how long painting takes. */

import type { Percent } from "./surface";

/** Weight of the latest frame in the average. */
const WEIGHT = 0.2;
/** Parts of a frame's time: above the first painting halves its size, below the second it may return to full size. */
const SLOW = 0.9;
const FAST = 0.6;
/** Full size takes about this many times as long as half size. */
const RATIO = 3.5;
/** Milliseconds at half size before full size is tried again. */
const PATIENCE = 4000;

export class Pace {
  private cost: Record<Percent, number> = { 100: 0, 50: 0 };
  private halvedAt = 0;
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
    if (percent === 100 && this.cost[100] > SLOW * frameTime) {
      this.percent = 50;
      this.cost[50] = this.cost[100] / RATIO;
      this.halvedAt = now;
    } else if (percent === 50 && now - this.halvedAt > PATIENCE && this.cost[50] * RATIO < FAST * frameTime) {
      this.percent = 100;
      this.cost[100] = this.cost[50] * RATIO;
    }
  }
}
