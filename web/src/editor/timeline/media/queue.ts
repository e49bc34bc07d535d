/** Work on media, a few at a time, so that scrolling stays smooth and the network free. */

export class Queue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly atOnce: number) {}

  /** Runs the work when its turn comes. What was asked for last comes first: it is what people look at. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.atOnce) await new Promise<void>((turn) => this.waiting.push(turn));
    this.running++;
    try {
      return await work();
    } finally {
      this.running--;
      this.waiting.pop()?.();
    }
  }
}
