/** Plays mixed sound and tells the time that is heard. */

const RATE = 48_000;
/** Seconds of a mixed piece. */
const PIECE = 0.25;
/** Seconds of sound scheduled ahead. */
const AHEAD = 1;
/** Pieces asked for and not yet received. */
const OUTSTANDING = 3;
/** Seconds between the first piece and its start. */
const LEAD = 0.05;

let shared: AudioContext | null = null;

/** One context serves all players of a page. */
const context = () => {
  shared ??= new AudioContext({ sampleRate: RATE, latencyHint: "interactive" });
  return shared;
};

export class Sound {
  private readonly gain = context().createGain();
  private run = 0;
  private nodes = new Set<AudioBufferSourceNode>();
  private outstanding = 0;
  /** Context time at which the run begins; null before its first piece. */
  private startedAt: number | null = null;
  private startTime = 0;
  private rate = 1;
  private scheduled = 0;
  private timer: ReturnType<typeof setInterval> | undefined;
  private started: (() => void) | null = null;

  constructor(
    private readonly begin: (run: number, time: number) => void,
    private readonly mix: (run: number, seconds: number) => void,
  ) {
    this.gain.connect(context().destination);
  }

  /** Whether sound can be heard now; asks for it, which browsers allow after a gesture. */
  static async allowed(): Promise<boolean> {
    const audio = context();
    if (audio.state !== "running") {
      const wait = new Promise((resolve) => setTimeout(resolve, 150));
      await Promise.race([audio.resume().catch(() => undefined), wait]);
    }
    return audio.state === "running";
  }

  /** Calls back once sound is allowed after all. */
  static onceAllowed(then: () => void): () => void {
    const audio = context();
    const listen = () => audio.state === "running" && then();
    audio.addEventListener("statechange", listen);
    return () => audio.removeEventListener("statechange", listen);
  }

  set volume(volume: number) {
    this.gain.gain.value = volume;
  }

  /** Starts at a film time; resolves when the first piece is scheduled, or after a while without one. */
  start(time: number, rate: number): Promise<boolean> {
    this.stop();
    this.run++;
    this.startTime = time;
    this.rate = rate;
    this.begin(this.run, time);
    this.fill();
    this.timer = setInterval(() => this.fill(), 100);
    return new Promise((resolve) => {
      const late = setTimeout(() => resolve(false), 3000);
      this.started = () => {
        clearTimeout(late);
        resolve(true);
      };
    });
  }

  stop() {
    clearInterval(this.timer);
    for (const node of this.nodes) {
      node.onended = null;
      node.stop();
      node.disconnect();
    }
    this.nodes.clear();
    this.run++;
    this.outstanding = 0;
    this.scheduled = 0;
    this.startedAt = null;
    this.started = null;
  }

  /** Asks for pieces until enough is scheduled. */
  private fill() {
    const played = this.startedAt === null ? 0 : (context().currentTime - this.startedAt) * this.rate;
    while (this.outstanding < OUTSTANDING && this.scheduled + this.outstanding * PIECE - played < AHEAD * this.rate) {
      this.outstanding++;
      this.mix(this.run, PIECE);
    }
  }

  receive(run: number, left: Float32Array<ArrayBuffer>, right: Float32Array<ArrayBuffer>) {
    if (run !== this.run) return;
    this.outstanding--;
    const audio = context();
    const buffer = audio.createBuffer(2, left.length, RATE);
    buffer.copyToChannel(left, 0);
    buffer.copyToChannel(right, 1);
    this.startedAt ??= audio.currentTime + LEAD;
    const at = this.startedAt + this.scheduled / this.rate;
    this.scheduled += left.length / RATE;
    const late = audio.currentTime - at;
    if (late * this.rate < buffer.duration) {
      const node = audio.createBufferSource();
      node.buffer = buffer;
      node.playbackRate.value = this.rate;
      node.connect(this.gain);
      node.onended = () => this.nodes.delete(node);
      node.start(Math.max(at, audio.currentTime), Math.max(0, late) * this.rate);
      this.nodes.add(node);
    }
    this.started?.();
    this.started = null;
  }

  /** The film time that is heard, and the wall time at which it is; null before the first piece or when suspended. */
  clock(): { at: number; time: number; rate: number } | null {
    const audio = context();
    if (this.startedAt === null || audio.state !== "running") return null;
    const { contextTime = 0, performanceTime = 0 } = audio.getOutputTimestamp?.() ?? {};
    // Some browsers tell nothing before the first sample is out.
    const [heard, at] =
      performanceTime > 0 && contextTime > 0
        ? [contextTime, performanceTime]
        : [audio.currentTime - (audio.outputLatency || 0), performance.now()];
    const time = this.startTime + (heard - this.startedAt) * this.rate;
    return { at: performance.timeOrigin + at, time, rate: this.rate };
  }

  close() {
    this.stop();
    this.gain.disconnect();
  }
}
