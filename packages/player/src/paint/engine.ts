/** Typed access to the exports of the wasm module. One engine holds one film at a time. */

import type {
  CodedPicture,
  ImagePicture,
  ImageRequest,
  OverlayOutline,
  PlanesFacts,
  StillPicture,
  Warning,
} from "../protocol";

interface Exports {
  memory: WebAssembly.Memory;
  alloc(length: number): number;
  answer_ptr(): number;
  answer_len(): number;
  fonts(index: number, length: number): void;
  font(name: number, nameLength: number, bytes: number, bytesLength: number): void;
  open(json: number, length: number): void;
  image(src: number, srcLength: number, bytes: number, bytesLength: number): void;
  decoded(src: number, srcLength: number, planes: number, planesLength: number, json: number, jsonLength: number): void;
  undecoded(src: number, srcLength: number): void;
  decode(bytes: number, length: number, width: number, height: number): void;
  keep(
    src: number,
    srcLength: number,
    key: number,
    pixels: number,
    length: number,
    width: number,
    height: number,
    opaque: number,
  ): void;
  clip(src: number, srcLength: number, json: number, jsonLength: number): void;
  sound(src: number, srcLength: number): void;
  missing(kind: number, kindLength: number, src: number, srcLength: number): void;
  needs(frame: number): void;
  ahead(frame: number): void;
  outlines(frame: number): void;
  hit(frame: number, x: number, y: number): void;
  said(frame: number, index: number, x: number, y: number): void;
  picture(
    src: number,
    srcLength: number,
    time: number,
    planes: number,
    planesLength: number,
    json: number,
    jsonLength: number,
  ): void;
  paint(frame: number, percent: number): number;
  pixels_ptr(): number;
  pixels_width(): number;
  pixels_height(): number;
  dirty(): void;
  warnings(): void;
  mix_from(frame: number): void;
  needs_sound(seconds: number): void;
  needs_level(seconds: number): void;
  measure(seconds: number): void;
  samples(
    src: number,
    srcLength: number,
    from: number,
    rate: number,
    channels: number,
    data: number,
    dataLength: number,
  ): void;
  mix(frames: number): number;
}

export type Kind = "image" | "video" | "sound";

export interface Source {
  src: string;
  kind: Kind;
  /** Whether the engine was given it before and still has it. */
  known: boolean;
}

export interface Opened {
  width: number;
  height: number;
  fps: number;
  durationInFrames: number;
  media: Source[];
}

export interface Refused {
  error: string;
  problems?: Warning[];
}

export interface Needs {
  fonts: string[];
  pictures: { src: string; time: number }[];
}

