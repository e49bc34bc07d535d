/** Requests for files. What fails in passing is tried again: no connection, or a server that is busy or starting. */

/** Milliseconds before further attempts. */
const PAUSES = [300, 1500];

/** Failures of the network are of this type; so are those of servers that may pass. */
export const Passing = TypeError;

/** Milliseconds until the next attempt after so many that failed; undefined when there is none. */
export const pauseAfter = (failed: number, error: unknown) =>
  error instanceof Passing ? PAUSES[failed - 1] : undefined;

/** Fetches once; throws unless the answer is a success. */
export async function request(address: string | URL | Request, options?: RequestInit): Promise<Response> {
  const response = await fetch(address, options);
  const { ok, status } = response;
  if (ok) return response;
  throw new (status === 429 || status >= 500 ? Passing : Error)(`${address} answers with status ${status}.`);
}

/** Does work again when it fails in passing. */
export const repeat = <T>(work: () => Promise<T>, failed = 1): Promise<T> =>
  work().catch(async (error) => {
    const pause = pauseAfter(failed, error);
    if (!pause) throw error;
    await new Promise((resolve) => setTimeout(resolve, pause));
    return repeat(work, failed + 1);
  });
