/** Colour tags of a video, read as the service reads them: the bitstream first, then the container, then a guess by height. */

import type { Matrix } from "../protocol";

export interface Colour {
  matrix: Matrix;
  full: boolean;
}

/** Untagged pictures at least this high are BT.709. */
const HD_HEIGHT = 720;

/** Matrix coefficients of ITU-T H.273 that name a matrix. */
const MATRICES: Record<number, Matrix> = {
  1: "bt709",
  4: "fcc",
  5: "bt601",
  6: "bt601",
  7: "smpte240m",
  9: "bt2020",
  10: "bt2020",
};

/** The same by WebCodecs' names. */
const NAMED: Record<string, Matrix> = {
  bt709: "bt709",
  bt470bg: "bt601",
  smpte170m: "bt601",
  "bt2020-ncl": "bt2020",
};

/** The colour of a track. `height` is that of the coded picture. */
export function colourOf(config: VideoDecoderConfig, height: number): Colour {
  const container = config.colorSpace;
  const tags = config.codec.startsWith("avc") ? tagsOfAvcc(bytesOf(config.description)) : null;
  const matrix = tags?.matrix !== undefined ? MATRICES[tags.matrix] : NAMED[container?.matrix ?? ""];
  return {
    matrix: matrix ?? (height >= HD_HEIGHT ? "bt709" : "bt601"),
    full: tags?.full ?? container?.fullRange ?? false,
  };
}

function bytesOf(source: AllowSharedBufferSource | undefined): Uint8Array | null {
  if (!source) return null;
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
}

interface Tags {
  /** Undefined where the stream does not describe its colour. */
  matrix?: number;
  full?: boolean;
}

/** The tags in the first sequence parameter set of an `avcC` record; null when there is none to read. */
export function tagsOfAvcc(record: Uint8Array | null): Tags | null {
  if (!record || record.length < 8 || ((record[5] ?? 0) & 31) === 0) return null;
  const length = ((record[6] ?? 0) << 8) | (record[7] ?? 0);
  const sps = record.subarray(8, 8 + length);
  return sps.length === length && length > 4 ? tagsOfSps(sps) : null;
}

const HIGH_PROFILES = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

/** H.264, 7.3.2.1.1 and E.1.1, up to the colour description. */
function tagsOfSps(sps: Uint8Array): Tags | null {
  const bits = new Bits(sps.subarray(1));
  const profile = bits.read(8);
  bits.skip(16);
  bits.golomb();
  if (HIGH_PROFILES.has(profile)) {
    const chroma = bits.golomb();
    if (chroma === 3) bits.skip(1);
    bits.golomb();
    bits.golomb();
    bits.skip(1);
    if (bits.read(1)) for (let list = 0; list < (chroma === 3 ? 12 : 8); list++) skipScalingList(bits, list);
  }
  bits.golomb();
  const order = bits.golomb();
  if (order === 0) bits.golomb();
  else if (order === 1) {
    bits.skip(1);
    bits.golomb();
    bits.golomb();
    const count = bits.golomb();
    for (let index = 0; index < count && !bits.ended; index++) bits.golomb();
  }
  bits.golomb();
  bits.skip(1);
  bits.golomb();
  bits.golomb();
  if (!bits.read(1)) bits.skip(1);
  bits.skip(1);
  if (bits.read(1)) for (let side = 0; side < 4; side++) bits.golomb();
  const tags: Tags = {};
  if (bits.read(1)) {
    if (bits.read(1) && bits.read(8) === 255) bits.skip(32);
    if (bits.read(1)) bits.skip(1);
    if (bits.read(1)) {
      bits.skip(3);
      tags.full = bits.read(1) === 1;
      if (bits.read(1)) {
        bits.skip(16);
        tags.matrix = bits.read(8);
      }
    }
  }
  return bits.ended ? null : tags;
}

function skipScalingList(bits: Bits, list: number) {
  if (!bits.read(1)) return;
  let [last, next] = [8, 8];
  for (let index = 0; index < (list < 6 ? 16 : 64) && !bits.ended; index++) {
    if (next !== 0) {
      const code = bits.golomb();
      next = (last + (code & 1 ? (code + 1) / 2 : -code / 2) + 256) & 255;
    }
    if (next !== 0) last = next;
  }
}

/** Reads bits of a NAL unit, without its emulation prevention bytes. */
class Bits {
  private bytes: number[] = [];
  private position = 0;

  constructor(unit: Uint8Array) {
    unit.forEach((byte, index) => {
      if (byte !== 3 || index < 2 || unit[index - 1] !== 0 || unit[index - 2] !== 0) this.bytes.push(byte);
    });
  }

  get ended() {
    return this.position > this.bytes.length * 8;
  }

  read(count: number): number {
    let value = 0;
    for (let bit = 0; bit < count; bit++, this.position++)
      value = value * 2 + (((this.bytes[this.position >> 3] ?? 0) >> (7 - (this.position & 7))) & 1);
    return value;
  }

  skip(count: number) {
    this.position += count;
  }

  golomb(): number {
    let zeros = 0;
    while (zeros < 32 && !this.ended && this.read(1) === 0) zeros++;
    return 2 ** zeros - 1 + this.read(zeros);
  }
}
