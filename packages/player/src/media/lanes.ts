/** The decoders of one picture track: one for each time of it that is shown at once. */

import type { VideoReader } from "./video";

/** Seconds that a decoder goes on rather than another one starts. */
const REACH = 2;
const EPSILON = 1e-6;

export interface Lane {
  reader: VideoReader;
  /** Tells the lanes of a track apart. */
  number: number;
  /** Seconds of the track that it was asked for last. */
  time: number;
  /** When that was, in milliseconds. */
  used: number;
}

export class Lanes {
  private lanes: Lane[] = [];

  constructor(private readonly track: VideoReader) {}

  /** The lane for a time of a frame that shows `times` times of the track. */
  at(time: number, times: number): Lane {
    const near = this.lanes
      .filter((lane) => lane.time <= time + EPSILON && time - lane.time <= REACH)
      .sort((a, b) => b.time - a.time)[0];
    const oldest = this.lanes.length < times ? undefined : this.byUse()[0];
    const lane = near ?? oldest ?? this.add();
    lane.time = time;
    lane.used = performance.now();
    return lane;
  }

  private add(): Lane {
    const numbers = this.lanes.map(({ number }) => number);
    const number = [...numbers.keys(), numbers.length].find((free) => !numbers.includes(free)) ?? 0;
    const lane = { reader: this.track.fork(), number, time: 0, used: 0 };
    this.lanes.push(lane);
    return lane;
  }

  /** The one that was not used for longest comes first. */
  private byUse(): Lane[] {
    return [...this.lanes].sort((a, b) => a.used - b.used);
  }

  /** Those that `count` overlays on screen do not use. */
  unused(count: number): Lane[] {
    return this.byUse().slice(0, Math.max(0, this.lanes.length - count));
  }

  /** Pictures that were told before are told again. */
  forget() {
    for (const { reader } of this.lanes) reader.forget();
  }

  close(lane: Lane) {
    this.lanes = this.lanes.filter((each) => each !== lane);
    lane.reader.close();
  }

  closeAll() {
    for (const lane of this.lanes) this.close(lane);
  }
}
