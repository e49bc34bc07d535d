/** `<rondo-player>`: a film painted in the browser with the engine of the service. */

import { Attributes } from "./page/attributes";
import { Controls, type View } from "./page/controls";
import type { FrameDetail, RondoPlayerEvents } from "./page/events";
import { handleKey, type KeyTarget } from "./page/keys";
import { ownService } from "./page/parts";
import { Session } from "./page/session";
import { Sound } from "./page/sound";
import { type Loaded, loadSource } from "./page/source";
import { sharedStyles } from "./page/styles";
import type { FilmFacts, OverlayOutline, PaintAnswer, Warning } from "./protocol";

/** Milliseconds after which loading is shown. */
const BUSY_AFTER = 300;
/** Milliseconds between changes of the controls while the film plays. */
const REFRESH_EVERY = 100;
/** Milliseconds between looks at the audio clock. */
const CLOCK_EVERY = 250;
/** Milliseconds the clocks may differ before the painter's is set. */
const DRIFT = 4;

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the interface only narrows the events of addEventListener
export class RondoPlayer extends Attributes {
  static readonly observedAttributes = ["src", "controls", "muted", "poster", "server"];

  private readonly controlsView: Controls;
  private readonly shape = new CSSStyleSheet();
  private shapeRule = "";
  private session: Session | null = null;
  private loaded: Loaded | null = null;
  private loading: { done: Promise<void>; abort: AbortController } | null = null;
  private version = 0;
  /** Replacements that were set before a film. */
  private values: unknown;
  private facts: FilmFacts | null = null;
  private opened: { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } = pending();
  private playhead = 0;
  private isExact = false;
  private isPaused = true;
  /** Whether the first film was opened, which `autoplay` starts. */
  private autoplayed = false;
  /** Changes with each start and stop, so that older ones end. */
  private playing = 0;
  private sound: Sound | null = null;
  private clockTimer: ReturnType<typeof setInterval> | undefined;
  private busyTimer: ReturnType<typeof setTimeout> | undefined;
  private stopListening: () => void = () => undefined;
  private refreshedAt = 0;
  private level = 1;
  private isMuted = false;
  private rate = 1;
  private captionsShown = true;
  private found: Warning[] = [];

