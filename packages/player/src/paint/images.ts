/** Has images decoded by another worker before they are shown, so that painting goes on meanwhile. */

import type { ImageAnswer, ImageRequest } from "../protocol";
import type { Engine } from "./engine";

export class Images {
  private port: MessagePort | null = null;
  private queue: ImageRequest[] = [];
  private asked = new Set<string>();
  /** Images that the worker could not decode. The engine says why once they are shown. */
  private failed = new Set<string>();
  private isLost = false;

  constructor(
    private readonly engine: Engine,
    /** Asks for a port to the worker. */
    private readonly wantPort: () => void,
  ) {}

  connect(port: MessagePort) {
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<ImageAnswer>) => this.receive(data);
    for (const request of this.queue.splice(0)) this.send(request);
  }

  /** There is no worker: images are decoded where they are painted. */
  lost() {
    this.isLost = true;
    this.asked.clear();
  }

  /** Has an image decoded unless it is. Returns whether that is under way. */
  decode(src: string): boolean {
    if (this.asked.has(src)) return true;
    const request = this.isLost || this.failed.has(src) ? null : this.engine.undecoded(src);
    if (!request) return false;
    this.asked.add(src);
    this.send(request);
    return true;
  }

  private send(request: ImageRequest) {
    if (this.port) this.port.postMessage(request, [request.file]);
    else {
      if (this.queue.length === 0) this.wantPort();
      this.queue.push(request);
    }
  }

  private receive({ src, key, picture }: ImageAnswer) {
    this.asked.delete(src);
    if (picture) this.engine.keep(src, key, picture);
    else this.failed.add(src);
  }
}
