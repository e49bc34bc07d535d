/** Sends files of this computer in parts, so that one that broke off goes on where it stopped: also after a reload, when it is chosen again. */

import { ApiError, api } from "@/api/http";
import { queryClient } from "@/api/queries";
import { ownFontsChanged } from "./own-fonts";
import { type Place, placeKey, remember, remembered } from "./unfinished-uploads";

export interface SendOptions {
  /** Called with 0 to 1. */
  onProgress?: (progress: number) => void;
  /** Waits until the connection may be back. */
  rest?: (seconds: number) => Promise<void>;
  /** Seconds between tries while there is no connection. */
  pauses?: readonly number[];
  signal?: AbortSignal;
}

/** Types that browsers do not know by the name of a file. */
const TYPES: Record<string, string> = {
  ttf: "font/ttf",
  otf: "font/otf",
  woff: "font/woff",
  woff2: "font/woff2",
  mp4: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  wav: "audio/wav",
};

/** Bytes of a part. */
const PART = 8 * 1024 * 1024;
const PAUSES = [1, 2, 4, 8];
/** Milliseconds without progress after which a connection counts as lost. */
const STALL = 45_000;

/** The connection, or the service, was not there: the same can be sent again. */
class Lost extends Error {}

/** The address takes no file any more: there may be a new one. */
class Gone extends Error {}

const isLost = (status: number) => status === 0 || status === 429 || status >= 500;
const GONE = ["INVALID_SIGNATURE", "UPLOAD_EXPIRED", "NOT_FOUND", "SIZE_MISMATCH"];

const wait = (seconds: number) => new Promise<void>((done) => setTimeout(done, seconds * 1000));

/** Files that are being sent: the same one chosen twice has two uploads. */
const sending = new Set<string>();

/** Sends the file and returns the upload. */
export async function sendFile(file: File, options: SendOptions = {}): Promise<Place> {
  if (!file.size) throw new Error("The file is empty.");
  const key = placeKey(file);
  // Small files are sent again from the start.
  const isKept = file.size > PART && !sending.has(key);
  if (isKept) sending.add(key);
  try {
    const place = await sendWhole(file, isKept ? key : null, options);
    if (place.contentType.startsWith("font/")) await ownFontsChanged();
    for (const name of ["media", "account"]) void queryClient.invalidateQueries({ queryKey: [name] });
    return place;
  } finally {
    if (isKept) sending.delete(key);
  }
}

async function sendWhole(file: File, key: string | null, options: SendOptions): Promise<Place> {
  const { rest = wait, pauses = PAUSES, signal } = options;
  let place = key ? remembered(key) : null;
  let isFound = place !== null;
  /** What the service has; null if that is not known. */
  let received: number | null = place ? null : 0;
  for (let tries = 0; ; ) {
    try {
      if (!place) {
        place = await reserve(file);
        if (key) remember(key, place);
      }
      received ??= await ask(place, file, signal);
      while (received < file.size) {
        received = await sendPart(place, file, received, options);
        tries = 0;
      }
      if (key) remember(key, null);
      return place;
    } catch (error) {
      const pause = pauses[tries++];
      if (error instanceof Gone && isFound) {
        // It was begun long ago.
        place = null;
        received = 0;
        isFound = false;
        if (key) remember(key, null);
      } else if (error instanceof Lost && pause !== undefined && !signal?.aborted) {
        received = place ? null : 0;
        await rest(pause);
        signal?.throwIfAborted();
      } else {
        // What is refused for what it is begins anew the next time.
        if (key && !(error instanceof Lost) && !signal?.aborted) remember(key, null);
        throw error;
      }
    }
  }
}

async function reserve(file: File): Promise<Place> {
  const ending = file.name.split(".").at(-1)?.toLowerCase() ?? "";
  const contentType = file.type || (TYPES[ending] ?? "application/octet-stream");
  const name = file.name.trim().slice(0, 200);
  try {
    const { id, uploadUrl, fileUrl } = await api("post", "/uploads", {
      body: { contentType, size: file.size, inParts: true, ...(name ? { name } : {}) },
    });
    return { id, uploadUrl, fileUrl, contentType, name };
  } catch (error) {
    throw error instanceof ApiError && isLost(error.status) ? new Lost(error.message) : error;
  }
}

/** How many bytes the service has. */
const ask = (place: Place, { size }: File, signal: AbortSignal | undefined) =>
  put(place, `bytes */${size}`, null, size, signal, () => undefined);

/** Sends the next part, and returns how many bytes the service has then. */
function sendPart(place: Place, file: File, from: number, { signal, onProgress }: SendOptions): Promise<number> {
  const to = Math.min(from + PART, file.size);
  const range = `bytes ${from}-${to - 1}/${file.size}`;
  onProgress?.(from / file.size);
  return put(place, range, file.slice(from, to), file.size, signal, (sent) => onProgress?.((from + sent) / file.size));
}

function put(
  { uploadUrl, contentType }: Place,
  range: string,
  body: Blob | null,
  size: number,
  signal: AbortSignal | undefined,
  onSent: (bytes: number) => void,
): Promise<number> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    let stall: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(stall);
      stall = setTimeout(() => request.abort(), STALL);
    };
    const stop = () => request.abort();
    const lost = () => fail(new Lost("The connection was lost."));
    request.open("PUT", uploadUrl);
    request.setRequestHeader("content-type", contentType);
    request.setRequestHeader("content-range", range);
    request.upload.onprogress = ({ loaded }) => {
      onSent(loaded);
      watch();
    };
    request.onload = () => {
      const { status } = request;
      const { error = "The upload failed.", details = {} } = failureOf(request);
      // The file is complete, and only that answer was lost.
      if (status < 300 || details.reason === "UPLOAD_COMPLETE") done(size);
      // With all bytes there the service checks the file, so it is asked again.
      else if (status === 308 && receivedOf(request) < size) done(receivedOf(request));
      else if (status === 308) fail(new Lost("The service is not done with the file."));
      else if (status === 416 || details.reason === "UPLOAD_IN_PROGRESS" || isLost(status)) fail(new Lost(error));
      else fail(GONE.includes(details.reason ?? "") ? new Gone(error) : new Error(error));
    };
    request.onerror = lost;
    request.onabort = lost;
    request.onloadend = () => {
      clearTimeout(stall);
      signal?.removeEventListener("abort", stop);
    };
    if (signal?.aborted) return lost();
    signal?.addEventListener("abort", stop);
    request.send(body);
    watch();
  });
}

/** `bytes=0-999`; nothing if no byte is there. */
const receivedOf = (request: XMLHttpRequest) =>
  Number(/^bytes=0-(\d+)$/.exec(request.getResponseHeader("range") ?? "")?.[1] ?? -1) + 1;

function failureOf(request: XMLHttpRequest): { error?: string; details?: { reason?: string } } {
  try {
    return JSON.parse(request.responseText) as { error?: string };
  } catch {
    return {};
  }
}
