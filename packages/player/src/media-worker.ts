/** Module worker: fetches media files, decodes their pictures and sound. */

import { CACHE_BYTES, type MediaFile, openFile } from "./media/file";
import { recycle } from "./media/planes";
import { decodeStill } from "./media/still";
import type { Picture } from "./media/video";
import type { MediaAnswer, MediaRequest } from "./protocol";
import { sentence } from "./sentence";

/** Decoders that no overlay on screen uses: how many stay open, and for how many milliseconds. */
const HIDDEN = 3;
const IDLE = 2000;
/** Bytes of files that stay open for films to come, though the one that is open does not use them. */
const LEFT_OPEN = 64 << 20;
/** Milliseconds between looks whether pictures are waited for. */
const PAUSE = 50;

interface Source {
  addresses: string;
  file: Promise<MediaFile>;
  opened: MediaFile | null;
  /** Whether its bytes were read ahead. */
  isRead: boolean;
}

/** Files by their source, those that were opened or kept last at the end. */
const sources = new Map<string, Source>();
/** How many overlays on screen show each video. */
let shown: Record<string, number> = {};
/** Pictures with a lower id are no longer wanted. */
let wantedFrom = 0;
/** Pictures that were asked for and are not there. */
let waiting = 0;
let tidying: ReturnType<typeof setTimeout> | undefined;
let reading = Promise.resolve();
let reply: (answer: MediaAnswer, transfer?: Transferable[]) => void = () => undefined;

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function opened(src: string): Promise<MediaFile> {
  return sources.get(src)?.file ?? Promise.reject(new Error("It is not open."));
}

function closeSource(src: string) {
  const closing = sources.get(src);
  sources.delete(src);
  closing?.file.then(
    (file) => file.close(),
    () => undefined,
  );
}

async function open({ id, src, addresses }: Extract<MediaRequest, { type: "open" }>) {
  const name = addresses.join("\n");
  let known = sources.get(src);
  if (known?.addresses !== name) {
    closeSource(src);
    known = { addresses: name, file: openFile(addresses), opened: null, isRead: false };
  }
  // At the end of the map.
  sources.delete(src);
  sources.set(src, known);
  try {
    known.opened = await known.file;
    // The pictures of it that were sent are forgotten.
    known.opened.video?.forget();
    reply({ type: "opened", id, src, facts: known.opened.facts });
  } catch (error) {
    if (sources.get(src) === known) sources.delete(src);
    reply({ type: "failed", id, src, message: sentence(error) });
  }
}

/** Closes decoders that no overlay on screen uses: all but some at once, those after a while. */
function tidy() {
  clearTimeout(tidying);
  const hidden = [...sources].flatMap(([src, { opened }]) => {
    const lanes = opened?.video;
    return lanes ? lanes.unused(shown[src] ?? 0).map((lane) => ({ lanes, lane })) : [];
  });
  hidden.sort((a, b) => b.lane.used - a.lane.used);
  const before = performance.now() - IDLE;
  const left = hidden.filter(({ lanes, lane }, index) => {
    const closes = lane.reader.isIdle && (index >= HIDDEN || lane.used <= before);
    if (closes) lanes.close(lane);
    return !closes;
  });
  if (left.length > 0) tidying = setTimeout(tidy, IDLE);
}

async function picture({ id, src, time, times, hurry, near }: Extract<MediaRequest, { type: "picture" }>) {
  waiting++;
  try {
    const { video } = await opened(src);
    if (!video) throw new Error("It has no picture track that can be decoded.");
    const { reader, number: lane } = video.at(time, times);
    const send = (exact: boolean, { planes, facts, lossy }: Picture) =>
      reply({ type: "picture", id, src, time, lane, exact, planes, facts, lossy }, [planes]);
    const isWanted = () => id >= wantedFrom;
    const found = await reader.at(time, isWanted, hurry, near ? (picture) => send(false, picture) : undefined);
    if (found === "unwanted") return;
    if (found) send(true, found);
    else reply({ type: "picture", id, src, time, lane, exact: true });
    if (hurry) reader.resume();
    else reader.prefetch();
  } catch (error) {
    reply({ type: "unpictured", id, src, time, message: sentence(error) });
  } finally {
    waiting--;
    tidy();
  }
}

async function samples({ id, src, from, to }: Extract<MediaRequest, { type: "samples" }>) {
  try {
    const { sound } = await opened(src);
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

/** Closes files that a film does not use; the last ones stay open, without decoders. */
function keep(kept: Set<string>) {
  let bytes = 0;
  for (const [src, { opened }] of [...sources].reverse()) {
    if (kept.has(src)) continue;
    bytes += opened?.bytes ?? CACHE_BYTES;
    if (bytes > LEFT_OPEN) closeSource(src);
  }
}

/** Reads the files to their end, where all of it is kept. Pictures come first. */
function readAhead() {
  const isFree = async () => {
    do await sleep(waiting > 0 ? PAUSE : 0);
    while (waiting > 0);
  };
  for (const source of sources.values()) {
    if (source.isRead) continue;
    source.isRead = true;
    reading = reading.then(async () => (await source.file).readAll(isFree)).catch(() => undefined);
  }
}

function answer(request: MediaRequest) {
  switch (request.type) {
    case "open":
      void open(request);
      break;
    case "picture":
      void picture(request);
      break;
    case "forget":
      wantedFrom = Math.max(wantedFrom, request.below);
      break;
    case "show":
      shown = request.shown;
      tidy();
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
    case "read":
      readAhead();
      break;
  }
}

/** The page sends the port to the paint worker. */
self.onmessage = ({ data: port }: MessageEvent<MessagePort>) => {
  reply = (message, transfer = []) => port.postMessage(message, transfer);
  port.onmessage = ({ data }: MessageEvent<MediaRequest>) => answer(data);
};
