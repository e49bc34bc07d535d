/** Waiting for the end of a render or a batch. */

import { WaitTimeoutError } from "./errors.js";
import { anyOf, pause } from "./time.js";
import type { RenderJob } from "./types.js";

export interface WaitOptions<Job = RenderJob> {
  /** Called with the job or the batch at the start and after every change. */
  onProgress?: (job: Job) => void;
  signal?: AbortSignal;
  /** Milliseconds to wait at most. Then `WaitTimeoutError` is thrown, and the work goes on. Default: no limit. */
  timeout?: number;
}

/** Milliseconds between polls, at first and at most. */
const POLL = { first: 500, most: 5000 };

/** Calls `look` with growing pauses until it returns something. */
export async function poll<T>(
  [kind, id]: ["render" | "batch", string],
  { signal, timeout }: Pick<WaitOptions, "signal" | "timeout">,
  look: (until: AbortSignal | undefined) => Promise<T | null>,
): Promise<T> {
  const limit = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  const until = anyOf(signal, limit);
  try {
    for (let wait = POLL.first; ; wait = Math.min(wait * 1.6, POLL.most)) {
      const found = await look(until);
      if (found !== null) return found;
      await pause(wait, until);
    }
  } catch (error) {
    if (!limit?.aborted || signal?.aborted || error !== until?.reason) throw error;
    const late = new WaitTimeoutError(`The ${kind} ${id} did not end in time.`, { cause: error });
    throw kind === "render" ? Object.assign(late, { jobId: id }) : late;
  }
}
