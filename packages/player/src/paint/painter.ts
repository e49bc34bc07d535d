/** Paints frames: single ones exactly, and those of a playing film in time. */

import type { FilmFacts, OverlayOutline, PaintAnswer, Warning } from "../protocol";
import { request } from "../requests";
import { sentence } from "../sentence";
import type { Engine, Needs, Opened } from "./engine";
import { type Film, factsOf, isRefused, OpenFilm } from "./film";
import type { Images } from "./images";
import type { Hurry, Media } from "./media";
import type { SoundFilm } from "./mixer";
import { Pace, RestPace } from "./pace";
import { type Percent, Surface } from "./surface";
import { now, presented, sleep, tick, until } from "./time";
import { type Cold, Warmth } from "./warmth";

/** Milliseconds a frame at rest waits for its pictures before it is painted with others, which takes time from decoding. */
const IMPATIENCE = 80;
/** The same while someone drags the playhead and looks at the frames that are passed. */
const IMPATIENCE_DRAGGED = 25;
/** Milliseconds for which a frame is shown at half size before it is painted exactly. */
const PASSING = 40;
/** Milliseconds between images that are painted ahead at rest; seeks come first. */
const WARMING_PAUSE = 60;
/** Milliseconds until an image that was not loaded is looked for again. */
const LOADING_PAUSE = 10;
/** Milliseconds to spare while playing in which an image that comes next is painted ahead. */
const WARMING_SPARE = 10;
/** Milliseconds for which playing may wait for images, and the seconds in which they are shown. */
const MOST_PREPARING = 500;
const SECONDS_PREPARED = 10;
/** Frames whose pictures are asked for ahead of the one that is painted; fewer where they have more pictures than one. */
const FRAMES_AHEAD = 4;
const PICTURES_AHEAD = 8;
/** Frames whose pictures may be late besides, before the decoders are told to skip them. */
const FRAMES_LATE = 2;
/** Frames painted with other pictures that are remembered. */
const MOST_STALE = 64;
/** Milliseconds after a change until the rest of the film is prepared, and at most at a time. */
const SURVEY_AFTER = 250;
const SURVEY_SLICE = 6;
/** Rounds times at a frame's start up to it. */
const EPSILON = 1e-6;

interface Clock {
  at: number;
  time: number;
  rate: number;
}

/** What came of painting an image ahead; `lacking`: its frame lacks other things, and it is not tried again in this turn. */
type Warmed = "painted" | "decoding" | "lacking" | "none";

export class Painter {
  readonly open: OpenFilm;
  private readonly surface: Surface;
  private film: Film | null = null;
  private facts: FilmFacts | null = null;
  private captions = true;
  private clock: Clock | null = null;
  /** The frame at which playing began. */
  private first = 0;
  /** Work with an older number is out of date. */
  private turn = 0;
  private shown = -1;
  private shownExact = false;
  /** Frames that are being painted for others than the canvas. */
  private exactFrames = 0;
  /** Pictures of recent frames that others took the place of. */
  private stale = new Map<number, Needs["pictures"]>();
  /** The version to call ready when an exact frame is shown. */
  private pendingReady: number | null = null;
  private pace = new Pace();
  private restPace = new RestPace();
  private warmth = new Warmth();
  /** What was told of the film, and the film of which everything was told. */
  private told: Warning[] = [];
  private surveyed: Film | null = null;
  /** Whether overlays are left to be prepared while the film plays. */
  private ahead = true;
  /** Whether a frame at rest was asked for and is not shown exactly: if another one is, someone drags the playhead. */
  private isUnsettled = false;
  /** Seeks that are to be answered. */
  private seeks: number[] = [];
  /** Pictures of video in the frame that was looked at last. */
  private pictures = 1;
  private media!: Media;

  constructor(
    private readonly engine: Engine,
    canvas: OffscreenCanvas,
    private readonly post: (answer: PaintAnswer, transfer?: Transferable[]) => void,
    private readonly images: Images,
    /** Called when a frame rests and nothing else is to be painted. */
    private readonly rested: () => void,
  ) {
    this.open = new OpenFilm(engine, () => this.media);
    this.surface = new Surface(canvas, engine);
  }

  /** The painter and its media know each other. */
  attach(media: Media) {
    this.media = media;
  }

  /** The JSON of what is shown. */
  private get json(): string {
    return (this.captions ? null : this.film?.plain) ?? this.film?.whole ?? "";
  }

