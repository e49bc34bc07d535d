/** Mixes the sound of a film in pieces, from a frame on. */

import type { Engine, Opened } from "./engine";
import type { OpenFilm } from "./film";
import type { Media } from "./media";

const RATE = 48_000;

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
    for (let attempt = 0; attempt < 3; attempt++) {
      this.begin(run);
      const changes = this.open.changes;
      const wanted = this.engine.needsSound(seconds);
      const sounds = await Promise.all(
        wanted.map(async ({ src, from, to }) => {
          const facts = await this.media.clip(src);
          return { src, sound: facts?.sound ? await this.media.sound(src, from, to) : null };
        }),
      );
      if (this.run !== run) return;
      // Another film was opened meanwhile.
      if (this.open.changes !== changes) continue;
      for (const { src, sound } of sounds)
        if (sound) this.engine.samples(src, sound.from, sound.rate, sound.channels, sound.data);
      const mixed = this.engine.mix(count);
      const [left, right] = [new Float32Array(count), new Float32Array(count)];
      for (let index = 0; index < count; index++) {
        left[index] = mixed[index * 2] ?? 0;
        right[index] = mixed[index * 2 + 1] ?? 0;
      }
      run.mixed += count;
      this.send(id, left, right);
      return;
    }
  }

  /** Begins the mix, or begins it again where it was when the engine opened another film. */
  private begin(run: Run) {
    const opened = this.open.use(run.json) as Opened;
    if (run.changes === this.open.changes || !opened.media) return;
    run.changes = this.open.changes;
    this.engine.startSound(run.frame + Math.round((run.mixed / RATE) * run.fps));
  }
}
