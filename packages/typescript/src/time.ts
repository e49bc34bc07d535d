/** Pauses and limits of time. */

/** Milliseconds before another attempt: 0.5, 1, 2, 4 … seconds, a little apart for each client. */
export const backOff = (attempt: number) => Math.min(500 * 2 ** attempt, 10_000) * (0.75 + Math.random() / 2);

export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    if (signal?.aborted) return fail(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      done();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** The result, or a failure if it does not come within so many milliseconds. */
export async function within<T>(timeout: number, result: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`Nothing arrived for ${timeout / 1000} seconds.`)), timeout);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The bytes of a body as they arrive. Fails when none come for so many milliseconds. */
export async function* bytesOf({ body }: Response, timeout: number): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await within(timeout, reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    // Ends the connection if bytes are left.
    reader.cancel().catch(() => {});
  }
}

/** A signal for whichever comes first. */
export function anyOf(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((it) => it !== undefined);
  return given.length ? AbortSignal.any(given) : undefined;
}