  get soundFilm(): SoundFilm | null {
    const { film, facts, json } = this;
    return film && facts && { film, json, fps: facts.fps };
  }

  /** Opens the film that is shown. */
  private use() {
    return this.open.use(this.film, this.json);
  }

  private fail(error: unknown, turn: number) {
    if (turn !== this.turn) return;
    this.clock = null;
    this.post({ type: "broken", message: sentence(error) });
  }

  setFilm(film: Film, frame: number) {
    this.film = film;
    this.pendingReady = film.version;
    this.turn++;
    const { turn } = this;
    this.begin(film, frame, turn).catch((error) => this.fail(error, turn));
  }

  setCaptions(shown: boolean) {
    this.captions = shown;
    if (this.film && !this.clock) this.rest(Math.max(0, this.shown));
  }

  private async begin(film: Film, frame: number, turn: number) {
    // Newer films may be waiting in the queue.
    await tick();
    if (turn !== this.turn) return;
    if (this.media.dropLost()) this.open.forget();
    const opened = this.use();
    if (isRefused(opened)) {
      this.post({ type: "refused", version: film.version, message: opened.error, problems: opened.problems ?? [] });
      return;
    }
    this.stale.clear();
    this.ahead = true;
    this.facts = factsOf(opened, film);
    this.post({ type: "opened", version: film.version, facts: this.facts });
    // Frames of earlier films may still need their media.
    if (this.exactFrames === 0) this.media.keep(opened.media.map(({ src }) => src));
    this.warmth.setFilm(film.overlays, opened.durationInFrames);
    for (const { src, kind } of opened.media) {
      if (kind === "image") void this.media.image(src);
      else if (this.media.decodes || !this.open.still(0)) void this.media.declare(kind, src);
    }
    if (this.clock) void this.run(turn);
    else {
      this.clock = null;
      this.media.forget();
      // At once: changes that come faster than they are painted would never be shown.
      void this.settle(Math.min(frame, opened.durationInFrames - 1), turn);
    }
  }

  /** Where the overlays of a frame are on the canvas, back to front. */
  outlines(frame: number): OverlayOutline[] {
    const { film, json } = this.ask();
    return this.engine.outlines(frame).map((outline) => ({ ...outline, index: film.indexIn(json, outline.index) }));
  }

  /** The overlays at a point of the canvas by their index, the one in front first. */
  hit(frame: number, x: number, y: number): number[] {
    const { film, json } = this.ask();
    return this.engine.hit(frame, x, y).map((index) => film.indexIn(json, index));
  }

  /** When the word of captions at a point of the canvas is said; null if the overlay is not there or has no words. */
  said(frame: number, index: number, x: number, y: number): number | null {
    const { film, json } = this.ask();
    const found = this.engine.hit(frame, x, y).find((each) => film.indexIn(json, each) === index);
    return found === undefined ? null : this.engine.said(frame, found, x, y);
  }

  /** Opens the film that is shown, to ask the engine about it. */
  private ask(): { film: Film; json: string } {
    const { film, json } = this;
    if (!film) throw new Error("There is no film.");
    const opened = this.open.use(film, json);
    if (isRefused(opened)) throw new Error(opened.error);
    return { film, json };
  }

  /** Paints a frame at rest, exactly; with other pictures first where that takes long. */
  rest(frame: number) {
    this.clock = null;
    const turn = ++this.turn;
    this.media.forget();
    void tick().then(() => this.settle(frame, turn));
  }

  seek(id: number, frame: number) {
    this.seeks.push(id);
    this.rest(frame);
  }

  private async settle(frame: number, turn: number) {
    const film = this.film;
    if (turn !== this.turn || !film) return;
    try {
      this.tellShown(frame);
      const isDragged = this.isUnsettled;
      this.isUnsettled = true;
      const ready = this.supply(film, this.json, frame, isDragged ? "drag" : "seek", () => turn === this.turn);
      const patience = isDragged ? IMPATIENCE_DRAGGED : IMPATIENCE;
      const inTime = ready === null || (await Promise.race([ready.then(() => true), sleep(patience)]));
      if (turn !== this.turn) return;
      if (!inTime && this.shown >= 0 && this.approximate(frame)) this.show(frame, 50, false);
      if (ready) await ready;
      if (turn !== this.turn) return;
      const still = this.stillFor(frame);
      if (still) await this.showStill(still, frame, turn);
      else await this.paintExactly(frame, turn, inTime);
    } catch (error) {
      this.fail(error, turn);
    }
  }

