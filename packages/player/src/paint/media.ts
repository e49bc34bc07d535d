/** What painting needs from elsewhere: font files, dictionaries, images, clips and their pictures. Each is loaded once. */

import type {
  ClipFacts,
  CodedPicture,
  MediaAnswer,
  MediaRequest,
  PlanesFacts,
  StillPicture,
  Warning,
} from "../protocol";
import { Passing, repeat, request } from "../requests";
import { sentence } from "../sentence";
import type { Engine, Kind, Source } from "./engine";
import { MissingFonts } from "./missing-fonts";

/** Pictures waiting in memory until the frame that shows them is painted, at least. */
const WAITING = 8;
/** Bytes of images that are kept for films to come. */
const IMAGES_KEPT = 64 << 20;

/** Decoded planes; shared where several times show the same picture. */
interface Planes {
  bytes: ArrayBuffer;
  facts: PlanesFacts;
}

export interface Sound {
  from: number;
  rate: number;
  channels: number;
  data: ArrayBuffer;
}

/** Whether a picture is waited for, or looked at in passing, where one nearby may do. */
export type Hurry = "no" | "seek" | "drag";

/** The picture that a decoder gave last. */
interface Last {
  src: string;
  time: number;
  planes: Planes;
}

interface PictureRequest {
  id: number;
  src: string;
  done: Promise<boolean>;
  settle: (arrived: boolean) => void;
}

interface Clip {
  /** Of the request that opens it. */
  id: number;
  facts: Promise<ClipFacts | null>;
  settle: (facts: ClipFacts | null) => void;
  /** Undefined while it is opened. */
  settled: ClipFacts | null | undefined;
  problem: string;
}

/** Where files come from that the engine asks for by name. */
interface Places {
  /** The folder of the font files. */
  fonts: string;
  dictionaries: Record<string, string>;
}

interface Page {
  /** Addresses to try for a source. */
  addresses(src: string): string[];
  /** Whether the service paints frames of the film. */
  isServed(): boolean;
  /** The JSON of the film. */
  film(): string;
  warn(warning: Warning): void;
  /** Asks for a port to the media worker. */
  wantPort(): void;
}

const UNDECODABLE = "This browser cannot decode it here.";

const isInline = (address: string) => /^data:/i.test(address);

const isAbsolute = (address: string) => /^[a-z][a-z0-9+.-]*:/i.test(address);

const keyOf = (src: string, time: number) => `${time} ${src}`;
/** The source in a key of this kind. */
const sourceIn = (key: string) => key.slice(key.indexOf(" ") + 1);

export class Media {
  private fonts = new Map<string, Promise<void>>();
  private images = new Map<string, Promise<void>>();
  /** Images that the engine was given. */
  private given = new Set<string>();
  /** Their files, by their addresses: outside of this worker's memory, the latest at the end. */
  private files = new Map<string, Blob>();
  /** Images and video that this browser cannot decode. The service paints frames with them, or they are left out. */
  readonly undecoded = new Set<string>();
  private clips = new Map<string, Clip>();
  private declared = new Map<string, Promise<void>>();
  /** Pictures that were decoded and not yet given to the engine, by time and source. */
  private arrived = new Map<string, Planes>();
  private asked = new Map<string, PictureRequest>();
  /** The last picture of each decoder, by its lane and source. */
  private last = new Map<string, Last>();
  /** What was told of overlays that show video. */
  private shown = "";
  /** Pictures that may wait until their frame is painted. */
  private room = WAITING;
  /** Times for which the engine was given another picture. */
  private stale = new Set<string>();
  /** What was told of videos and images whose pictures differ from those of the service. */
  private lossy = new Map<string, Warning>();
  private sounds = new Map<number, (sound?: Sound) => void>();
  private stills = new Map<
    number,
    { src: string; resolve: (pictures: StillPicture[]) => void; reject: (error: Error) => void }
  >();
  private port: MessagePort | null = null;
  private queue: MediaRequest[] = [];
  private ids = 0;
  /** What was told of sources that are missing, by kind and source. */
  private missing = new Map<string, Warning>();
  private missingFonts = new MissingFonts();
  /** Sources that are missing because there was no worker. */
  private lostSources = new Set<string>();
  /** Where the files of relative sources are. */
  private located = new Map<string, string>();
  /** Grows each time some of them are elsewhere. */
  moves = 0;