/** Seconds of a source that are needed. */
export interface Stretch {
  src: string;
  from: number;
  to: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Engine {
  private constructor(private readonly wasm: Exports) {}

  static async start(module: WebAssembly.Module): Promise<Engine> {
    const { exports } = await WebAssembly.instantiate(module, {});
    return new Engine(exports as unknown as Exports);
  }

  /** Copies bytes into the engine, which owns them from the next call on. */
  private put(bytes: Uint8Array): [number, number] {
    const pointer = this.wasm.alloc(bytes.length);
    new Uint8Array(this.wasm.memory.buffer, pointer, bytes.length).set(bytes);
    return [pointer, bytes.length];
  }

  private putText(text: string): [number, number] {
    return this.put(encoder.encode(text));
  }

  private answer<T>(): T {
    const bytes = new Uint8Array(this.wasm.memory.buffer, this.wasm.answer_ptr(), this.wasm.answer_len());
    return JSON.parse(decoder.decode(bytes)) as T;
  }

  /** Throws when the index cannot be read. */
  fonts(index: string) {
    this.wasm.fonts(...this.putText(index));
    const { error } = this.answer<Partial<Refused>>();
    if (error) throw new Error(`The list of fonts cannot be read: ${error}`);
  }

  /** Gives a font file or a dictionary. No bytes: it cannot be loaded. */
  font(name: string, bytes: Uint8Array) {
    this.wasm.font(...this.putText(name), ...this.put(bytes));
  }

  open(json: string): Opened | Refused {
    this.wasm.open(...this.putText(json));
    return this.answer();
  }

  /** Gives the file of an image. Returns what of it is to be decoded elsewhere; throws when it is no picture. */
  image(src: string, bytes: Uint8Array): CodedPicture[] {
    this.wasm.image(...this.putText(src), ...this.put(bytes));
    const answer = this.answer<{ error?: string; parts?: { codec: string; at: number; length: number }[] }>();
    if (answer.error !== undefined) throw new Error(answer.error);
    const { buffer } = this.wasm.memory;
    return (answer.parts ?? []).map(({ codec, at, length }) => ({ codec, data: buffer.slice(at, at + length) }));
  }

  /** Gives the decoded pictures of an image; throws when they cannot be used. */
  decoded(src: string, pictures: StillPicture[]) {
    const planes = new Uint8Array(pictures.reduce((sum, { planes }) => sum + planes.byteLength, 0));
    let at = 0;
    for (const picture of pictures) {
      planes.set(new Uint8Array(picture.planes), at);
      at += picture.planes.byteLength;
    }
    const facts = this.putText(JSON.stringify(pictures.map((picture) => picture.facts)));
    this.wasm.decoded(...this.putText(src), ...this.put(planes), ...facts);
    const { error } = this.answer<{ error?: string }>();
    if (error !== undefined) throw new Error(error);
  }

  /** The file of an image that was not decoded yet, and the size of the picture to make of it; null for others. */
  undecoded(src: string): ImageRequest | null {
    this.wasm.undecoded(...this.putText(src));
    const found = this.answer<(Omit<ImageRequest, "src" | "file"> & { at: number; length: number }) | null>();
    if (!found) return null;
    const { at, length, ...facts } = found;
    return { src, ...facts, file: this.wasm.memory.buffer.slice(at, at + length) };
  }

  /** Decodes a file that another engine has; null when it cannot be decoded. */
  decode(file: ArrayBuffer, width: number, height: number): ImagePicture | null {
    this.wasm.decode(...this.put(new Uint8Array(file)), width, height);
    const decoded = this.answer<{ at: number; length: number; opaque: boolean } | null>();
    if (!decoded) return null;
    const { at, length, opaque } = decoded;
    return { pixels: this.wasm.memory.buffer.slice(at, at + length), width, height, opaque };
  }

  /** Gives the picture of an image that another engine decoded. */
  keep(src: string, key: number, { pixels, width, height, opaque }: ImagePicture) {
    const name = this.putText(src);
    this.wasm.keep(...name, key, ...this.put(new Uint8Array(pixels)), width, height, Number(opaque));
  }

  clip(src: string, facts: { width: number; height: number; duration: number; sound: boolean }) {
    this.wasm.clip(...this.putText(src), ...this.putText(JSON.stringify(facts)));
  }

  /** A sound can be decoded. */
  sound(src: string) {
    this.wasm.sound(...this.putText(src));
  }

  missing(kind: Kind, src: string) {
    this.wasm.missing(...this.putText(kind), ...this.putText(src));
  }

  needs(frame: number): Needs {
    this.wasm.needs(frame);
    return this.answer();
  }

  /**
   * Prepares one more overlay of those that are shown from a frame on. Answers whether there are others, and the fonts that
   * are lacking.
   */
  ahead(frame: number): { more: boolean; fonts: string[] } {
    this.wasm.ahead(frame);
    return this.answer();
  }

  /** Where the overlays of a frame are, back to front. */
  outlines(frame: number): OverlayOutline[] {
    this.wasm.outlines(frame);
    return this.answer();
  }

  /** The overlays at a point by their index, the one in front first. */
  hit(frame: number, x: number, y: number): number[] {
    this.wasm.hit(frame, x, y);
    return this.answer();
  }

  /** When the word of captions at a point is said, in milliseconds of the overlay; null without words. */
  said(frame: number, index: number, x: number, y: number): number | null {
    this.wasm.said(frame, index, x, y);
    return this.answer();
  }

  picture(src: string, time: number, planes: ArrayBuffer, facts: PlanesFacts) {
    const name = this.putText(src);
    this.wasm.picture(...name, time, ...this.put(new Uint8Array(planes)), ...this.putText(JSON.stringify(facts)));
  }

  /** Paints a frame; throws when it cannot. */
  paint(frame: number, percent: 100 | 50) {
    if (this.wasm.paint(frame, percent) === 0) throw new Error(this.answer<Refused>().error);
  }

  /** The painted pixels, valid until the next call. */
  pixels(): ImageData {
    const [width, height] = [this.wasm.pixels_width(), this.wasm.pixels_height()];
    const bytes = new Uint8ClampedArray(this.wasm.memory.buffer, this.wasm.pixels_ptr(), width * height * 4);
    return new ImageData(bytes as Uint8ClampedArray<ArrayBuffer>, width, height);
  }

  /** What is wrong with the overlays that are prepared, as far as their fonts and media are there. */
  warnings(): Warning[] {
    this.wasm.warnings();
    return this.answer();
  }

  /** What changed since the last painting of the same size. */
  dirty(): Box[] {
    this.wasm.dirty();
    return this.answer();
  }

  startSound(frame: number) {
    this.wasm.mix_from(frame);
  }

  needsSound(seconds: number): Stretch[] {
    this.wasm.needs_sound(seconds);
    return this.answer();
  }

  /** What measuring the next seconds of the film's loudness needs; null when there is nothing to measure. */
  needsLevel(seconds: number): Stretch[] | null {
    this.wasm.needs_level(seconds);
    return this.answer();
  }

  /** Measures the next seconds of the film's loudness. */
  measure(seconds: number) {
    this.wasm.measure(seconds);
  }

  samples(src: string, from: number, rate: number, channels: number, data: ArrayBuffer) {
    const name = this.putText(src);
    this.wasm.samples(...name, from, rate, channels, ...this.put(new Uint8Array(data)));
  }

  /** The next piece, interleaved stereo at 48 kHz; null when nothing sounds. */
  mix(frames: number): Float32Array | null {
    const pointer = this.wasm.mix(frames);
    return pointer === 0 ? null : new Float32Array(this.wasm.memory.buffer, pointer, frames * 2);
  }
}