  /** Paints at full size, and at half size before where that takes long. Frames whose pictures came late waited enough. */
  private async paintExactly(frame: number, turn: number, inTime: boolean) {
    const pixels = (this.facts?.width ?? 0) * (this.facts?.height ?? 0);
    const halves = inTime && this.shown >= 0 && this.shown !== frame && this.restPace.halvesFirst(pixels);
    if (halves) {
      this.paintAtRest(frame, 50);
      this.show(frame, 50, false);
      // Someone who drags the playhead does not wait for frames that are passed.
      await sleep(PASSING);
      if (turn !== this.turn) return;
      this.use();
    }
    this.paintAtRest(frame, 100);
    this.surface.show(100);
    // Told once it is on the screen: bringing it there takes as long as painting, and would hold up what is asked for next.
    if (halves) await presented();
    if (turn !== this.turn) return;
    this.showed(frame, true);
    void this.warm(turn);
  }

  /** Paints images ahead while nothing else is to be done. */
  private async warm(turn: number) {
    try {
      const tried = new Set<Cold>();
      do {
        await sleep(WARMING_PAUSE);
        if (turn !== this.turn) return;
      } while (this.warmOne(0, Infinity, tried) !== "none");
    } catch {
      // What cannot be painted is told when it is to be shown.
    }
    if (turn === this.turn) this.rested();
  }

  /** Paints images that come in within the next seconds, for a while. */
  async prepare(frame: number) {
    const until = now() + MOST_PREPARING;
    const to = frame + (this.facts?.fps ?? 30) * SECONDS_PREPARED;
    if (isRefused(this.use())) return;
    for (const src of this.warmth.within(frame, to)) this.images.decode(src);
    const tried = new Set<Cold>();
    while (now() < until) {
      // The size at which it plays comes first. It may turn to the other one.
      let warmed = this.warmOne(frame, to, tried, this.pace.percent);
      if (warmed === "none") warmed = this.warmOne(frame, to, tried);
      if (warmed === "lacking") continue;
      if (warmed === "none") {
        // Only what is still loading is tried again: video is not asked for here.
        const again = [...tried].filter((image) => !this.lacksVideo(image.frame));
        if (again.length === 0) return;
        for (const image of again) tried.delete(image);
      }
      await (warmed === "painted" ? tick() : sleep(LOADING_PAUSE));
    }
  }

  /** Paints the next image ahead, but none that was tried. */
  private warmOne(from: number, to: number, tried: Set<Cold>, percent?: Percent): Warmed {
    const image = isRefused(this.use()) ? null : this.warmth.next(from, to, tried, percent);
    if (!image) return "none";
    if (this.images.decode(image.src)) return "decoding";
    const { fonts, pictures } = this.needs(image.frame);
    if (fonts.length > 0 || pictures.length > 0) {
      tried.add(image);
      return "lacking";
    }
    this.surface.paint(image.frame, image.percent);
    this.warmth.painted(image);
    return "painted";
  }

  /** Whether a frame shows video that was not decoded for it. */
  private lacksVideo(frame: number): boolean {
    const opened = this.use();
    if (isRefused(opened)) return false;
    const videos = new Set(opened.media.filter(({ kind }) => kind === "video").map(({ src }) => src));
    return this.needs(frame).pictures.some(({ src }) => videos.has(src));
  }

  private paintAtRest(frame: number, percent: Percent) {
    const began = now();
    this.surface.paint(frame, percent);
    this.restPace.count(percent, now() - began);
  }

  /** Where the service paints a frame with video or images that this browser cannot decode; null for others. */
  private stillFor(frame: number): string | null {
    const { decodes, undecoded } = this.media;
    if (decodes && undecoded.size === 0) return null;
    const { pictures } = this.engine.needs(frame);
    return pictures.some(({ src }) => !decodes || undecoded.has(src)) ? this.open.still(frame) : null;
  }

  /** Shows a frame that the service paints. */
  private async showStill(address: string, frame: number, turn: number) {
    const picture = await fetchPicture(address);
    if (turn !== this.turn) return;
    this.surface.showPicture(picture);
    this.showed(frame, picture.width === this.facts?.width && picture.height === this.facts.height);
  }

