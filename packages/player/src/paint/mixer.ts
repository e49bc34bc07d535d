/** Mixes the sound of a film in pieces, from a frame on. */

import type { Engine, Stretch } from "./engine";
import { type Film, isRefused, type OpenFilm } from "./film";
import type { Media, Sound } from "./media";
import { tick } from "./time";

const RATE = 48_000;
/** Times that sound is asked for before what is there is mixed. */
const ATTEMPTS = 4;
/** Seconds of sound whose loudness is measured at a time, and milliseconds for which playing waits for it. */
const MEASURED = 2;
const MOST_MEASURING = 2000;

/** A film as it is heard. */
export interface SoundFilm {
  film: Film;
  json: string;
  fps: number;
}

interface Run extends SoundFilm {
  id: number;
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

  start(id: number, film: SoundFilm, frame: number) {
    this.run = { ...film, id, frame, mixed: 0, changes: -1 };
  }

  stop() {
    this.run = null;
  }

  /** Mixes the next piece of a run. */
  mix(id: number, seconds: number) {
    this.queue(() => this.piece(id, seconds));
  }

  /** Measures the loudness of a film that rests, if one is asked for, until something is played. */
  measureAhead(film: SoundFilm) {
    if (this.run) return;
    this.start(0, film, 0);
    const { run } = this;
    this.queue(async () => {
      if (run && this.run === run && (await this.ready(run))) await this.measure(run, Infinity);
      if (this.run === run) this.run = null;
    });
  }

  private queue(work: () => Promise<void>) {
    this.work = this.work.then(work).catch(() => undefined);
  }

  private async piece(id: number, seconds: number) {
    const run = this.run;
    if (run?.id !== id) return;
    for (let attempt = 0; attempt < ATTEMPTS && this.run === run; attempt++) {
      await this.begin(run);
      if (!this.isOn(run) || !(await this.supply(run, () => this.engine.needsSound(seconds)))) continue;
      this.sendPiece(run, Math.round(seconds * RATE));
      return;
    }
  }

  /** Whether a run goes on with the film that is open. */
  private isOn(run: Run) {
    return this.run === run && run.changes === this.open.changes;
  }

  /** Gives the engine sound that it needs; false when another film was opened meanwhile, or the run ended. */
  private async supply(run: Run, needs: () => Stretch[]): Promise<boolean> {
    // What was just given may not be all: sources play several times.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const wanted = needs();
      if (wanted.length === 0) break;
      const sounds = await Promise.all(
        wanted.map(async ({ src, from, to }) => ({ src, to, sound: await this.media.sound(src, from, to) })),
      );
      if (!this.isOn(run)) return false;
      for (const { src, to, sound } of sounds) this.give(src, to, sound);
    }
    return true;
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
    if (this.isOn(run) || !(await this.ready(run))) return;
    await this.measure(run, MOST_MEASURING);
    if (this.isOn(run)) this.engine.startSound(run.frame + Math.round((run.mixed / RATE) * run.fps));
    else run.changes = -1;
  }

  /** Opens the film of a run with its sources; false when that cannot be, or the run ended. */
  private async ready(run: Run): Promise<boolean> {
    const opened = this.open.use(run.film, run.json);
    if (isRefused(opened)) return false;
    // The mix is of the sources that are known when it begins. What cannot be decoded is not called missing: the service has it.
    const sources = this.media.decodes ? opened.media : [];
    await Promise.all(sources.map(({ src, kind }) => (kind === "image" ? null : this.media.declare(kind, src))));
    if (this.run !== run) return false;
    this.open.use(run.film, run.json);
    run.changes = this.open.changes;
    return true;
  }

  /** Measures the film's loudness from where it was left, for at most some milliseconds. */
  private async measure(run: Run, most: number) {
    const end = performance.now() + most;
    while (this.isOn(run) && performance.now() < end && this.engine.needsLevel(MEASURED)) {
      if (!(await this.supply(run, () => this.engine.needsLevel(MEASURED) ?? []))) return;
      this.engine.measure(MEASURED);
      await tick();
    }
  }
}
