/** Files on their way to the service: progress, cancelling, and trying again when the connection was lost. */

import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { ApiError, api } from "@/api/http";
import { queryClient } from "@/api/queries";
import { ownFontsChanged } from "@/film/own-fonts";
import { errorMessage } from "@/lib/error";

export interface Upload {
  key: number;
  file: File;
  /** 0 to 1. */
  progress: number;
  /** Why it ended. */
  problem: string | null;
  /** The connection was lost: it is sent again in a moment. */
  isWaiting: boolean;
}

/** What an upload becomes. */
export interface Sent {
  fileUrl: string;
  contentType: string;
  name: string;
}

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

/** How many files are sent at the same time. */
const AT_ONCE = 2;
/** Seconds between tries while there is no connection. The service takes whole files only. */
const PAUSES = [1, 2, 4, 8, 15, 15, 30, 30, 60, 60];
/** Milliseconds without progress after which a connection counts as lost. */
const STALL = 45_000;

export const uploads = createStore<{ list: readonly Upload[] }>(() => ({ list: [] }));
export const useUploads = () => useStore(uploads, (state) => state.list);

type Done = (sent: Sent) => void;
const waiting: { key: number; done: Done | undefined }[] = [];
const requests = new Map<number, XMLHttpRequest>();
/** Ends the pause of an upload that waits for the connection. */
const wakers = new Map<number, () => void>();
let running = 0;
let last = 0;

const find = (key: number) => uploads.getState().list.find((upload) => upload.key === key);
const change = (key: number, values: Partial<Upload>) =>
  uploads.setState(({ list }) => ({
    list: list.map((upload) => (upload.key === key ? { ...upload, ...values } : upload)),
  }));
const drop = (key: number) => uploads.setState(({ list }) => ({ list: list.filter((upload) => upload.key !== key) }));

/** Sends files; `done` is called for each that has arrived. */
export function sendFiles(files: readonly File[], done?: Done) {
  for (const file of files) {
    const key = ++last;
    const upload: Upload = { key, file, progress: 0, problem: null, isWaiting: false };
    uploads.setState(({ list }) => ({ list: [...list, upload] }));
    waiting.push({ key, done });
  }
  next();
}

export function cancelUpload(key: number) {
  const place = waiting.findIndex((each) => each.key === key);
  if (place >= 0) waiting.splice(place, 1);
  drop(key);
  failed.delete(key);
  requests.get(key)?.abort();
  wakers.get(key)?.();
}

const failed = new Map<number, Done | undefined>();

/** Tries at once: an upload that failed, or one that waits for the connection. */
export function retryUpload(key: number) {
  const wake = wakers.get(key);
  if (wake) return wake();
  change(key, { progress: 0, problem: null });
  waiting.push({ key, done: failed.get(key) });
  failed.delete(key);
  next();
}

function next() {
  while (running < AT_ONCE) {
    const job = waiting.shift();
    if (!job) return;
    const upload = find(job.key);
    if (!upload) continue;
    running++;
    void send(upload)
      .then((sent) => {
        const isWanted = find(job.key) !== undefined;
        drop(job.key);
        if (sent.contentType.startsWith("font/")) void ownFontsChanged();
        for (const key of ["media", "account"]) void queryClient.invalidateQueries({ queryKey: [key] });
        if (isWanted) job.done?.(sent);
      })
      .catch((error: unknown) => {
        if (!find(job.key)) return;
        failed.set(job.key, job.done);
        change(job.key, { problem: errorMessage(error), isWaiting: false });
      })
      .finally(() => {
        running--;
        requests.delete(job.key);
        next();
      });
  }
}

/** The connection, or the service, was not there: the same file can be sent again. */
class Lost extends Error {}

const isLost = (status: number) => status === 0 || status === 429 || status >= 500;

type Place = Awaited<ReturnType<typeof reserve>>;

/** Sends a file, again and again while there is no connection. */
async function send(upload: Upload): Promise<Sent> {
  const { key, file } = upload;
  let place: Place | null = null;
  for (let tries = 0; ; tries++) {
    try {
      place ??= await reserve(file);
      await put(key, file, place, tries > 0);
      return { fileUrl: place.fileUrl, contentType: place.contentType, name: place.name };
    } catch (error) {
      const pause = PAUSES[tries];
      if (!(error instanceof Lost) || pause === undefined || !find(key)) throw error;
      change(key, { isWaiting: true });
      await rest(key, pause);
      change(key, { isWaiting: false, progress: 0 });
    }
  }
}

/** Waits until the connection may be back. */
function rest(key: number, seconds: number): Promise<void> {
  return new Promise((done) => {
    const wake = () => {
      clearTimeout(timer);
      window.removeEventListener("online", wake);
      wakers.delete(key);
      done();
    };
    const timer = setTimeout(wake, seconds * 1000);
    window.addEventListener("online", wake);
    wakers.set(key, wake);
  });
}

async function reserve(file: File) {
  const ending = file.name.split(".").at(-1)?.toLowerCase() ?? "";
  const contentType = file.type || (TYPES[ending] ?? "application/octet-stream");
  const name = file.name.trim().slice(0, 200);
  try {
    const { uploadUrl, fileUrl } = await api("post", "/uploads", {
      body: { contentType, size: Math.max(file.size, 1), ...(name ? { name } : {}) },
    });
    return { uploadUrl, fileUrl, contentType, name };
  } catch (error) {
    throw error instanceof ApiError && isLost(error.status) ? new Lost(error.message) : error;
  }
}

function put(key: number, file: File, { uploadUrl, contentType }: Place, isAgain: boolean): Promise<void> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    requests.set(key, request);
    let stall: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(stall);
      stall = setTimeout(() => request.abort(), STALL);
    };
    request.open("PUT", uploadUrl);
    request.setRequestHeader("content-type", contentType);
    request.upload.onprogress = ({ loaded, total }) => {
      change(key, { progress: total ? loaded / total : 0 });
      watch();
    };
    request.onload = () => {
      const { status } = request;
      // Only the answer of the try before was lost: the service has the file.
      if (status < 300 || (status === 409 && isAgain)) done();
      else fail(isLost(status) ? new Lost(problemOf(request)) : new Error(problemOf(request)));
    };
    request.onerror = () => fail(new Lost("The connection was lost."));
    request.onabort = () => fail(new Lost("The connection was lost."));
    request.onloadend = () => clearTimeout(stall);
    request.send(file);
    watch();
  });
}

function problemOf(request: XMLHttpRequest): string {
  try {
    return (JSON.parse(request.responseText) as { error?: string }).error ?? "The upload failed.";
  } catch {
    return "The upload failed.";
  }
}