  /** Gives the engine all that a frame needs, until it `isWanted` no longer. Null when nothing is missing. */
  private supply(film: Film, json: string, frame: number, hurry: Hurry, isWanted: () => boolean): Promise<void> | null {
    if (this.lacks(film, json, frame, hurry).length === 0) return null;
    return (async () => {
      // Fonts come in waves: a fallback is known to be needed once the first font is read.
      for (let wave = 0; wave < 64; wave++) {
        if (!isWanted()) return;
        const lacking = this.lacks(film, json, frame, hurry);
        if (lacking.length === 0) return;
        await Promise.all(lacking);
      }
      throw new Error(`Frame ${frame} needs more than can be loaded.`);
    })();
  }

  /** Starts to load what a frame lacks, and gives the engine what has arrived. */
  private lacks(film: Film | null, json: string, frame: number, hurry: Hurry = "no"): Promise<unknown>[] {
    const opened = this.open.use(film, json);
    if (isRefused(opened)) throw new Error(opened.error);
    let needs = this.needs(frame);
    if (needs.pictures.length > 0) this.pictures = needs.pictures.length;
    this.media.makeRoom(this.pictures * (this.framesAhead + FRAMES_LATE));
    const given = needs.pictures.filter(({ src, time }) => this.media.give(src, time)).length;
    if (given > 0) needs = this.needs(frame);
    return this.load(opened, needs, hurry);
  }

  /** What a frame lacks of what this browser decodes, with the pictures that others took the place of. */
  private needs(frame: number): Needs {
    const { fonts, pictures } = this.engine.needs(frame);
    const stale = this.stale.get(frame)?.filter(({ src, time }) => this.media.isStale(src, time)) ?? [];
    return { fonts, pictures: [...pictures, ...stale].filter(({ src }) => !this.media.undecoded.has(src)) };
  }

  private load(opened: Opened, needs: Needs, hurry: Hurry): Promise<unknown>[] {
    const loading: Promise<unknown>[] = needs.fonts.map((name) => this.media.font(name));
    const times = (of: string) => needs.pictures.filter(({ src }) => src === of).length;
    for (const { src, time } of needs.pictures) {
      if (opened.media.find((media) => media.src === src)?.kind === "image") loading.push(this.media.image(src));
      else if (this.media.isOpen(src)) loading.push(this.media.picture(src, time, times(src), hurry));
      else if (this.media.decodes || !this.open.still(0)) loading.push(this.media.declare("video", src));
    }
    return loading;
  }

  /** Gives a frame the last pictures in place of all those it lacks; false when there are none. */
  private substitute(frame: number, pictures: Needs["pictures"]): boolean {
    this.stale.set(frame, pictures);
    const [oldest] = this.stale.keys();
    if (this.stale.size > MOST_STALE && oldest !== undefined) this.stale.delete(oldest);
    return pictures.every(({ src, time }) => this.media.giveLast(src, time));
  }

  /** Paints a frame with the pictures that are there; false when too much is missing. */
  private approximate(frame: number): boolean {
    const opened = this.use();
    if (isRefused(opened)) return false;
    const needs = this.needs(frame);
    if (needs.fonts.length > 0) return false;
    if (!this.substitute(frame, needs.pictures)) return false;
    this.surface.paint(frame, 50);
    return true;
  }

  private show(frame: number, percent: Percent, exact: boolean) {
    this.surface.show(percent);
    this.showed(frame, exact);
  }

  private showed(frame: number, complete: boolean) {
    const opened = this.use();
    const exact = complete && !isRefused(opened) && !this.media.alters(opened.media);
    if (complete && this.pendingReady !== null && this.film?.version === this.pendingReady) {
      this.post({ type: "painted", frame, exact });
      this.told = this.engine.warnings();
      const warnings = [...this.told, ...(isRefused(opened) ? [] : this.media.problems(opened.media))];
      this.post({ type: "ready", version: this.pendingReady, warnings });
      this.pendingReady = null;
    } else if (this.shown !== frame || this.shownExact !== exact || this.seeks.length > 0)
      this.post({ type: "painted", frame, exact });
    this.shown = frame;
    this.shownExact = exact;
    if (complete) this.isUnsettled = false;
    for (const id of this.seeks.splice(0)) this.post({ type: "done", id });
    if (complete && !this.clock && this.surveyed !== this.film) void this.survey(frame, this.turn);
  }

