/** Requests for files. What fails in passing is tried again: no connection, or a server that is busy or starting. */

/** Milliseconds before further attempts. */
const PAUSES = [300, 1500];

/** A failure that may pass. */
export class Passing extends Error {}

/** Milliseconds until the next attempt after so many that failed; null when there is none. */
export const pauseAfter = (failed: number, error: unknown) =>
  (error instanceof Passing ? PAUSES[failed - 1] : null) ?? null;

/** Fetches once; throws unless the answer is a success. */
export async function request(address: RequestInfo | URL, options?: RequestInit): Promise<Response> {
  const response = await fetch(address, options).catch((error: Error) => {
    throw options?.signal?.aborted ? error : new Passing(error.message);
  });
  if (response.ok) return response;
  const { status } = response;
  const Failure = status === 429 || status >= 500 ? Passing : Error;
  throw new Failure(`It answers with status ${status}.`);
}

/** Does work again when it fails in passing. */
export async function repeat<T>(work: () => Promise<T>): Promise<T> {
  for (let failed = 1; ; failed++) {
    try {
      return await work();
    } catch (error) {
      const pause = pauseAfter(failed, error);
      if (pause === null) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