  constructor() {
    super();
    this.controlsView = new Controls({
      toggle: () => this.toggle(),
      seek: (frame) => this.move(frame),
      setVolume: (volume) => {
        this.muted = false;
        this.volume = volume;
      },
      toggleMuted: () => {
        this.muted = !this.muted;
      },
      toggleCaptions: () => this.toggleCaptions(),
      toggleFullScreen: () => this.toggleFullScreen(),
    });
    const { stage, bar, poster } = this.controlsView;
    // Until a film is open, the stage has the shape of its poster.
    poster.onload = () => !this.facts && this.setShape(poster.naturalWidth, poster.naturalHeight);
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sharedStyles(), this.shape];
    root.append(stage, bar);
    stage.addEventListener("click", () => this.controls && this.toggle());
    this.addEventListener("keydown", (event) => handleKey(event, this.keys));
    this.addEventListener("fullscreenchange", () => this.refresh());
    const internals = this.attachInternals();
    internals.role = "group";
    internals.ariaLabel = "Video player";
  }

  connectedCallback() {
    this.isMuted ||= this.hasAttribute("muted");
    if (!this.session) this.mount();
    this.refresh();
  }

  disconnectedCallback() {
    // Moving the element in the page takes it out and puts it in again.
    queueMicrotask(() => !this.isConnected && this.unmount());
  }

  attributeChangedCallback(name: string, before: string | null, value: string | null) {
    if (before === value) return;
    if (name === "src" && value !== null) this.load(value);
    if (name === "muted") this.muted = value !== null;
    if (name === "poster") this.controlsView.setPoster(value);
    if (name === "server" && this.session) {
      this.unmount();
      this.mount();
    }
    this.refresh();
  }

  private mount() {
    this.opened.reject(new Error("The player was started again."));
    this.opened = pending();
    const canvas = document.createElement("canvas");
    this.controlsView.place(canvas);
    const service = this.getAttribute("server");
    const address = service ? new URL(service.replace(/\/*$/, "/"), document.baseURI).href : ownService;
    this.session = new Session(canvas, address, (answer) => this.receive(answer));
    if (!this.captionsShown) this.session.send({ type: "captions", shown: false });
    if (this.loaded) this.sendFilm();
  }

  private unmount() {
    this.stop();
    this.isPaused = true;
    this.session?.close();
    this.session = null;
    this.sound?.close();
    this.sound = null;
    clearTimeout(this.busyTimer);
  }

  /** Replaces a session that ended. */
  private revive() {
    if (!this.session?.ended) return;
    this.unmount();
    this.mount();
  }

  private load(src: string) {
    this.loading?.abort.abort();
    const abort = new AbortController();
    const done = (async () => {
      try {
        const loaded = await loadSource(src, abort.signal);
        if (!abort.signal.aborted) this.setFilm({ ...loaded, replacements: loaded.replacements ?? this.values });
      } catch (error) {
        if (!abort.signal.aborted) this.fail(error instanceof Error ? error.message : String(error), []);
      }
    })();
    this.loading = { done, abort };
    this.busy();
  }

  private setFilm(loaded: Loaded) {
    this.loaded = loaded;
    this.version++;
    this.found = [];
    this.opened.reject(new Error("Another film was set."));
    this.opened = pending();
    if (this.session?.ended) this.revive();
    else if (this.session) this.sendFilm();
  }

  private sendFilm() {
    if (!this.loaded) return;
    this.busy();
    this.session?.send({ type: "film", film: { ...this.loaded, version: this.version }, frame: this.playhead });
  }

  private receive(answer: Exclude<PaintAnswer, { type: "done" | "failed" | "needs-media" }>) {
    switch (answer.type) {
      case "opened":
        if (answer.version === this.version) this.setFacts(answer.facts);
        break;
      case "refused":
        if (answer.version !== this.version) break;
        this.opened.reject(new Error(answer.message));
        this.fail(answer.message, answer.problems);
        break;
      case "painted":
        this.painted(answer.frame, answer.exact);
        break;
      case "ready":
        if (answer.version !== this.version) break;
        this.warn(answer.warnings);
        this.found = answer.warnings;
        this.dispatchEvent(new CustomEvent("ready"));
        break;
      case "waiting":
        this.dispatchEvent(new CustomEvent("waiting"));
        break;
      case "warning":
        this.warn([answer.warning]);
        break;
      case "ended":
        this.end();
        break;
      case "mixed":
        this.sound?.receive(answer.run, answer.left, answer.right);
        break;
      case "broken":
        this.opened.reject(new Error(answer.message));
        if (!this.isPaused) this.halt();
        this.fail(answer.message, []);
        break;
    }
  }

  /** Tells of warnings that were not told since the film was set. */
  private warn(warnings: Warning[]) {
    const known = new Set(this.found.map((warning) => JSON.stringify(warning)));
    const found = warnings.filter((warning) => !known.has(JSON.stringify(warning)));
    this.found = [...this.found, ...found];
    for (const detail of found) this.dispatchEvent(new CustomEvent("warning", { detail }));
  }

  private setFacts(facts: FilmFacts) {
    this.facts = facts;
    this.playhead = Math.min(this.playhead, facts.durationInFrames - 1);
    this.setShape(facts.width, facts.height);
    this.controlsView.setMessage(null);
    this.opened.resolve();
    this.refresh();
    if (!this.isPaused && facts.sound) void this.start();
    else if (this.isPaused && this.autoplay && !this.autoplayed) void this.play().catch(() => undefined);
    this.autoplayed = true;
  }

  private setShape(width: number, height: number) {
    const rule = `.stage { aspect-ratio: ${width} / ${height}; }`;
    if (width <= 0 || height <= 0 || rule === this.shapeRule) return;
    this.shapeRule = rule;
    this.shape.replaceSync(rule);
  }

  private painted(frame: number, exact: boolean) {
    this.playhead = frame;
    this.isExact = exact;
    clearTimeout(this.busyTimer);
    this.controlsView.setBusy(false);
    this.controlsView.setPoster(null);
    const at = performance.now();
    if (this.isPaused || at - this.refreshedAt >= REFRESH_EVERY) {
      this.refreshedAt = at;
      this.refresh();
    }
    const detail: FrameDetail = { frame, time: frame / this.fps, exact };
    this.dispatchEvent(new CustomEvent("frame", { detail }));
  }

  private fail(message: string, problems: Warning[]) {
    this.busyEnd();
    const [first, ...others] = problems;
    const sentence = first && others.length > 1 ? `${first.message} And ${others.length} more problems.` : message;
    // A film that is refused leaves the picture of the one before.
    this.controlsView.setMessage(sentence, problems.length > 0 && this.facts !== null);
    this.dispatchEvent(new CustomEvent("error", { detail: { message, problems } }));
  }

  private busy() {
    clearTimeout(this.busyTimer);
    this.busyTimer = setTimeout(() => this.controlsView.setBusy(true), BUSY_AFTER);
  }

  private busyEnd() {
    clearTimeout(this.busyTimer);
    this.controlsView.setBusy(false);
  }

  private refresh() {
    const { controlsView: view } = this;
    view.bar.hidden = !this.controls;
    if (this.controls) view.update(this.view);
  }

  private get view(): View {
    return {
      paused: this.isPaused,
      frame: this.playhead,
      frames: this.durationInFrames,
      fps: this.fps,
      volume: this.level,
      muted: this.isMuted,
      sound: this.facts?.sound ?? false,
      captions: this.captionsShown,
      hasCaptions: this.facts?.captions ?? false,
      fullScreen: document.fullscreenElement === this,
    };
  }

  private readonly keys: KeyTarget = {
    toggle: () => this.toggle(),
    moveBy: (frames) => {
      void this.pause();
      this.move(this.playhead + frames);
    },
    jumpBy: (seconds) => this.move(this.playhead + Math.round(seconds * this.fps)),
    toStart: () => this.move(0),
    toEnd: () => this.move(this.durationInFrames - 1),
    volumeBy: (step) => {
      this.volume = this.level + step;
    },
    toggleMuted: () => {
      this.muted = !this.muted;
    },
    toggleCaptions: () => this.toggleCaptions(),
    toggleFullScreen: () => this.toggleFullScreen(),
  };

  private toggle() {
    if (this.isPaused) void this.play().catch(() => undefined);
    else void this.pause();
  }

  /** Seeks; nobody waits for it. */
  private move(frame: number) {
    void this.seek(frame).catch(() => undefined);
  }

  private toggleCaptions() {
    if (!this.facts?.captions) return;
    this.captionsShown = !this.captionsShown;
    this.session?.send({ type: "captions", shown: this.captionsShown });
    // Sound is mixed from the film that is shown.
    if (!this.isPaused && this.facts.sound) void this.start();
    this.refresh();
  }

  private toggleFullScreen() {
    if (document.fullscreenElement === this) void document.exitFullscreen();
    else void this.requestFullscreen?.().catch(() => undefined);
  }

  /** Starts the clock at the playhead: the audio clock where there is sound. */
  private async start() {
    const turn = ++this.playing;
    const isOn = () => turn === this.playing && !this.isPaused;
    this.stopClock();
    await this.session?.ask({ type: "prepare", frame: this.playhead }).catch(() => undefined);
    if (!isOn()) return;
    const time = this.playhead / this.fps;
    let clock = null;
    if (this.facts?.sound) {
      if (await Sound.allowed()) clock = await this.startSound(time, isOn);
      else this.stopListening = Sound.onceAllowed(() => isOn() && void this.start());
    }
    if (!isOn()) return;
    clock ??= { at: performance.timeOrigin + performance.now(), time, rate: this.rate };
    this.session?.send({ type: "play", frame: this.playhead, ...clock });
    let sent = clock;
    this.clockTimer = setInterval(() => {
      const heard = this.sound?.clock();
      if (!heard || !isOn()) return;
      const expected = sent.time + ((heard.at - sent.at) / 1000) * sent.rate;
      if (Math.abs(heard.time - expected) * 1000 < DRIFT) return;
      sent = heard;
      this.session?.send({ type: "clock", ...heard });
    }, CLOCK_EVERY);
  }

  private async startSound(time: number, isOn: () => boolean) {
    if (!isOn()) return null;
    this.sound ??= new Sound(
      (run, at) => this.session?.send({ type: "sound", run, frame: Math.round(at * this.fps) }),
      (run, seconds) => this.session?.send({ type: "mix", run, seconds }),
    );
    this.applyVolume();
    const waiting = setTimeout(() => isOn() && this.dispatchEvent(new CustomEvent("waiting")), BUSY_AFTER);
    await this.sound.start(time, this.rate);
    clearTimeout(waiting);
    return this.sound.clock();
  }

  private stopClock() {
    clearInterval(this.clockTimer);
    this.stopListening();
    this.sound?.stop();
  }

  private stop() {
    this.playing++;
    this.stopClock();
  }

  private end() {
    if (this.loop) {
      this.playhead = 0;
      void this.start();
      return;
    }
    this.halt();
    this.dispatchEvent(new CustomEvent("ended"));
  }

  private halt() {
    this.stop();
    this.isPaused = true;
    this.refresh();
    this.dispatchEvent(new CustomEvent("pause"));
  }

  private applyVolume() {
    if (this.sound) this.sound.volume = this.isMuted ? 0 : this.level;
  }

  /** Waits for the film that `src` names, when it is still loading. */
  private async settled(): Promise<Session> {
    if (!this.loaded) await this.loading?.done;
    this.revive();
    if (!this.session) throw new Error("The player is not in a page.");
    if (!this.loaded) throw new Error("There is no film.");
    return this.session;
  }

  /** Asks of the film that is set at the call. */
  private async ask(request: Parameters<Session["ask"]>[0]) {
    this.revive();
    const session = this.loaded && this.session ? this.session : await this.settled();
    return session.ask(request);
  }

  /** Waits until the film is open, also when another one is set meanwhile. */
  private async openedFilm() {
    for (;;) {
      const { opened } = this;
      try {
        return await opened.promise;
      } catch (error) {
        if (opened === this.opened) throw error;
      }
    }
  }

  // Properties.

  get composition(): unknown {
    return this.loaded?.composition;
  }

  /** Keeps the playhead, clamped to the new length. */
  set composition(composition: unknown) {
    this.loading?.abort.abort();
    const { ways = {}, replacements = this.values } = this.loaded ?? {};
    this.setFilm({ composition, replacements, base: document.baseURI, ways });
  }

  get replacements(): unknown {
    return this.loaded?.replacements ?? this.values;
  }

  set replacements(replacements: unknown) {
    this.values = replacements;
    if (this.loaded) this.setFilm({ ...this.loaded, replacements });
  }

  get currentFrame(): number {
    return this.playhead;
  }

  set currentFrame(frame: number) {
    this.move(frame);
  }

  /** Seconds. */
  get currentTime(): number {
    return this.playhead / this.fps;
  }

  set currentTime(seconds: number) {
    this.move(Math.floor(seconds * this.fps + 1e-6));
  }

  get durationInFrames(): number {
    return this.facts?.durationInFrames ?? 0;
  }

  get fps(): number {
    return this.facts?.fps ?? 30;
  }

  get paused(): boolean {
    return this.isPaused;
  }

  get volume(): number {
    return this.level;
  }

  set volume(volume: number) {
    this.level = Math.min(1, Math.max(0, Number(volume) || 0));
    this.applyVolume();
    this.refresh();
  }

  get muted(): boolean {
    return this.isMuted;
  }

  set muted(muted: boolean) {
    this.isMuted = muted;
    this.applyVolume();
    this.refresh();
  }

  get playbackRate(): number {
    return this.rate;
  }

  set playbackRate(rate: number) {
    if (!(rate >= 0.1 && rate <= 8)) throw new RangeError(`playbackRate must be between 0.1 and 8, got ${rate}.`);
    this.rate = rate;
    if (!this.isPaused) void this.start();
  }

  /** Whether the frame on the canvas has the bytes that the service renders. */
  get exact(): boolean {
    return this.isExact;
  }

  get warnings(): readonly Warning[] {
    return this.found;
  }

  // Methods.

  /** Resolves when the film plays. */
  async play(): Promise<void> {
    await this.settled();
    await this.openedFilm();
    if (!this.isPaused) return;
    this.isPaused = false;
    if (this.playhead >= this.durationInFrames - 1) this.playhead = 0;
    this.refresh();
    this.dispatchEvent(new CustomEvent("play"));
    await this.start();
  }

  async pause(): Promise<void> {
    if (this.isPaused) return;
    this.session?.send({ type: "pause" });
    this.halt();
  }

  /** Resolves when the frame is painted; a playing film goes on from there. */
  async seek(frame: number): Promise<void> {
    const wanted = Math.max(0, Math.round(Number(frame) || 0));
    // A film that is still loading begins there.
    if (!this.loaded) this.playhead = wanted;
    const session = await this.settled();
    await this.openedFilm();
    this.playhead = Math.min(wanted, this.durationInFrames - 1);
    this.stop();
    const turn = this.playing;
    this.refresh();
    await session.ask({ type: "seek", frame: this.playhead });
    if (!this.isPaused && turn === this.playing) await this.start();
  }

  /** Moves by frames and pauses. */
  async step(frames: number): Promise<void> {
    await this.pause();
    await this.seek(this.playhead + frames);
  }

  /** The exact pixels of a frame of the current composition; the playhead stays. */
  async frame(frame: number): Promise<ImageData> {
    const { image } = await this.ask({ type: "frame", frame });
    if (!image) throw new Error("The frame cannot be painted.");
    return image;
  }

  /** Where the overlays of a frame are on the canvas, back to front; by default of the frame at the playhead. */
  async outlines(frame = this.playhead): Promise<OverlayOutline[]> {
    const { outlines = [] } = await this.ask({ type: "outlines", frame });
    return outlines;
  }

  /** The overlays at a point of the canvas by their index, the one in front first. */
  async hit(x: number, y: number, frame = this.playhead): Promise<number[]> {
    const { hits = [] } = await this.ask({ type: "hit", frame, x, y });
    return hits;
  }

  /** When the word at a point of captions, or nearest to it, is said, in milliseconds of the overlay; null without words. */
  async said(index: number, x: number, y: number, frame = this.playhead): Promise<number | null> {
    const { said = null } = await this.ask({ type: "said", frame, index, x, y });
    return said;
  }

  /** The frame at the playhead as a PNG file. */
  async snapshot(): Promise<Blob> {
    const { blob } = await this.ask({ type: "snapshot" });
    if (!blob) throw new Error("The frame cannot be painted.");
    return blob;
  }
}

/** A promise that may be refused without anyone waiting for it. */
function pending() {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

export interface RondoPlayer {
  addEventListener<K extends keyof RondoPlayerEvents>(
    type: K,
    listener: (this: RondoPlayer, event: RondoPlayerEvents[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<K extends Exclude<keyof HTMLElementEventMap, keyof RondoPlayerEvents>>(
    type: K,
    listener: (this: RondoPlayer, event: HTMLElementEventMap[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "rondo-player": RondoPlayer;
  }
}
