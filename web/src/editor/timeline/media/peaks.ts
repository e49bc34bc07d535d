/** The loudness of sounds over time, for waveforms and beats. */

import { Queue } from "./queue";
import { keepPeaks, readPeaks } from "./store";

/** Values in a second. Each is the loudest sample of its part, 0 to 255. */
export const PEAKS_A_SECOND = 100;

/** Files beyond this many bytes have no waveform. */
const MOST_BYTES = 64 * 2 ** 20;
/** The lowest rate that browsers decode to. A waveform needs no more, and it takes the least memory. */
const RATE = 8000;
/** Samples between two pauses. */
const SLICE = 2 ** 20;

const queue = new Queue(2);
const known = new Map<string, Promise<Uint8Array | null>>();

/** The peaks of a sound, null if it cannot be read. */
export function peaksOf(address: string): Promise<Uint8Array | null> {
  let peaks = known.get(address);
  if (!peaks) {
    peaks = load(address).catch(() => null);
    known.set(address, peaks);
  }
  return peaks;
}

async function load(address: string): Promise<Uint8Array | null> {
  const isKept = !/^(data|blob):/.test(address);
  const kept = isKept ? await readPeaks(address) : undefined;
  if (kept) return kept;
  return queue.run(async () => {
    const response = await fetch(address);
    if (!response.ok || Number(response.headers.get("content-length") ?? 0) > MOST_BYTES) {
      await response.body?.cancel();
      return null;
    }
    const bytes = await response.arrayBuffer();
    if (bytes.byteLength > MOST_BYTES) return null;
    const peaks = await measure(await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes));
    if (isKept) await keepPeaks(address, peaks);
    return peaks;
  });
}

/** The loudest sample of each part, over all channels. */
async function measure(sound: AudioBuffer): Promise<Uint8Array> {
  const part = sound.sampleRate / PEAKS_A_SECOND;
  const peaks = new Uint8Array(Math.ceil(sound.length / part));
  const channels = Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index));
  let until = SLICE;
  for (let at = 0; at < peaks.length; at++) {
    const start = Math.floor(at * part);
    const end = Math.min(sound.length, Math.floor((at + 1) * part));
    let most = 0;
    for (const samples of channels)
      for (let sample = start; sample < end; sample++) most = Math.max(most, Math.abs(samples[sample] ?? 0));
    peaks[at] = Math.min(255, Math.round(most * 255));
    if (end < until) continue;
    until += SLICE;
    await new Promise((next) => setTimeout(next));
  }
  return peaks;
}

/** Seconds at which a sound starts to be much louder than just before: drums, and words after a pause. */
export function beatsOf(peaks: Uint8Array): number[] {
  const around = PEAKS_A_SECOND / 2;
  const rises = Float32Array.from(peaks, (peak, at) => Math.max(0, peak - (peaks[at - 1] ?? peak)));
  const beats: number[] = [];
  let sum = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < rises.length; at++) {
    // The mean of the rises within half a second before and after.
    sum += (rises[at + around] ?? 0) - (rises[at - around - 1] ?? 0);
    if (at === 0) for (let early = 0; early < around; early++) sum += rises[early] ?? 0;
    const rise = rises[at] ?? 0;
    const isMost = rise >= (rises[at - 1] ?? 0) && rise > (rises[at + 1] ?? 0);
    if (!isMost || rise < 12 || rise < (sum / (2 * around)) * 3 || at - last < PEAKS_A_SECOND / 4) continue;
    beats.push(at / PEAKS_A_SECOND);
    last = at;
  }
  return beats;
}
