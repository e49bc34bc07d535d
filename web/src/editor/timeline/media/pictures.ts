/** Small pictures of images and of frames of videos, for clips. */

import { Queue } from "./queue";

/** Pixels a picture is high. Clips are lower: it is drawn smaller. */
export const PICTURE_HEIGHT = 72;
/** Pictures of videos that are held at once, the oldest go first. */
const MOST_FRAMES = 500;
/** Videos that are open at once. */
const MOST_VIDEOS = 3;
const PATIENCE_MS = 8000;

const images = new Map<string, Promise<HTMLImageElement | null>>();

/** An image, null if it cannot be shown. */
export function imageOf(address: string): Promise<HTMLImageElement | null> {
  let image = images.get(address);
  if (!image) {
    image = loadImage(address);
    images.set(address, image);
  }
  return image;
}

async function loadImage(address: string): Promise<HTMLImageElement | null> {
  const image = new Image();
  image.decoding = "async";
  image.src = address;
  try {
    await image.decode();
    return image.naturalWidth > 0 ? image : null;
  } catch {
    return null;
  }
}

interface Source {
  video: HTMLVideoElement;
  ready: Promise<boolean>;
  /** Seeks follow one another. */
  queue: Queue;
}

const sources = new Map<string, Source>();
const frames = new Map<string, ImageBitmap>();
const asked = new Map<string, Promise<ImageBitmap | null>>();
const failed = new Set<string>();

const keyOf = (address: string, seconds: number) => `${seconds.toFixed(3)} ${address}`;

/** The picture of a video at a time, if it is at hand. */
export function frameAtHand(address: string, seconds: number): ImageBitmap | undefined {
  const key = keyOf(address, seconds);
  const frame = frames.get(key);
  if (!frame) return undefined;
  frames.delete(key);
  frames.set(key, frame);
  return frame;
}

/** The picture of a video at a time, null if it cannot be shown. */
export function frameOf(address: string, seconds: number): Promise<ImageBitmap | null> {
  const atHand = frameAtHand(address, seconds);
  if (atHand) return Promise.resolve(atHand);
  if (failed.has(address)) return Promise.resolve(null);
  const key = keyOf(address, seconds);
  let frame = asked.get(key);
  if (!frame) {
    frame = sourceOf(address)
      .queue.run(() => grab(address, seconds))
      .catch(() => null)
      .finally(() => asked.delete(key));
    asked.set(key, frame);
  }
  return frame;
}

function sourceOf(address: string): Source {
  const found = sources.get(address);
  sources.delete(address);
  const source = found ?? openVideo(address);
  sources.set(address, source);
  for (const [other, { video }] of sources) {
    if (sources.size <= MOST_VIDEOS) break;
    sources.delete(other);
    video.removeAttribute("src");
    video.load();
  }
  return source;
}

function openVideo(address: string): Source {
  const video = document.createElement("video");
  video.muted = true;
  video.preload = "auto";
  video.src = address;
  return { video, ready: happens(video, "loadeddata"), queue: new Queue(1) };
}

async function grab(address: string, seconds: number): Promise<ImageBitmap | null> {
  const { video, ready } = sourceOf(address);
  if (!(await ready) && video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) {
    failed.add(address);
    return null;
  }
  // A seek to the place where a video is already fires nothing.
  const time = Math.min(seconds, Math.max(0, (video.duration || 0) - 0.05));
  if (Math.abs(video.currentTime - time) > 0.001) {
    const sought = happens(video, "seeked");
    video.currentTime = time;
    if (!(await sought)) return null;
  }
  const resizeWidth = Math.max(1, Math.round((PICTURE_HEIGHT * video.videoWidth) / Math.max(1, video.videoHeight)));
  const frame = await createImageBitmap(video, { resizeHeight: PICTURE_HEIGHT, resizeWidth, resizeQuality: "low" });
  frames.set(keyOf(address, seconds), frame);
  for (const [key, old] of frames) {
    if (frames.size <= MOST_FRAMES) break;
    frames.delete(key);
    old.close();
  }
  return frame;
}

/** Whether an event comes before an error and before patience ends. */
function happens(video: HTMLVideoElement, event: string): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (result: boolean) => {
      clearTimeout(timer);
      video.removeEventListener(event, yes);
      video.removeEventListener("error", no);
      resolve(result);
    };
    const yes = () => done(true);
    const no = () => done(false);
    const timer = setTimeout(no, PATIENCE_MS);
    video.addEventListener(event, yes);
    video.addEventListener("error", no);
  });
}
