/** Module worker: decodes images with an engine of its own. */

import { Engine } from "./paint/engine";
import type { ImageAnswer, ImageRequest, ImageStart } from "./protocol";

self.onmessage = ({ data: { module, port } }: MessageEvent<ImageStart>) => {
  const started = Engine.start(module);
  port.onmessage = async ({ data: { src, key, file, width, height } }: MessageEvent<ImageRequest>) => {
    const picture = await started.then((engine) => engine.decode(file, width, height)).catch(() => null);
    port.postMessage({ src, key, picture } satisfies ImageAnswer, picture ? [picture.pixels] : []);
  };
};
