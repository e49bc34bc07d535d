/** Files on their way to the service: progress, cancelling and trying again. */

import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { api } from "@/api/http";
import { queryClient } from "@/api/queries";
import { errorMessage } from "@/lib/error";

export interface Upload {
  key: number;
  file: File;
  /** 0 to 1. */
  progress: number;
  problem: string | null;
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

export const uploads = createStore<{ list: readonly Upload[] }>(() => ({ list: [] }));
export const useUploads = () => useStore(uploads, (state) => state.list);

type Done = (sent: Sent) => void;
const waiting: { key: number; done: Done | undefined }[] = [];
const requests = new Map<number, XMLHttpRequest>();
let running = 0;
let last = 0;

const change = (key: number, values: Partial<Upload>) =>
  uploads.setState(({ list }) => ({
    list: list.map((upload) => (upload.key === key ? { ...upload, ...values } : upload)),
  }));
const drop = (key: number) => uploads.setState(({ list }) => ({ list: list.filter((upload) => upload.key !== key) }));

/** Sends files; `done` is called for each that has arrived. */
export function sendFiles(files: readonly File[], done?: Done) {
  for (const file of files) {
    const key = ++last;
    uploads.setState(({ list }) => ({ list: [...list, { key, file, progress: 0, problem: null }] }));
    waiting.push({ key, done });
  }
  next();
}

export function cancelUpload(key: number) {
  const place = waiting.findIndex((each) => each.key === key);
  if (place >= 0) waiting.splice(place, 1);
  requests.get(key)?.abort();
  drop(key);
  failed.delete(key);
}

const failed = new Map<number, Done | undefined>();

export function retryUpload(key: number) {
  change(key, { progress: 0, problem: null });
  waiting.push({ key, done: failed.get(key) });
  failed.delete(key);
  next();
}

function next() {
  while (running < AT_ONCE) {
    const job = waiting.shift();
    if (!job) return;
    const upload = uploads.getState().list.find(({ key }) => key === job.key);
    if (!upload) continue;
    running++;
    void send(upload)
      .then((sent) => {
        const isWanted = uploads.getState().list.some(({ key }) => key === job.key);
        drop(job.key);
        for (const key of ["media", "account"]) void queryClient.invalidateQueries({ queryKey: [key] });
        if (isWanted) job.done?.(sent);
      })
      .catch((error: unknown) => {
        failed.set(job.key, job.done);
        change(job.key, { problem: errorMessage(error) });
      })
      .finally(() => {
        running--;
        requests.delete(job.key);
        next();
      });
  }
}

async function send({ key, file }: Upload): Promise<Sent> {
  const ending = file.name.split(".").at(-1)?.toLowerCase() ?? "";
  const contentType = file.type || (TYPES[ending] ?? "application/octet-stream");
  const name = file.name.trim().slice(0, 200);
  const place = await api("post", "/uploads", {
    body: { contentType, size: Math.max(file.size, 1), ...(name ? { name } : {}) },
  });
  await new Promise<void>((done, fail) => {
    const request = new XMLHttpRequest();
    requests.set(key, request);
    request.open("PUT", place.uploadUrl);
    request.setRequestHeader("content-type", contentType);
    request.upload.onprogress = ({ loaded, total }) => change(key, { progress: total ? loaded / total : 0 });
    request.onload = () => (request.status < 300 ? done() : fail(new Error(problemOf(request))));
    request.onerror = () => fail(new Error("The connection was lost."));
    request.onabort = () => fail(new Error("Cancelled."));
    request.send(file);
  });
  return { fileUrl: place.fileUrl, contentType, name };
}

function problemOf(request: XMLHttpRequest): string {
  try {
    return (JSON.parse(request.responseText) as { error?: string }).error ?? "The upload failed.";
  } catch {
    return "The upload failed.";
  }
}
