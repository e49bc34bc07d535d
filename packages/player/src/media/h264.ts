/** Tells which H.264 pictures no other picture is made from. */

/** Bytes of the length before each NAL unit, from the `avcC` record; null where units have start codes. */
export function lengthSize(config: VideoDecoderConfig): number | null {
  const { description } = config;
  if (!description || !config.codec.startsWith("avc")) return null;
  const bytes = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description);
  return ((bytes[4] ?? 3) & 3) + 1;
}

/** Whether all slices of a packet belong to a picture that is not a reference. False when in doubt. */
export function isUnreferenced(packet: Uint8Array, length: number): boolean {
  let slices = 0;
  for (let at = 0; at + length < packet.length; ) {
    let size = 0;
    for (let index = 0; index < length; index++) size = size * 256 + (packet[at + index] ?? 0);
    const header = packet[at + length] ?? 0;
    const kind = header & 31;
    if (kind >= 1 && kind <= 5) {
      if ((header >> 5) & 3) return false;
      slices++;
    }
    at += length + size;
  }
  return slices > 0;
}