  /** Prepares the rest of the film while nothing else is to do, loads its fonts, and tells what is wrong with it. */
  private async survey(frame: number, turn: number) {
    await sleep(SURVEY_AFTER);
    const known = new Set(this.told.map((warning) => JSON.stringify(warning)));
    for (let loaded: string[] = []; turn === this.turn; await sleep(1)) {
      this.use();
      const { more, fonts } = this.lookAhead(frame);
      if (more) continue;
      // Fonts come in waves; those that cannot be loaded are asked for once.
      const lacking = fonts.filter((font) => !loaded.includes(font));
      loaded = fonts;
      await Promise.all(lacking.map((font) => this.media.font(font)));
      if (lacking.length > 0) continue;
      for (const warning of this.engine.warnings())
        if (!known.has(JSON.stringify(warning))) this.post({ type: "warning", warning });
      this.surveyed = this.film;
      return;
    }
  }

  /** Prepares overlays ahead for a moment, and starts to load their fonts. */
  private lookAhead(frame: number) {
    const until = now() + SURVEY_SLICE;
    let { more, fonts } = this.engine.ahead(frame);
    while (more && now() < until) ({ more, fonts } = this.engine.ahead(frame));
    for (const font of fonts) void this.media.font(font);
    return { more, fonts };
  }

  /** An exact frame of the film, whatever is shown. */
  async exactFrame(frame: number): Promise<ImageData> {
    const { film } = this;
    if (!film) throw new Error("There is no film.");
    this.exactFrames++;
    try {
      return await this.paintFrame(film, frame);
    } finally {
      this.exactFrames--;
    }
  }

  private async paintFrame(film: Film, frame: number): Promise<ImageData> {
    const opened = this.open.use(film, film.whole);
    if (isRefused(opened)) throw new Error(opened.error);
    if (!Number.isInteger(frame) || frame < 0 || frame >= opened.durationInFrames)
      throw new RangeError(`The film has frames 0 to ${opened.durationInFrames - 1}, not ${frame}.`);
    // With another film, the same names may be those of other files.
    const { moves } = this.media;
    const isWanted = () => moves === this.media.moves;
    await this.supply(film, film.whole, frame, "no", isWanted);
    if (!isWanted()) throw new Error("Another film was set.");
    // Nothing may come between: the engine holds one film.
    this.open.use(film, film.whole);
    const still = this.stillFor(frame);
    if (still) return pixelsOf(await fetchPicture(still));
    this.surface.paint(frame, 100);
    const { data, width, height } = this.engine.pixels();
    return new ImageData(new Uint8ClampedArray(data), width, height);
  }

  async snapshot(): Promise<Blob> {
    const image = await this.exactFrame(Math.max(0, this.shown));
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d")?.putImageData(image, 0, 0);
    return canvas.convertToBlob({ type: "image/png" });
  }

  play(clock: Clock, frame: number) {
    this.clock = clock;
    const turn = ++this.turn;
    this.isUnsettled = false;
    this.first = frame;
    if (this.facts) void this.run(turn);
  }

  setClock(clock: Clock) {
    if (this.clock) this.clock = clock;
  }

  pause() {
    if (!this.clock) return;
    this.rest(Math.max(0, this.shown));
  }

  /** Milliseconds of the wall clock at which a frame is due. */
  private due(frame: number, { at, time, rate }: Clock, fps: number) {
    return at + ((frame / fps - time) / rate) * 1000;
  }

  private frameAt(wall: number, { at, time, rate }: Clock, fps: number) {
    return Math.floor((time + ((wall - at) / 1000) * rate) * fps + EPSILON);
  }

