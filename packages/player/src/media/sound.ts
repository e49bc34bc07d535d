/** A file's sound, from exact positions on. */

import { AudioSampleSink, EncodedPacketSink, type InputAudioTrack } from "mediabunny";

/** Seconds decoded ahead of a position, so that decoders with memory have settled. */
const PREROLL = 0.5;
/** Timestamps may disagree with the count of samples by this many seconds. */
const JITTER = 0.05;
/** Seconds behind the last reading position that are kept. */
const KEPT = 2;

interface Piece {
  /** Index of the first sample since second 0. */
  start: number;
  frames: number;
  /** Interleaved. */
  data: Float32Array;
}

export interface Samples {
  from: number;
  rate: number;
  channels: number;
  data: Float32Array<ArrayBuffer>;
}

export class SoundReader {
  private pieces: Piece[] = [];
  private running: AsyncGenerator<{ start: number; piece: Piece }> | null = null;
  /** The sample after the last decoded one. */
  private due = 0;
  private ended = false;
  private work: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly sink: AudioSampleSink,
    private readonly rate: number,
    private readonly channels: number,
    /** Seconds of the track's clock at second 0. */
    private readonly origin: number,
  ) {}

  /** `origin` is the time of the first picture; null for the first sample, where `delay` samples are left out. */
  static async open(track: InputAudioTrack, origin: number | null, delay: number): Promise<SoundReader> {
    const rate = await track.getSampleRate();
    const first = origin ?? Math.max(0, await firstSound(track)) + delay / rate;
    return new SoundReader(new AudioSampleSink(track), rate, await track.getNumberOfChannels(), first);
  }

  read(from: number, to: number): Promise<Samples> {
    const next = this.work.then(() => this.collect(from, to));
    this.work = next.catch(() => undefined);
    return next;
  }

  private async collect(from: number, to: number): Promise<Samples> {
    const first = Math.max(0, Math.floor(from * this.rate));
    const last = Math.max(first, Math.ceil(to * this.rate));
    const oldest = this.pieces[0]?.start ?? this.due;
    const near = first >= oldest && first <= this.due + this.rate * PREROLL * 2;
    if (!near || (!this.running && !this.ended)) await this.restart(first / this.rate);
    while (!this.ended && this.due < last) await this.decode();
    const end = Math.min(last, Math.max(this.due, first));
    const data = new Float32Array((end - first) * this.channels);
    for (const piece of this.pieces) {
      const start = Math.max(first, piece.start);
      const stop = Math.min(end, piece.start + piece.frames);
      if (start >= stop) continue;
      const part = piece.data.subarray((start - piece.start) * this.channels, (stop - piece.start) * this.channels);
      data.set(part, (start - first) * this.channels);
    }
    const kept = first - KEPT * this.rate;
    this.pieces = this.pieces.filter((piece) => piece.start + piece.frames > kept);
    return { from: first / this.rate, rate: this.rate, channels: this.channels, data };
  }

  private async restart(time: number) {
    await this.running?.return(undefined);
    this.pieces = [];
    this.ended = false;
    this.due = -1;
    this.running = this.decodeFrom(Math.max(0, time - PREROLL));
    await this.decode();
  }

  private async decode() {
    const next = await this.running?.next();
    if (!next || next.done) {
      this.ended = true;
      this.running = null;
      this.due = Math.max(this.due, 0);
      return;
    }
    this.pieces.push(next.value.piece);
    this.due = next.value.start + next.value.piece.frames;
  }

  private async *decodeFrom(time: number): AsyncGenerator<{ start: number; piece: Piece }> {
    let due: number | null = null;
    for await (const sample of this.sink.samples(this.origin + time)) {
      const stamp = Math.round((sample.timestamp - this.origin) * this.rate);
      const start: number = due === null || Math.abs(stamp - due) > JITTER * this.rate ? stamp : due;
      const frames = sample.numberOfFrames;
      const data = new Float32Array(frames * this.channels);
      // Another count of channels than the header's is rare; what fits is taken.
      if (sample.numberOfChannels === this.channels) sample.copyTo(data, { planeIndex: 0, format: "f32" });
      sample.close();
      due = start + frames;
      yield { start, piece: { start, frames, data } };
    }
  }

  close() {
    void this.running?.return(undefined);
    this.running = null;
    this.ended = true;
    this.pieces = [];
  }
}

async function firstSound(track: InputAudioTrack): Promise<number> {
  const packet = await new EncodedPacketSink(track).getFirstPacket({ metadataOnly: true });
  return packet?.timestamp ?? 0;
}
