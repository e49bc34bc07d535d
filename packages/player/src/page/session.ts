/** One player's workers: requests with answers, and what they report. */

import type { ImageStart, PaintAnswer, PaintRequest } from "../protocol";
import {
  canDecode,
  dictionaries,
  forgetLoads,
  imageWorker,
  loadFontIndex,
  loadModule,
  loadScript,
  mediaWorker,
  paintWorker,
  startWorker,
} from "./parts";

type Reported = Exclude<PaintAnswer, { type: "done" | "failed" | "needs-media" | "needs-images" }>;
type Answered = Extract<PaintAnswer, { type: "done" }>;
/** A request without its id. */
type Unnumbered<T> = T extends { id: number } ? Omit<T, "id"> : never;

interface Waiting {
  resolve(answer: Answered): void;
  reject(error: Error): void;
}

export class Session {
  /** Whether it could not start, or broke. It answers nothing then. */
  ended = false;
  private paint: Worker | null = null;
  private workers: Worker[] = [];
  private waiting = new Map<number, Waiting>();
  private ids = 0;
  /** Messages until the engine is loaded. */
  private queue: PaintRequest[] = [];
  private closed = false;
  /** Whether a film was painted. */
  private isReady = false;

  constructor(
    canvas: HTMLCanvasElement,
    service: string,
    private readonly report: (answer: Reported) => void,
  ) {
    this.start(canvas, service).catch((error: Error) => this.end(error.message));
  }

  private async start(canvas: HTMLCanvasElement, service: string) {
    const [module, fontIndex, paint] = await Promise.all([
      loadModule(),
      loadFontIndex(service),
      this.startWorker(paintWorker, "rondo paint", (message) => this.end(message)),
    ]);
    if (this.closed) return;
    paint.onmessage = ({ data }: MessageEvent<PaintAnswer>) => this.receive(data);
    const offscreen = canvas.transferControlToOffscreen();
    const fonts = new URL("player/fonts/", service).href;
    const decodes = canDecode();
    paint.postMessage(
      { type: "start", canvas: offscreen, module, fontIndex, fonts, dictionaries, decodes } satisfies PaintRequest,
      [offscreen],
    );
    this.paint = paint;
    for (const request of this.queue) this.send(request);
  }

  /** Starts a worker; `failed` is called when it breaks, or its script cannot be run. */
  private async startWorker(address: URL, name: string, failed: (message: string) => void): Promise<Worker> {
    await loadScript(address);
    if (this.closed) throw new Error(REMOVED);
    const worker = startWorker(address, name);
    this.workers.push(worker);
    worker.onerror = ({ message }) => {
      worker.terminate();
      forgetLoads();
      failed(message || `The player's worker ${address.href} cannot be started.`);
    };
    return worker;
  }

  /** Tells that nothing can be painted. */
  private fail(message: string) {
    if (this.closed) return;
    this.report({ type: "broken", message });
    this.reject(message);
  }

  private reject(message: string) {
    for (const { reject } of this.waiting.values()) reject(new Error(message));
    this.waiting.clear();
  }

  private end(message: string) {
    if (this.closed) return;
    this.ended = true;
    forgetLoads();
    this.fail(message);
    this.close();
  }

  send(request: PaintRequest, transfer: Transferable[] = []) {
    if (this.paint) this.paint.postMessage(request, transfer);
    else this.queue.push(request);
  }

  ask(request: Unnumbered<PaintRequest>): Promise<Answered> {
    if (this.closed) return Promise.reject(new Error(REMOVED));
    const id = ++this.ids;
    this.send({ ...request, id } as PaintRequest);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  private receive(answer: PaintAnswer) {
    switch (answer.type) {
      case "done":
        this.waiting.get(answer.id)?.resolve(answer);
        this.waiting.delete(answer.id);
        break;
      case "failed":
        this.waiting.get(answer.id)?.reject(new Error(answer.message));
        this.waiting.delete(answer.id);
        break;
      case "needs-media":
        void this.help("media", mediaWorker, async (port) => port);
        break;
      case "needs-images":
        void this.help(
          "images",
          imageWorker,
          async (port): Promise<ImageStart> => ({ module: await loadModule(), port }),
        );
        break;
      case "broken":
        if (answer.ended) this.end(answer.message);
        else this.fail(answer.message);
        break;
      case "ready":
        // What a film may need later, when the service may have another version.
        if (!this.isReady) loadScript(imageWorker).catch(() => undefined);
        this.isReady = true;
        this.report(answer);
        break;
      default:
        this.report(answer);
    }
  }

  /** Starts a worker that works for the paint worker. */
  private async help(type: "media" | "images", address: URL, begin: (port: MessagePort) => Promise<unknown>) {
    const lost = (message: string) => this.send({ type: "lost", worker: type, message });
    try {
      const worker = await this.startWorker(address, `rondo ${type}`, lost);
      const { port1, port2 } = new MessageChannel();
      worker.postMessage(await begin(port1), [port1]);
      this.send({ type, port: port2 }, [port2]);
    } catch (error) {
      lost((error as Error).message);
    }
  }

  /** Ends the workers. */
  close() {
    this.closed = true;
    for (const worker of this.workers) worker.terminate();
    this.reject(REMOVED);
  }
}

const REMOVED = "The player was removed from the page.";
