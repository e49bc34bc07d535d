/** Copies the planes out of a decoded frame: 8-bit Y, U and V without padding. */

import type { PlanesFacts } from "../protocol";

type Layout = Pick<PlanesFacts, "width" | "height" | "format">;

/** Parts of a pixel format's name: chroma layout and bits. */
const FORMAT = /^I(420|422|444)A?(P10|P12)?$/;

const RGB = new Set<string>(["RGBA", "RGBX", "BGRA", "BGRX"]);

/** Memory that pictures had, for others of the same size. */
const spare: ArrayBuffer[] = [];
const MOST_SPARE = 4;

/** Takes back the memory of a picture. */
export function recycle(planes: ArrayBuffer) {
  if (spare.length >= MOST_SPARE) spare.shift();
  spare.push(planes);
}

function memory(bytes: number): ArrayBuffer {
  const index = spare.findIndex((buffer) => buffer.byteLength === bytes);
  return (index < 0 ? undefined : spare.splice(index, 1)[0]) ?? new ArrayBuffer(bytes);
}

/** What a frame's planes are; `colour` is told where they are not those of the stream. */
export type Copied = Layout & { planes: ArrayBuffer; colour?: Pick<PlanesFacts, "matrix" | "full"> };

export async function copyPlanes(frame: VideoFrame): Promise<Copied> {
  const rect = frame.visibleRect;
  if (!rect || !frame.format) throw new Error("The pixels of its frames cannot be read.");
  const { width, height } = rect;
  const [halfWidth, halfHeight] = [(width + 1) >> 1, (height + 1) >> 1];
  if (frame.format === "NV12") {
    const bytes = new Uint8Array(width * height + halfWidth * halfHeight * 2);
    await frame.copyTo(bytes, {
      layout: [
        { offset: 0, stride: width },
        { offset: width * height, stride: halfWidth * 2 },
      ],
    });
    return { width, height, format: "I420", planes: splitChroma(bytes, width * height) };
  }
  if (RGB.has(frame.format)) return fromRgb(frame, width, height);
  const [, chroma, depth] = FORMAT.exec(frame.format) ?? [];
  if (!chroma) throw new Error(`Its pixel format ${frame.format} is not supported.`);
  const size = depth ? 2 : 1;
  const chromaWidth = chroma === "444" ? width : halfWidth;
  const chromaHeight = chroma === "420" ? halfHeight : height;
  const luma = width * height * size;
  const part = chromaWidth * chromaHeight * size;
  // An alpha plane comes last; it is copied and cut off.
  const alpha = frame.format.includes("A");
  const buffer = memory(luma + part * 2 + (alpha ? luma : 0));
  await frame.copyTo(buffer, {
    layout: [
      { offset: 0, stride: width * size },
      { offset: luma, stride: chromaWidth * size },
      { offset: luma + part, stride: chromaWidth * size },
      ...(alpha ? [{ offset: luma + part * 2, stride: width * size }] : []),
    ],
  });
  const planes = alpha ? buffer.slice(0, luma + part * 2) : buffer;
  const format = `I${chroma}` as Layout["format"];
  return { width, height, format, planes: depth ? toBytes(planes, depth === "P10" ? 2 : 4) : planes };
}

function splitChroma(bytes: Uint8Array, luma: number): ArrayBuffer {
  const planes = new Uint8Array(bytes.length);
  planes.set(bytes.subarray(0, luma));
  const count = (bytes.length - luma) / 2;
  for (let index = 0; index < count; index++) {
    planes[luma + index] = bytes[luma + index * 2] ?? 0;
    planes[luma + count + index] = bytes[luma + index * 2 + 1] ?? 0;
  }
  return planes.buffer;
}

/** Firefox gives decoded frames as RGB only. They become planes again, which loses a little. */
async function fromRgb(frame: VideoFrame, width: number, height: number): Promise<Copied> {
  const pixels = new Uint8Array(width * height * 4);
  await frame.copyTo(pixels, { layout: [{ offset: 0, stride: width * 4 }] });
  const [red, blue] = frame.format?.startsWith("B") ? [2, 0] : [0, 2];
  const count = width * height;
  const planes = new Uint8ClampedArray(count * 3);
  for (let index = 0, at = 0; index < count; index++, at += 4) {
    const r = pixels[at + red] ?? 0;
    const g = pixels[at + 1] ?? 0;
    const b = pixels[at + blue] ?? 0;
    const luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    planes[index] = luma;
    planes[count + index] = (b - luma) / 1.8556 + 128;
    planes[count * 2 + index] = (r - luma) / 1.5748 + 128;
  }
  return { width, height, format: "I444", planes: planes.buffer, colour: { matrix: "bt709", full: true } };
}

/** Rounds samples of 10 or 12 bits to 8. */
function toBytes(planes: ArrayBuffer, shift: number): ArrayBuffer {
  const wide = new Uint16Array(planes);
  const narrow = new Uint8Array(wide.length);
  const half = 1 << (shift - 1);
  for (let index = 0; index < wide.length; index++) narrow[index] = Math.min(255, ((wide[index] ?? 0) + half) >> shift);
  return narrow.buffer;
}
