/** Tells which H.264 pictures no other picture is made from, and which start a closed GOP. */

/** Bytes of the length before each NAL unit, from the `avcC` record; null where units have start codes. */
export function lengthSize(config: VideoDecoderConfig): number | null {
  const { description } = config;
  if (!description || !config.codec.startsWith("avc")) return null;
  const bytes = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description);
  return ((bytes[4] ?? 3) & 3) + 1;
}

/** Kinds of NAL units that are slices: 1 to 5, of which 5 is one of an IDR picture. */
const [SLICE, IDR_SLICE] = [1, 5];

/** The headers of the slices of a packet. */
function* slices(packet: Uint8Array, length: number) {
  for (let at = 0; at + length < packet.length; ) {
    let size = 0;
    for (let index = 0; index < length; index++) size = size * 256 + (packet[at + index] ?? 0);
    const header = packet[at + length] ?? 0;
    const kind = header & 31;
    if (kind >= SLICE && kind <= IDR_SLICE) yield { kind, isReference: ((header >> 5) & 3) > 0 };
    at += length + size;
  }
}

/** Whether all slices of a packet belong to a picture that is not a reference. False when in doubt. */
export function isUnreferenced(packet: Uint8Array, length: number): boolean {
  let count = 0;
  for (const { isReference } of slices(packet, length)) {
    if (isReference) return false;
    count++;
  }
  return count > 0;
}

/** Whether a packet is an IDR picture: no picture from it on is made from one before. */
export function isIdr(packet: Uint8Array, length: number): boolean {
  for (const { kind } of slices(packet, length)) return kind === IDR_SLICE;
  return false;
}
