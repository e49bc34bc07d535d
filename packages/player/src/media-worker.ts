/** Module worker: fetches media files, decodes their pictures and sound. */

import { type MediaFile, openFile } from "./media/file";
import { recycle } from "./media/planes";
import { decodeStill } from "./media/still";
import type { Picture } from "./media/video";
import type { MediaAnswer, MediaRequest } from "./protocol";

/** Decoders that stay open at a time. */
const DECODERS = 3;

interface Source {
  file: Promise<MediaFile>;
  /** Order of last use. */
  used: number;
}

const sources = new Map<string, Source>();
/** Pictures with a lower id are no longer wanted. */
let wantedFrom = 0;
let uses = 0;
let reply: (answer: MediaAnswer, transfer?: Transferable[]) => void = () => undefined;

const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error));

function source(src: string): Promise<MediaFile> {
  const known = sources.get(src);
  if (!known) return Promise.reject(new Error("It is not open."));
  known.used = ++uses;
  return known.file;
}

async function open(src: string, addresses: string[]) {
  const known = sources.get(src);
  const file = known?.file ?? openFile(addresses);
  if (!known) sources.set(src, { file, used: ++uses });
  try {
    reply({ type: "opened", src, facts: (await file).facts });
  } catch (error) {
    sources.delete(src);
    reply({ type: "failed", src, message: sentence(error) });
  }
}

/** Closes the decoders that were not used for longest. */
async function limitDecoders() {
  const oldest = [...sources.values()].sort((a, b) => b.used - a.used).slice(DECODERS);
  for (const { file } of oldest) (await file.catch(() => null))?.video?.closeDecoder();
}

async function picture({ id, src, time, hurry }: Extract<MediaRequest, { type: "picture" }>) {
  const send = (exact: boolean, { planes, facts, lossy }: Picture) =>
    reply({ type: "picture", id, src, time, exact, planes, facts, lossy }, [planes]);
  try {
    const { video } = await source(src);
    if (!video) throw new Error("It has no picture track that can be decoded.");
    void limitDecoders();
    const isWanted = () => id >= wantedFrom;
    const found = await video.at(time, isWanted, hurry ? (near) => send(false, near) : undefined);
    if (found === "unwanted") return;
    if (found) send(true, found);
    else reply({ type: "picture", id, src, time, exact: true });
    if (!hurry) video.prefetch();
  } catch (error) {
    reply({ type: "unpictured", id, src, time, message: sentence(error) });
  }
}

async function samples({ id, src, from, to }: Extract<MediaRequest, { type: "samples" }>) {
  try {
    const { sound } = await source(src);
    if (!sound) throw new Error("It has no sound.");
    const { data, ...facts } = await sound.read(from, to);
    reply({ type: "samples", id, src, ...facts, data: data.buffer }, [data.buffer]);
  } catch {
    // What cannot be decoded is silent.
    reply({ type: "samples", id, src, from, rate: 48_000, channels: 2, data: new ArrayBuffer(0) });
  }
}

async function still({ id, parts }: Extract<MediaRequest, { type: "still" }>) {
  try {
    const pictures = await Promise.all(parts.map(decodeStill));
    reply(
      { type: "still", id, pictures },
      pictures.map(({ planes }) => planes),
    );
  } catch (error) {
    reply({ type: "unstill", id, message: sentence(error) });
  }
}

function keep(kept: Set<string>) {
  for (const [src, { file }] of sources) {
    if (kept.has(src)) continue;
    sources.delete(src);
    file.then(
      (opened) => opened.close(),
      () => undefined,
    );
  }
}

function answer(request: MediaRequest) {
  switch (request.type) {
    case "open":
      void open(request.src, request.addresses);
      break;
    case "picture":
      void picture(request);
      break;
    case "forget":
      wantedFrom = Math.max(wantedFrom, request.below);
      break;
    case "recycle":
      recycle(request.planes);
      break;
    case "samples":
      void samples(request);
      break;
    case "still":
      void still(request);
      break;
    case "keep":
      keep(new Set(request.sources));
      break;
  }
}

/** The page sends the port to the paint worker. */
self.onmessage = ({ data: port }: MessageEvent<MessagePort>) => {
  reply = (message, transfer = []) => port.postMessage(message, transfer);
  port.onmessage = ({ data }: MessageEvent<MediaRequest>) => answer(data);
};
