/** Decodes the AV1 pictures of AVIF images. Decoders agree on them to the bit. */

import type { CodedPicture, StillPicture } from "../protocol";
import { copyPlanes } from "./planes";

export async function decodeStill({ codec, data }: CodedPicture): Promise<StillPicture> {
  const config: VideoDecoderConfig = { codec, hardwareAcceleration: "prefer-software" };
  const supported = await VideoDecoder.isConfigSupported(config).catch(() => null);
  if (!supported?.supported) throw new Error("This browser cannot decode AVIF images.");
  const frames: VideoFrame[] = [];
  let failure: Error | null = null;
  const decoder = new VideoDecoder({
    output: (frame) => frames.push(frame),
    error: (error) => {
      failure = error;
    },
  });
  try {
    decoder.configure(config);
    decoder.decode(new EncodedVideoChunk({ type: "key", timestamp: 0, data }));
    await decoder.flush();
    const [frame] = frames;
    if (!frame) throw failure ?? new Error("It holds no picture.");
    const { planes, colour, width, height, format } = await copyPlanes(frame);
    return { planes, facts: { width, height, format, ...colour } };
  } finally {
    for (const frame of frames) frame.close();
    if (decoder.state !== "closed") decoder.close();
  }
}
