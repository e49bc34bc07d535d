/** Mixes the sound of a film in pieces, from a frame on. */

import type { Engine } from "./engine";
import { isRefused, type OpenFilm } from "./film";
import type { Media, Sound } from "./media";

const RATE = 48_000;
/** Times that sound is asked for before what is there is mixed. */
const ATTEMPTS = 4;

interface Run {
  id: number;
  json: string;
  fps: number;
  frame: number;
  /** Samples mixed so far. */
  mixed: number;
  /** State of the engine in which the mix was begun. */
  changes: number;
}

export class Mixer {
  private run: Run | null = null;
  private work: Promise<void> = Promise.resolve();

  constructor(
    private readonly engine: Engine,
    private readonly open: OpenFilm,
    private readonly media: Media,
    private readonly send: (run: number, left: Float32Array<ArrayBuffer>, right: Float32Array<ArrayBuffer>) => void,
  ) {}

  start(id: number, json: string, fps: number, frame: number) {
    this.run = { id, json, fps, frame, mixed: 0, changes: -1 };
  }

  stop() {
    this.run = null;
  }

  /** Mixes the next piece of a run. */
  mix(id: number, seconds: number) {
    this.work = this.work.then(() => this.piece(id, seconds)).catch(() => undefined);
  }

  private async piece(id: number, seconds: number) {
    const run = this.run;
    if (run?.id !== id) return;
    const count = Math.round(seconds * RATE);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await this.begin(run);
      if (this.run !== run) return;
      const { changes } = this.open;
      const wanted = run.changes === changes ? this.engine.needsSound(seconds) : [];
      const sounds = await Promise.all(
        wanted.map(async ({ src, from, to }) => ({ src, to, sound: await this.media.sound(src, from, to) })),
      );
      if (this.run !== run) return;
      // Another film was opened meanwhile.
      if (run.changes !== this.open.changes) continue;
      for (const { src, to, sound } of sounds) this.give(src, to, sound);
      // What was just given may not be all: sources play several times.
      if (wanted.length > 0 && attempt + 1 < ATTEMPTS) continue;
      this.sendPiece(run, count);
      return;
    }
  }

  private give(src: string, to: number, { from, rate, channels, data }: Sound) {
    const end = from + data.byteLength / 4 / channels / rate;
    this.engine.samples(src, from, rate, channels, data);
    // No samples tell the engine that the sound is over.
    if (data.byteLength > 0 && end < to - 1 / rate) this.engine.samples(src, end, rate, channels, new ArrayBuffer(0));
  }

  private sendPiece(run: Run, count: number) {
    const [left, right] = [new Float32Array(count), new Float32Array(count)];
    const mixed = this.engine.mix(count);
    for (let index = 0; mixed && index < count; index++) {
      left[index] = mixed[index * 2] ?? 0;
      right[index] = mixed[index * 2 + 1] ?? 0;
    }
    run.mixed += count;
    this.send(run.id, left, right);
  }

  /** Begins the mix, or begins it again where it was when the engine opened another film. */
  private async begin(run: Run) {
    const opened = this.open.use(run.json);
    if (isRefused(opened) || run.changes === this.open.changes) return;
    // The mix is of the sources that are known when it begins.
    await Promise.all(opened.media.map(({ src, kind }) => (kind === "image" ? null : this.media.declare(kind, src))));
    if (this.run !== run) return;
    this.open.use(run.json);
    run.changes = this.open.changes;
    this.engine.startSound(run.frame + Math.round((run.mixed / RATE) * run.fps));
  }
}
