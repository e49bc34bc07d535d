/** One player's workers: requests with answers, and what they report. */

import type { ImageStart, PaintAnswer, PaintRequest } from "../protocol";
import {
  canDecode,
  dictionaries,
  imageWorker,
  loadFontIndex,
  loadModule,
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
  private readonly paint = startWorker(paintWorker, "rondo paint");
  private media: Worker | null = null;
  private images: Worker | null = null;
  private waiting = new Map<number, Waiting>();
  private ids = 0;
  /** Messages until the engine is loaded. */
  private queue: PaintRequest[] | null = [];
  private closed = false;

  constructor(
    canvas: HTMLCanvasElement,
    service: string,
    private readonly report: (answer: Reported) => void,
  ) {
    this.paint.onmessage = ({ data }: MessageEvent<PaintAnswer>) => this.receive(data);
    this.paint.onerror = (event) => this.fail(event.message || "The player's worker cannot be started.");
    this.start(canvas, service).catch((error: unknown) =>
      this.fail(error instanceof Error ? error.message : String(error)),
    );
  }

  private async start(canvas: HTMLCanvasElement, service: string) {
    const [module, fontIndex] = await Promise.all([loadModule(), loadFontIndex(service)]);
    if (this.closed) return;
    const offscreen = canvas.transferControlToOffscreen();
    const fonts = new URL("player/fonts/", service).href;
    const decodes = canDecode();
    this.paint.postMessage(
      { type: "start", canvas: offscreen, module, fontIndex, fonts, dictionaries, decodes } satisfies PaintRequest,
      [offscreen],
    );
    for (const request of this.queue ?? []) this.paint.postMessage(request);
    this.queue = null;
  }

  private fail(message: string) {
    if (this.closed) return;
    this.report({ type: "broken", message });
    for (const { reject } of this.waiting.values()) reject(new Error(message));
    this.waiting.clear();
  }

  send(request: PaintRequest) {
    if (this.queue) this.queue.push(request);
    else this.paint.postMessage(request);
  }

  ask(request: Unnumbered<PaintRequest>): Promise<Answered> {
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
      case "needs-media": {
        const { port1, port2 } = new MessageChannel();
        this.media = startWorker(mediaWorker, "rondo media");
        this.media.postMessage(port1, [port1]);
        this.paint.postMessage({ type: "media", port: port2 } satisfies PaintRequest, [port2]);
        break;
      }
      case "needs-images":
        void this.startImages();
        break;
      case "broken":
        this.fail(answer.message);
        break;
      default:
        this.report(answer);
    }
  }

  /** Starts the worker that decodes images. */
  private async startImages() {
    const module = await loadModule();
    if (this.closed) return;
    const { port1, port2 } = new MessageChannel();
    this.images = startWorker(imageWorker, "rondo images");
    this.images.postMessage({ module, port: port1 } satisfies ImageStart, [port1]);
    this.paint.postMessage({ type: "images", port: port2 } satisfies PaintRequest, [port2]);
  }

  /** Ends the workers. */
  close() {
    this.closed = true;
    this.paint.terminate();
    this.media?.terminate();
    this.images?.terminate();
    for (const { reject } of this.waiting.values()) reject(new Error("The player was removed from the page."));
    this.waiting.clear();
  }
}
