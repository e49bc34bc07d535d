/** Downloads that resume after the connection broke off. */

import { ConnectionError } from "./errors.js";
import type { Http } from "./http.js";
import { anyOf, backOff, bytesOf, pause } from "./time.js";

/** Bytes of a file, and where they belong. */
export interface Piece {
  at: number;
  bytes: Uint8Array;
  file: Facts;
}

interface Facts {
  size: number | null;
  /** The strong `ETag`, with which the rest can be asked for. Null if the size is not known. */
  tag: string | null;
}

const UNKNOWN: Facts = { size: null, tag: null };

/**
 * The pieces of a file. After the connection broke off, the rest follows, or all of them again where the rest cannot be had. `first` is the
 * answer with the whole file, if it was asked for already.
 */
export async function* piecesOf(
  http: Http,
  url: string,
  signal?: AbortSignal,
  first?: Response,
): AsyncGenerator<Piece> {
  let file = UNKNOWN;
  let at = 0;
  let most = 0;
  let asked = first;
  for (let attempt = 0; ; attempt++) {
    const headers: HeadersInit = file.tag ? { range: `bytes=${at}-`, "if-range": file.tag } : {};
    const response = asked ?? (await http.fetchFile(url, { headers }, { signal }));
    asked = undefined;
    const isPart = response.status === 206;
    const follows = isPart && isRest(response, file, at);
    if (!follows) [at, file] = [0, factsOf(response)];
    let cause: unknown;
    try {
      if (isPart && !follows) await response.body?.cancel();
      for await (const bytes of bytesOf(response, http.timeout)) {
        yield { at, bytes, file };
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

/** The file as a response whose body resumes. `named` completes the errors of the body. */
export async function openDownload(
  http: Http,
  url: string,
  signal: AbortSignal | undefined,
  named: (error: unknown) => unknown,
): Promise<Response> {
  const stop = new AbortController();
  const until = anyOf(signal, stop.signal);
  const first = await http.fetchFile(url, {}, { signal: until });
  const headers = new Headers(first.headers);
  // The body of the answer is decoded.
  if (headers.has("content-encoding")) for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  const pieces = piecesOf(http, url, until, first);
  const file = factsOf(first);
  let given = 0;
  /** The bytes after those that were given. Null at the end. */
  const next = async (): Promise<Uint8Array | null> => {
    for (;;) {
      const { done, value: piece } = await pieces.next();
      if (done) return null;
      // The headers are those of the first answer, also where it had no bytes.
      const fits = piece.at < given ? isSame(piece.file, file) : isAlike(piece.file, file);
      if (!fits) {
        stop.abort();
        throw new ConnectionError(`The download from ${new URL(url).origin} broke off and cannot be resumed.`);
      }
      const fresh = piece.bytes.subarray(given - piece.at);
      given += fresh.length;
      if (fresh.length > 0) return fresh;
    }
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const bytes = await next().catch((error) => {
          throw named(error);
        });
        if (bytes) controller.enqueue(bytes);
        else controller.close();
      },
      cancel: () => stop.abort(),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers });
}

/** What the answer with a whole file says about it. The length of an encoded body is not that of the file. */
function factsOf({ status, headers }: Response): Facts {
  const size = headers.get("content-length");
  if (status === 206 || size === null || headers.has("content-encoding")) return UNKNOWN;
  const tag = headers.get("etag");
  return { size: Number(size), tag: tag?.startsWith('"') ? tag : null };
}

/** Whether two answers say the same about their files. Without a tag these may still differ. */
const isAlike = (one: Facts, other: Facts) => one.tag === other.tag && one.size === other.size;

/** Whether two answers have the same file. */
const isSame = (one: Facts, other: Facts) => one.tag !== null && isAlike(one, other);

/** Whether an answer has the bytes of the same file from one on. */
const isRest = ({ headers }: Response, { size, tag }: Facts, at: number) =>
  tag !== null &&
  headers.get("content-range") === `bytes ${at}-${Number(size) - 1}/${size}` &&
  (headers.get("etag") ?? tag) === tag;
