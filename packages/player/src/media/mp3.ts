/** The silence that MP3 encoders put before the sound, which players leave out. */

import { repeat, request } from "../requests";

/** Samples that the decoder itself adds. */
const DECODER_DELAY = 529;
/** Bytes of the side information between a frame's header and its tag: MPEG 1 or 2, stereo or mono. */
const SIDE_INFO = { one: { stereo: 32, mono: 17 }, two: { stereo: 17, mono: 9 } };
/** Encoders that write their delay into the tag. */
const ENCODERS = ["LAME", "Lavf", "Lavc"];
const FRAME_BYTES = 2048;

/** Samples to leave out at the start of an MP3 file. */
export async function mp3Delay(address: string): Promise<number> {
  const start = await readBytes(address, 0, 10);
  const frame = await readBytes(address, tagLength(start), FRAME_BYTES);
  return delayOf(frame);
}

/** Bytes of the ID3 tag at the front. */
function tagLength(bytes: Uint8Array): number {
  const [i, d, three, , , , a = 0, b = 0, c = 0, e = 0] = bytes;
  if (i !== 0x49 || d !== 0x44 || three !== 0x33) return 0;
  return 10 + ((a << 21) | (b << 14) | (c << 7) | e);
}

export function delayOf(frame: Uint8Array): number {
  const [sync = 0, version = 0, , channels = 0] = frame;
  if (sync !== 0xff || (version & 0xe0) !== 0xe0) return 0;
  const side = SIDE_INFO[(version & 0x18) === 0x18 ? "one" : "two"][(channels & 0xc0) === 0xc0 ? "mono" : "stereo"];
  const text = (at: number, length: number) => String.fromCharCode(...frame.subarray(at, at + length));
  const tag = 4 + side;
  if (!["Xing", "Info"].includes(text(tag, 4))) return 0;
  const flags = frame[tag + 7] ?? 0;
  // Count of frames, count of bytes, table of contents, quality.
  const fields = [4, 4, 100, 4].reduce((sum, size, bit) => sum + ((flags >> bit) & 1 ? size : 0), 0);
  const encoder = tag + 8 + fields;
  if (!ENCODERS.includes(text(encoder, 4))) return 0;
  const delay = ((frame[encoder + 21] ?? 0) << 4) | ((frame[encoder + 22] ?? 0) >> 4);
  return delay + DECODER_DELAY;
}

/** Reads a part of a file, also where the server sends all of it. */
const readBytes = (address: string, from: number, length: number) => repeat(() => readOnce(address, from, length));

async function readOnce(address: string, from: number, length: number): Promise<Uint8Array> {
  const response = await request(address, { headers: { Range: `bytes=${from}-${from + length - 1}` } });
  const skip = response.status === 206 ? 0 : from;
  const bytes = new Uint8Array(length);
  let [position, filled] = [0, 0];
  const reader = response.body?.getReader();
  while (reader && filled < length) {
    const { value, done } = await reader.read();
    if (done) break;
    const part = value.subarray(Math.max(0, skip - position), skip + length - position);
    bytes.set(part.subarray(0, length - filled), filled);
    filled += part.length;
    position += value.length;
  }
  void reader?.cancel().catch(() => undefined);
  return bytes;
}
