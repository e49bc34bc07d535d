/** Downloads that go on after the connection broke off. */

import { ConnectionError } from "./errors.js";
import { backOff, type Http, pause } from "./http.js";

/** Bytes of a file, and where they belong. */
export interface Piece {
  at: number;
  bytes: Uint8Array;
}

interface Facts {
  size: number | null;
  /** The strong `ETag`, with which the rest can be asked for. Null if the size is not known. */
  tag: string | null;
}

const UNKNOWN: Facts = { size: null, tag: null };

/** The pieces of a file. After the connection broke off, the rest follows, or all of them again where the rest cannot be had. */
export async function* piecesOf(http: Http, url: string, signal?: AbortSignal): AsyncGenerator<Piece> {
  let file = UNKNOWN;
  let at = 0;
  let most = 0;
  for (let attempt = 0; ; attempt++) {
    const headers: HeadersInit = file.tag ? { range: `bytes=${at}-`, "if-range": file.tag } : {};
    const response = await http.fetchFile(url, { headers }, signal);
    const isPart = response.status === 206;
    const follows = isPart && isRest(response, file, at);
    if (!follows) [at, file] = [0, factsOf(response)];
    let cause: unknown;
    try {
      if (isPart && !follows) await response.body?.cancel();
      for await (const bytes of bytesOf(response, http.timeout)) {
        yield { at, bytes };
        at += bytes.length;
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      cause = error;
    }
    if (at > 0 && (file.size === null ? cause === undefined : at === file.size)) return;
    if (at > most) [most, attempt] = [at, 0];
    if (attempt >= http.retries)
      throw new ConnectionError(`The download from ${new URL(url).origin} broke off.`, { cause });
    await pause(backOff(attempt), signal);
  }
}

/** The bytes of a body as they arrive. Fails when none come for so many milliseconds. */
async function* bytesOf({ body }: Response, timeout: number): AsyncGenerator<Uint8Array> {
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

async function within<T>(timeout: number, result: Promise<T>): Promise<T> {
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

/** What the answer with a whole file says about it. The length of an encoded body is not that of the file. */
function factsOf({ status, headers }: Response): Facts {
  const size = headers.get("content-length");
  if (status === 206 || size === null || headers.has("content-encoding")) return UNKNOWN;
  const tag = headers.get("etag");
  return { size: Number(size), tag: tag?.startsWith('"') ? tag : null };
}

/** Whether an answer has the bytes of the same file from one on. */
const isRest = ({ headers }: Response, { size, tag }: Facts, at: number) =>
  tag !== null &&
  headers.get("content-range") === `bytes ${at}-${Number(size) - 1}/${size}` &&
  (headers.get("etag") ?? tag) === tag;
