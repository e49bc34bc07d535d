/** Files on their way to the service: progress, cancelling, and going on when the connection is back. */

import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { sendFile } from "@/film/send-file";
import { errorMessage } from "@/lib/error";

export interface Upload {
  key: number;
  file: File;
  /** 0 to 1. */
  progress: number;
  /** Why it ended. */
  problem: string | null;
  /** The connection was lost: it goes on in a moment. */
  isWaiting: boolean;
}

/** What an upload becomes. */
export interface Sent {
  fileUrl: string;
  contentType: string;
  name: string;
}

/** How many files are sent at the same time. */
const AT_ONCE = 2;
/** Seconds between tries while there is no connection. */
const PAUSES = [1, 2, 4, 8, 15, 15, 30, 30, 60, 60];

export const uploads = createStore<{ list: readonly Upload[] }>(() => ({ list: [] }));
export const useUploads = () => useStore(uploads, (state) => state.list);

type Done = (sent: Sent) => void;
const waiting: { key: number; done: Done | undefined }[] = [];
const stops = new Map<number, AbortController>();
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
  stops.get(key)?.abort();
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
        if (isWanted) job.done?.(sent);
      })
      .catch((error: unknown) => {
        if (!find(job.key)) return;
        failed.set(job.key, job.done);
        change(job.key, { problem: errorMessage(error), isWaiting: false });
      })
      .finally(() => {
        running--;
        stops.delete(job.key);
        next();
      });
  }
}

/** Sends a file, again and again while there is no connection. */
async function send({ key, file }: Upload): Promise<Sent> {
  const stop = new AbortController();
  stops.set(key, stop);
  return sendFile(file, {
    pauses: PAUSES,
    signal: stop.signal,
    onProgress: (progress) => change(key, { progress }),
    async rest(seconds) {
      change(key, { isWaiting: true });
      await rest(key, seconds);
      change(key, { isWaiting: false });
    },
  });
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
