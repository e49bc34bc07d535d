/** Module worker: owns the wasm engine and the canvas. */

import { Engine } from "./paint/engine";
import { Film } from "./paint/film";
import { Images } from "./paint/images";
import { Media } from "./paint/media";
import { Mixer } from "./paint/mixer";
import { Painter } from "./paint/painter";
import type { PaintAnswer, PaintRequest } from "./protocol";
import { sentence } from "./sentence";

const post = (answer: PaintAnswer, transfer: Transferable[] = []) => self.postMessage(answer, { transfer });

type Answer = Omit<Extract<PaintAnswer, { type: "done" }>, "type" | "id">;

/** Answers a request with what `work` returns. */
async function answer(id: number, work: () => Answer | Promise<Answer>) {
  try {
    const told = await work();
    post({ ...told, type: "done", id }, told.image ? [told.image.data.buffer] : []);
  } catch (error) {
    post({ type: "failed", id, message: sentence(error) });
  }
}

interface Parts {
  painter: Painter;
  media: Media;
  images: Images;
  mixer: Mixer;
}

async function start(request: Extract<PaintRequest, { type: "start" }>) {
  const { canvas, module, fontIndex, fonts, dictionaries, decodes } = request;
  const engine = await Engine.start(module);
  engine.fonts(fontIndex);
  const images = new Images(engine, () => post({ type: "needs-images" }));
  const painter = new Painter(engine, canvas, post, images, () => {
    media.readAhead();
    const film = painter.soundFilm;
    if (film) mixer.measureAhead(film);
  });
  const media = new Media(engine, { fonts, dictionaries }, decodes, {
    addresses: (src) => painter.open.film?.addresses(src) ?? [],
    isServed: () => painter.open.still(0) !== null,
    film: () => painter.open.film?.whole ?? "",
    warn: (warning) => post({ type: "warning", warning }),
    wantPort: () => post({ type: "needs-media" }),
  });
  painter.attach(media);
  const mixer: Mixer = new Mixer(engine, painter.open, media, (run, left, right) =>
    post({ type: "mixed", run, left, right }, [left.buffer, right.buffer]),
  );
  return { painter, media, images, mixer };
}

let parts: Promise<Parts> | null = null;

function handle({ painter, media, images, mixer }: Parts, request: Exclude<PaintRequest, { type: "start" }>) {
  switch (request.type) {
    case "film":
      mixer.stop();
      painter.setFilm(new Film(request.film), request.frame);
      break;
    case "captions":
      mixer.stop();
      painter.setCaptions(request.shown);
      break;
    case "media":
      media.connect(request.port);
      break;
    case "images":
      images.connect(request.port);
      break;
    case "lost":
      if (request.worker === "media") media.lost(request.message);
      else images.lost();
      break;
    case "clock":
      painter.setClock(request);
      break;
    case "play":
      painter.play(request, request.frame);
      break;
    case "prepare":
      void answer(request.id, () => painter.prepare(request.frame).then(() => ({})));
      break;
    case "pause":
      mixer.stop();
      painter.pause();
      break;
    case "seek":
      mixer.stop();
      painter.seek(request.id, request.frame);
      break;
    case "sound": {
      const film = painter.soundFilm;
      if (film) mixer.start(request.run, film, request.frame);
      break;
    }
    case "mix":
      mixer.mix(request.run, request.seconds);
      break;
    case "frame":
      void answer(request.id, async () => ({ image: await painter.exactFrame(request.frame) }));
      break;
    case "outlines":
      void answer(request.id, () => ({ outlines: painter.outlines(request.frame) }));
      break;
    case "hit":
      void answer(request.id, () => ({ hits: painter.hit(request.frame, request.x, request.y) }));
      break;
    case "said":
      void answer(request.id, () => ({ said: painter.said(request.frame, request.index, request.x, request.y) }));
      break;
    case "snapshot":
      void answer(request.id, async () => ({ blob: await painter.snapshot() }));
      break;
  }
}

self.onmessage = ({ data }: MessageEvent<PaintRequest>) => {
  if (data.type === "start") {
    parts = start(data);
    parts.catch((error: unknown) => post({ type: "broken", message: sentence(error), ended: true }));
  } else
    void parts?.then(
      (ready) => {
        try {
          handle(ready, data);
        } catch (error) {
          post({ type: "broken", message: sentence(error) });
        }
      },
      // That it cannot start was told.
      () => undefined,
    );
};
