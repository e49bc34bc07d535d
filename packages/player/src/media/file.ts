/** Opens a media file and tells what is in it. */

import {
  AdtsInputFormat,
  EncodedPacketSink,
  FlacInputFormat,
  Input,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  MatroskaInputFormat,
  Mp3InputFormat,
  Mp4InputFormat,
  OggInputFormat,
  QuickTimeInputFormat,
  UrlSource,
  WaveInputFormat,
  WebMInputFormat,
} from "mediabunny";
import type { ClipFacts } from "../protocol";
import { pauseAfter, request } from "../requests";
import { Lanes } from "./lanes";
import { mp3Delay } from "./mp3";
import { SoundReader } from "./sound";
import { VideoReader } from "./video";

/** What the service reads and browsers can decode. */
const FORMATS = [
  new Mp4InputFormat(),
  new QuickTimeInputFormat(),
  new WebMInputFormat(),
  new MatroskaInputFormat(),
  new Mp3InputFormat(),
  new WaveInputFormat(),
  new OggInputFormat(),
  new AdtsInputFormat(),
  new FlacInputFormat(),
];

/** Bytes of a file kept in memory. */
export const CACHE_BYTES = 32 << 20;
/** Requests that may fail one after another without a byte read. */
const MOST_BROKEN = 8;
/** Packets of a file that are read ahead at a time. */
const READ_AT_ONCE = 32;

export interface MediaFile {
  facts: ClipFacts;
  video: Lanes | null;
  sound: SoundReader | null;
  /** Bytes that it may keep in memory. */
  bytes: number;
  /** Reads what was not read yet into memory, if all of it has room there; each part when it `isFree`. */
  readAll(isFree: () => Promise<void>): Promise<void>;
  close(): void;
}

/** Opens the first address that can be read. */
export async function openFile(addresses: string[]): Promise<MediaFile> {
  let problem: unknown = new Error("It has no address.");
  for (const [index, address] of addresses.entries()) {
    try {
      return await openAddress(address, index === addresses.length - 1);
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

async function openAddress(address: string, isLast: boolean): Promise<MediaFile> {
  // Another address is tried at once.
  let repeats = isLast;
  let broken = 0;
  const source = new UrlSource(address, {
    maxCacheSize: CACHE_BYTES,
    fetchFn: request,
    getRetryDelay(failed, error) {
      // For an answer that breaks off, `failed` is always 1.
      const pause = repeats && ++broken <= MOST_BROKEN && pauseAfter(failed, error);
      return pause ? pause / 1000 : null;
    },
    handleUnhandledError: () => undefined,
  });
  source.on("read", () => {
    broken = 0;
  });
  const input = new Input({ source, formats: FORMATS });
  try {
    const videoTrack = await choose(await input.getVideoTracks());
    const soundTrack = await choose(await input.getAudioTracks());
    const video = videoTrack && (await VideoReader.open(videoTrack));
    const delay = soundTrack && (await input.getFormat()) instanceof Mp3InputFormat ? await mp3Delay(address) : 0;
    const sound = soundTrack && (await openSound(soundTrack, video, videoTrack, delay));
    if (!videoTrack && !sound) throw new Error("It has neither a video nor an audio track that can be decoded.");
    const duration = await durationOf(input, videoTrack ?? soundTrack);
    const size = (await source.getSizeOrNull()) ?? Infinity;
    const lanes = video && new Lanes(video);
    repeats = true;
    return {
      facts: {
        width: video?.shown.width ?? 0,
        height: video?.shown.height ?? 0,
        duration,
        picture: video !== null,
        undecodable: videoTrack !== null && video === null,
        sound: sound !== null,
      },
      video: lanes,
      sound,
      bytes: Math.min(size, CACHE_BYTES),
      async readAll(isFree) {
        if (size > CACHE_BYTES) return;
        let count = 0;
        for (const track of [videoTrack, soundTrack])
          if (track)
            for await (const _ of new EncodedPacketSink(track).packets())
              if (count++ % READ_AT_ONCE === 0) await isFree();
      },
      close() {
        lanes?.closeAll();
        sound?.close();
        input.dispose();
      },
    };
  } catch (error) {
    input.dispose();
    throw error;
  }
}

/** The first track, one marked as default before others. */
async function choose<T extends InputTrack>(tracks: T[]): Promise<T | null> {
  for (const track of tracks) if ((await track.getDisposition()).default) return track;
  return tracks[0] ?? null;
}

async function openSound(
  track: InputAudioTrack,
  video: VideoReader | null,
  videoTrack: InputVideoTrack | null,
  delay: number,
) {
  if (!(await track.canDecode())) return null;
  const first = video?.origin ?? (videoTrack ? Math.max(0, await videoTrack.getFirstTimestamp()) : null);
  return SoundReader.open(track, first, delay);
}

/** Seconds of a track as its header says; those of the file where it does not. */
async function durationOf(input: Input, track: InputTrack | null): Promise<number> {
  const stated = (await track?.getDurationFromMetadata()) ?? (await input.getDurationFromMetadata());
  return stated ?? (await input.computeDuration());
}