  /** Plays: each frame is painted ahead and shown when it is due; those that would be late are left out. */
  private async run(turn: number) {
    let waiting = false;
    const tried = new Set<Cold>();
    // The frame that rests on the canvas is there already.
    let last = this.shown === this.first && this.pendingReady === null ? this.first : this.first - 1;
    const isOn = () => turn === this.turn && this.clock !== null;
    try {
      await tick();
      while (isOn() && this.clock && this.facts && this.film) {
        const { fps, durationInFrames } = this.facts;
        const frameTime = 1000 / fps / this.clock.rate;
        const started = now();
        const next = Math.max(last + 1, this.frameAt(started + this.pace.expected, this.clock, fps));
        if (next >= durationInFrames) {
          await this.finish(turn, durationInFrames, last);
          return;
        }
        const lacking = this.lacksInPlay(next);
        if (lacking === null) {
          // Fonts or images are still loading.
          if (!waiting) this.post({ type: "waiting" });
          waiting = true;
          await sleep(frameTime / 2);
          continue;
        }
        waiting = false;
        const still = this.stillFor(next);
        if (still) {
          await this.showStill(still, next, turn).catch(() => sleep(frameTime));
          last = next;
          continue;
        }
        let exact = true;
        if (lacking.length > 0) {
          const ready = Promise.all(lacking).then(() => true);
          await Promise.race([ready, sleep(Math.max(1, this.due(next, this.clock, fps) - now()))]);
          if (!isOn()) return;
          const pictures = this.giveOrLast(next);
          if (pictures === "none") {
            last = next;
            continue;
          }
          exact = pictures === "exact";
        }
        // Other pictures than the right ones are only painted at half size: what is kept of full size stays exact.
        const percent = !exact ? 50 : this.pendingReady === null ? this.pace.percent : 100;
        const began = now();
        this.use();
        this.surface.paint(next, percent);
        const painted = now() - began;
        const spent = painted + Math.min(began - started, lacking.length > 0 ? 0 : painted);
        const { paints } = this.surface;
        this.look(next + 1);
        if (this.ahead && now() + SURVEY_SLICE < this.due(next, this.clock, fps))
          this.ahead = this.lookAhead(next).more;
        if (this.clock) await until(this.due(next, this.clock, fps));
        if (!isOn()) return;
        last = next;
        // Another frame was painted meanwhile.
        if (paints !== this.surface.paints) continue;
        const due = now();
        this.show(next, percent, exact && percent === 100);
        this.pace.count(percent, spent + now() - due, frameTime, began);
        this.restPace.count(percent, painted);
        const spare = this.due(next + 1, this.clock, fps) - now() - painted;
        if (spare > Math.max(WARMING_SPARE, painted)) this.warmOne(next, next + fps * SECONDS_PREPARED, tried, percent);
      }
    } catch (error) {
      this.fail(error, turn);
    }
  }

  /** Waits for the end of the last frame. */
  private async finish(turn: number, durationInFrames: number, last: number) {
    if (this.clock && this.facts) await until(this.due(durationInFrames, this.clock, this.facts.fps));
    if (turn !== this.turn) return;
    this.clock = null;
    this.post({ type: "ended" });
    if (last !== durationInFrames - 1 || !this.shownExact) this.rest(durationInFrames - 1);
  }

  /** Pictures on their way; null while fonts or images are missing. */
  private lacksInPlay(frame: number): Promise<unknown>[] | null {
    const lacking = this.lacks(this.film, this.json, frame);
    if (lacking.length === 0) return lacking;
    const opened = this.use();
    const { fonts, pictures } = this.needs(frame);
    const images = isRefused(opened) ? [] : opened.media.filter(({ kind }) => kind === "image");
    const isImage = pictures.some(({ src }) => images.some((image) => image.src === src));
    return fonts.length > 0 || isImage ? null : lacking;
  }

  /** Gives the pictures that arrived, and the last ones in place of others. */
  private giveOrLast(frame: number): "exact" | "late" | "none" {
    this.use();
    const late = this.needs(frame).pictures.filter(({ src, time }) => !this.media.give(src, time));
    if (late.length === 0) return "exact";
    if (this.media.outstanding > this.pictures * (this.framesAhead + FRAMES_LATE)) this.media.forget();
    return this.substitute(frame, late) ? "late" : "none";
  }

  private get framesAhead() {
    return Math.max(1, Math.min(FRAMES_AHEAD, Math.floor(PICTURES_AHEAD / this.pictures)));
  }

  /** Tells which videos are on screen, and which come next. */
  private tellShown(frame: number) {
    const opened = this.use();
    if (!this.film || isRefused(opened)) return;
    const videos = opened.media.filter(({ kind }) => kind === "video").map(({ src }) => src);
    this.media.show(this.film.shows(videos, frame, frame + (this.clock ? FRAMES_AHEAD : 0)));
  }

  /** Asks for the pictures of the frames that come next. */
  private look(frame: number) {
    this.tellShown(frame - 1);
    const opened = this.use();
    if (isRefused(opened) || !opened.media.some(({ kind }) => kind === "video")) return;
    for (let ahead = frame; ahead < Math.min(frame + this.framesAhead, opened.durationInFrames); ahead++)
      void this.load(opened, { fonts: [], pictures: this.engine.needs(ahead).pictures }, "no");
  }
}

async function fetchPicture(address: string): Promise<ImageBitmap> {
  const picture = await (await request(address)).blob();
  return createImageBitmap(picture, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
}

function pixelsOf(picture: ImageBitmap): ImageData {
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
  context.drawImage(picture, 0, 0);
  return context.getImageData(0, 0, picture.width, picture.height);
}