  constructor(
    private readonly engine: Engine,
    private readonly places: Places,
    /** Whether the browser decodes video and sound. */
    readonly decodes: boolean,
    private readonly page: Page,
  ) {}

  connect(port: MessagePort) {
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<MediaAnswer>) => this.receive(data);
    for (const request of this.queue.splice(0)) port.postMessage(request);
  }

  private send(request: MediaRequest) {
    if (this.port) this.port.postMessage(request);
    else {
      if (this.queue.length === 0) this.page.wantPort();
      this.queue.push(request);
    }
  }

  /** A file of the service by its name: a font or a dictionary. Or a font of the film by its address. */
  font(name: string): Promise<void> {
    return once(this.fonts, name, async () => {
      const dictionary = this.places.dictionaries[name];
      const film = this.page.film();
      const bytes = await firstOf(dictionary ? [dictionary] : this.fontPlaces(name)).catch(() => {
        const warning = this.missingFonts.add(name, dictionary !== undefined, film);
        // Another film may be open by now.
        if (this.missingFonts.of(this.page.film()).includes(warning)) this.page.warn(warning);
      });
      this.engine.font(name, bytes ?? new Uint8Array());
    });
  }

  /** Where a font may be: names that are no addresses are of the service, or beside the film. */
  private fontPlaces(name: string): string[] {
    const served = isAbsolute(name) ? [] : [new URL(name, this.places.fonts).href];
    return [...served, ...this.page.addresses(name)];
  }

  async image(src: string): Promise<void> {
    await once(this.images, src, () => {
      const loading: Promise<void> = this.loadImage(src, () => this.images.get(src) === loading);
      return loading;
    });
    this.loseUndecoded("image", src);
  }

  /** What this browser cannot decode is missing where the service does not paint it. */
  private loseUndecoded(kind: Exclude<Kind, "sound">, src: string) {
    if (this.undecoded.has(src) && !this.page.isServed()) this.lose(kind, src, UNDECODABLE);
  }

  private async loadImage(src: string, isWanted: () => boolean): Promise<void> {
    try {
      const bytes = await this.file(this.page.addresses(src));
      if (!isWanted()) return;
      this.given.add(src);
      const coded = this.engine.image(src, bytes);
      if (coded.length === 0) return;
      const pictures = await this.decode(src, coded).catch(() => null);
      if (!isWanted()) return;
      if (!pictures) {
        this.undecoded.add(src);
        return;
      }
      // Only planes that are not those of the stream tell their colour.
      if (pictures.some(({ facts }) => facts.matrix)) this.noteLoss(src);
      this.engine.decoded(src, pictures);
    } catch (error) {
      if (isWanted()) this.lose("image", src, sentence(error));
    }
  }

  /** The file of an image. It is kept for other films, when its server may be gone. */
  private async file(addresses: string[]): Promise<Uint8Array<ArrayBuffer>> {
    const name = addresses.join("\n");
    const known = this.files.get(name);
    if (known) return new Uint8Array(await known.arrayBuffer());
    const bytes = await firstOf(addresses);
    if (!isInline(name)) this.files.set(name, new Blob([bytes]));
    let size = 0;
    for (const [other, blob] of [...this.files].reverse()) {
      size += blob.size;
      if (size > IMAGES_KEPT) this.files.delete(other);
    }
    return bytes;
  }

  /** Has pictures of an image decoded; rejects when that cannot be done here. */
  private decode(src: string, parts: CodedPicture[]): Promise<StillPicture[]> {
    if (!this.decodes) return Promise.reject(new Error(UNDECODABLE));
    const id = ++this.ids;
    return new Promise((resolve, reject) => {
      this.stills.set(id, { src, resolve, reject });
      this.send({ type: "still", id, parts });
    });
  }

  /** What is known of a file; null when it cannot be read. */
  private clip(src: string): Clip {
    const known = this.clips.get(src);
    if (known) return known;
    const id = ++this.ids;
    const { promise, resolve } = deferred<ClipFacts | null>();
    const clip: Clip = { id, facts: promise, settle: resolve, settled: undefined, problem: "" };
    this.clips.set(src, clip);
    if (this.decodes) this.send({ type: "open", id, src, addresses: this.page.addresses(src) });
    else this.settleClip(id, src, null, UNDECODABLE);
    return clip;
  }

  private settleClip(id: number, src: string, facts: ClipFacts | null, problem: string) {
    const clip = this.clips.get(src);
    if (clip?.id !== id) return;
    clip.settled = facts;
    clip.problem = problem;
    clip.settle(facts);
  }

  /** Tells the engine of a video or sound once its file was opened. */
  async declare(kind: Exclude<Kind, "image">, src: string): Promise<void> {
    await once(this.declared, `${kind} ${src}`, async () => {
      const clip = this.clip(src);
      await clip.facts;
      if (this.clips.get(src) === clip) this.tell(kind, src);
    });
    if (kind === "video") this.loseUndecoded(kind, src);
  }

  private tell(kind: Exclude<Kind, "image">, src: string) {
    const clip = this.clips.get(src);
    const facts = clip?.settled;
    if (kind === "video" && facts?.picture) this.engine.clip(src, facts);
    else if (kind === "sound" && facts?.sound) this.engine.sound(src);
    else if (kind === "video" && (!this.decodes || facts?.undecodable)) {
      this.undecoded.add(src);
      this.loseUndecoded(kind, src);
      return;
    } else {
      this.lose(kind, src, clip?.problem || `It has no ${kind === "video" ? "picture" : "sound"} that can be decoded.`);
      return;
    }
    this.missing.delete(`${kind} ${src}`);
  }

  /** Forgets the files of relative sources that are elsewhere now. Tells whether the engine has one of them. */
  moved(sources: Source[]): boolean {
    const moved = new Set<string>();
    for (const { src } of sources) {
      if (isAbsolute(src)) continue;
      const place = String(this.page.addresses(src));
      if ((this.located.get(src) ?? place) !== place) moved.add(src);
      this.located.set(src, place);
    }
    for (const src of moved) this.drop(src);
    if (moved.size > 0) this.moves++;
    return sources.some(({ src, known }) => known && moved.has(src));
  }

  /** Gives the engine again what it forgot with an earlier film. */
  giveAgain(sources: Source[]) {
    for (const { kind, src, known } of sources) {
      if (known) continue;
      if (this.missing.has(`${kind} ${src}`) && !this.undecoded.has(src)) this.engine.missing(kind, src);
      else if (kind === "image") {
        if (this.given.delete(src)) this.images.delete(src);
      } else if (this.clips.get(src)?.settled) this.tell(kind, src);
    }
  }

  /** Whether a video was opened, and its pictures can be decoded. */
  isOpen(src: string) {
    return Boolean(this.clips.get(src)?.settled?.picture);
  }

  private lose(kind: Kind, src: string, message: string) {
    // The service may paint frames with what is not decoded here.
    if (!this.undecoded.has(src)) this.engine.missing(kind, src);
    const name = `${kind} ${src}`;
    if (this.missing.has(name)) return;
    const warning = { code: "media-missing", message: `${src}: ${message}` };
    this.missing.set(name, warning);
    this.page.warn(warning);
  }

  /** Asks for the picture at a time, of a frame with `times` of the source; resolves to whether it arrived. */
  picture(src: string, time: number, times: number, hurry: Hurry): Promise<boolean> {
    const key = keyOf(src, time);
    if (this.arrived.has(key)) return Promise.resolve(true);
    const known = this.asked.get(key);
    if (known) return known.done;
    const { promise, resolve } = deferred<boolean>();
    const id = ++this.ids;
    this.asked.set(key, { id, src, done: promise, settle: resolve });
    this.send({ type: "picture", id, src, time, times, hurry: hurry !== "no", near: hurry === "drag" });
    return promise;
  }

  /** Tells how many overlays on screen show each video, whose decoders stay open. */
  show(shown: Record<string, number>) {
    const told = JSON.stringify(shown);
    if (told === this.shown || !this.decodes) return;
    this.shown = told;
    const isStarted = this.port || this.queue.length > 0;
    if (isStarted || Object.keys(shown).length > 0) this.send({ type: "show", shown });
  }

  /** So many pictures may wait until their frame is painted. */
  makeRoom(pictures: number) {
    this.room = Math.max(WAITING, pictures);
  }

  /** Has small files read to their end. */
  readAhead() {
    if (this.port) this.send({ type: "read" });
  }

  /** Pictures that were asked for are no longer wanted. */
  forget() {
    if (this.asked.size === 0) return;
    this.send({ type: "forget", below: this.ids + 1 });
    for (const { settle } of this.asked.values()) settle(false);
    this.asked.clear();
  }

  /** Pictures asked for that did not arrive yet. */
  get outstanding() {
    return this.asked.size;
  }

  /** Gives the engine the picture at a time; false when it is not there yet. */
  give(src: string, time: number): boolean {
    const key = keyOf(src, time);
    const planes = this.arrived.get(key);
    if (!planes) return false;
    this.arrived.delete(key);
    this.stale.delete(key);
    this.engine.picture(src, time, planes.bytes, planes.facts);
    this.release(planes);
    return true;
  }

  /** Gives the memory of a picture back when nothing uses it. */
  private release(planes: Planes | undefined) {
    if (!planes || planes.bytes.byteLength === 0) return;
    for (const used of this.last.values()) if (used.planes === planes) return;
    for (const used of this.arrived.values()) if (used === planes) return;
    this.port?.postMessage({ type: "recycle", planes: planes.bytes } satisfies MediaRequest, [planes.bytes]);
  }

  /** The last picture of a decoder that is nearest to a time. */
  private nearest(src: string, time: number): Last | undefined {
    const last = [...this.last.values()].filter((last) => last.src === src);
    return last.sort((a, b) => Math.abs(a.time - time) - Math.abs(b.time - time))[0];
  }

  /** Gives the engine the last picture in place of the one at a time; false when there is none. */
  giveLast(src: string, time: number): boolean {
    const planes = this.nearest(src, time)?.planes;
    if (!planes) return false;
    this.stale.add(keyOf(src, time));
    this.engine.picture(src, time, planes.bytes, planes.facts);
    return true;
  }

  /** Whether the engine has another picture in place of the one at a time. */
  isStale(src: string, time: number) {
    return this.stale.has(keyOf(src, time));
  }

  sound(src: string, from: number, to: number): Promise<Sound> {
    const id = ++this.ids;
    const { promise, resolve } = deferred<Sound>();
    this.sounds.set(id, (sound = { from, rate: 48_000, channels: 2, data: new ArrayBuffer(0) }) => resolve(sound));
    this.send({ type: "samples", id, src, from, to });
    return promise;
  }

  /** Closes what a film does not use. */
  keep(sources: string[]) {
    const kept = new Set(sources);
    for (const src of [...this.clips.keys(), ...this.images.keys()]) if (!kept.has(src)) this.drop(src);
    if (this.port) this.send({ type: "keep", sources });
  }

  /** Forgets a file. It is no longer waited for. */
  private drop(src: string) {
    this.clips.get(src)?.settle(null);
    for (const { src: of, settle } of this.asked.values()) if (of === src) settle(false);
    for (const names of [this.clips, this.images, this.given, this.undecoded, this.lossy]) names.delete(src);
    for (const keys of [this.declared, this.missing, this.last, this.arrived, this.asked, this.stale])
      for (const key of keys.keys()) if (sourceIn(key) === src) keys.delete(key);
  }

  /** There is no worker: what it was to do is missing. Another one is asked for with the next film. */
  lost(message: string) {
    this.forget();
    this.port = null;
    this.queue = [];
    for (const [src, { id }] of this.clips) {
      this.settleClip(id, src, null, message);
      this.lostSources.add(src);
    }
    for (const name of this.declared.keys()) this.tell(name.startsWith("video") ? "video" : "sound", sourceIn(name));
    this.clips.clear();
    this.declared.clear();
    for (const settle of this.sounds.values()) settle();
    this.sounds.clear();
    for (const { src, reject } of this.stills.values()) {
      reject(new Error(message));
      this.lostSources.add(src);
    }
    this.stills.clear();
  }

  /** Forgets what there was no worker for, so that it is loaded again. Tells whether there was any. */
  dropLost(): boolean {
    if (this.lostSources.size === 0) return false;
    for (const src of this.lostSources) this.drop(src);
    this.lostSources.clear();
    this.shown = "";
    return true;
  }

  private receive(answer: MediaAnswer) {
    switch (answer.type) {
      case "opened":
        this.settleClip(answer.id, answer.src, answer.facts, "");
        break;
      case "failed":
        this.settleClip(answer.id, answer.src, null, answer.message);
        break;
      case "picture": {
        const { id, src, time, lane, exact, planes, facts, lossy } = answer;
        const clip = this.clips.get(src);
        // It may be of another file.
        if (!clip || id < clip.id) break;
        if (lossy) this.noteLoss(src);
        const name = `${lane} ${src}`;
        const before = this.last.get(name)?.planes;
        const picture = planes && facts ? { bytes: planes, facts } : before;
        if (picture) {
          this.last.set(name, { src, time, planes: picture });
          if (exact) this.arrived.set(keyOf(src, time), picture);
          if (before !== picture) this.release(before);
        }
        for (const [key, old] of this.arrived) {
          if (this.arrived.size <= this.room) break;
          this.arrived.delete(key);
          this.release(old);
        }
        if (exact) this.settle(src, time, true);
        break;
      }
      case "still":
        this.stills.get(answer.id)?.resolve(answer.pictures);
        this.stills.delete(answer.id);
        break;
      case "unstill":
        this.stills.get(answer.id)?.reject(new Error(answer.message));
        this.stills.delete(answer.id);
        break;
      case "unpictured":
        // Files that are closed meanwhile are not missing.
        if (this.asked.get(keyOf(answer.src, answer.time))?.id !== answer.id) break;
        void this.standIn(answer.src, answer.time, answer.message);
        break;
      case "samples": {
        const { id, from, rate, channels, data } = answer;
        this.sounds.get(id)?.({ from, rate, channels, data });
        this.sounds.delete(id);
        break;
      }
    }
  }

  /** Takes another picture, the first one at least, for one that cannot be read or decoded. Without any the video is missing. */
  private async standIn(src: string, time: number, message: string) {
    if (!this.nearest(src, time) && time > 0) await this.picture(src, 0, 1, "no");
    // It may be no longer waited for.
    if (!this.asked.has(keyOf(src, time))) return;
    const near = this.nearest(src, time);
    if (near) {
      this.arrived.set(keyOf(src, time), near.planes);
      this.noteLoss(src, `Another picture is shown for one of its pictures. ${message}`);
    } else this.lose("video", src, message);
    this.settle(src, time, near !== undefined);
  }

  private noteLoss(src: string, message = "This browser converts decoded pictures, so colours may differ a little.") {
    if (this.lossy.has(src)) return;
    const warning = { code: "video-approximate", message: `${src}: ${message}` };
    this.lossy.set(src, warning);
    this.page.warn(warning);
  }

  /** What is wrong with the sources of the open film and with its fonts. */
  problems(sources: Source[]): Warning[] {
    const isServed = this.page.isServed();
    const found = sources.flatMap(({ kind, src }) => [
      isServed && this.undecoded.has(src) ? undefined : this.missing.get(`${kind} ${src}`),
      this.lossy.get(src),
    ]);
    const all = [...found, ...this.missingFonts.of(this.page.film())];
    return [...new Set(all.filter((warning) => warning !== undefined))];
  }

  /** Whether the pictures of the open film differ from those of the service: something of it is altered or left out. */
  alters(sources: Source[]): boolean {
    const isServed = this.page.isServed();
    const differs = ({ kind, src }: Source) =>
      this.lossy.has(src) ||
      (this.undecoded.has(src) ? !isServed : kind !== "sound" && this.missing.has(`${kind} ${src}`));
    return sources.some(differs) || this.missingFonts.of(this.page.film()).length > 0;
  }

  private settle(src: string, time: number, arrived: boolean) {
    const key = keyOf(src, time);
    this.asked.get(key)?.settle(arrived);
    this.asked.delete(key);
  }
}

export function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function once<T>(known: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? load();
  known.set(key, found);
  return found;
}

/** The bytes of the first address that can be read. */
const firstOf = (addresses: string[]) =>
  repeat(async () => {
    let problem: unknown = new Error("It cannot be loaded.");
    for (const address of addresses) {
      try {
        return await read(address);
      } catch (error) {
        // One that may pass is why all are tried again.
        if (!(problem instanceof Passing)) problem = error;
      }
    }
    throw problem;
  });

async function read(address: string): Promise<Uint8Array<ArrayBuffer>> {
  if (isInline(address)) return inline(address);
  return new Uint8Array(await (await request(address)).arrayBuffer());
}

/** The bytes of a `data:` address, which policies do not let scripts fetch. */
function inline(address: string): Uint8Array<ArrayBuffer> {
  const comma = address.indexOf(",");
  const text = decodeURIComponent(address.slice(comma + 1));
  if (!/;\s*base64\s*$/i.test(address.slice(0, comma))) return new TextEncoder().encode(text);
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
