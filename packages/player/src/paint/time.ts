/** The wall clock, and waiting. */

/** Milliseconds of the wall clock. */
export const now = () => performance.timeOrigin + performance.now();

export const sleep = (milliseconds: number) =>
  new Promise<false>((resolve) => setTimeout(() => resolve(false), milliseconds));

const ticks: (() => void)[] = [];
const channel = new MessageChannel();
channel.port1.onmessage = () => ticks.shift()?.();

/** Lets messages through. */
export function tick(): Promise<void> {
  return new Promise((resolve) => {
    ticks.push(resolve);
    channel.port2.postMessage(null);
  });
}

/** Waits for a moment of the wall clock. */
export async function until(wall: number) {
  const left = wall - now();
  if (left > 1) await sleep(left);
  else await tick();
}

/** Milliseconds after which a canvas that nobody sees counts as presented. */
const UNSEEN = 60;

/** Waits until what is on the canvas was brought to the screen. */
export function presented(): Promise<unknown> {
  if (!self.requestAnimationFrame) return tick();
  const frame = new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
  // The canvas is brought there after the callback.
  return Promise.race([frame.then(tick), sleep(UNSEEN)]);
}
