/** Module worker: owns the wasm engine and the canvas. */

import { Engine } from "./paint/engine";
import { Film } from "./paint/film";
import { Images } from "./paint/images";
import { Media } from "./paint/media";
import { Mixer } from "./paint/mixer";
import { Painter } from "./paint/painter";
import type { PaintAnswer, PaintRequest } from "./protocol";

const post = (answer: PaintAnswer, transfer: Transferable[] = []) => self.postMessage(answer, { transfer });
const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Answers a request with what `work` returns. */
function answer(id: number, work: () => Partial<Extract<PaintAnswer, { type: "done" }>>) {
  try {
    post({ ...work(), type: "done", id });
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
    if (film) mixer.measureAhead(film.json, film.fps);
  });
  const media = new Media(engine, { fonts, dictionaries }, decodes, {
    addresses: (src) => painter.current?.addresses(src) ?? [],
    isServed: () => painter.current?.still(0) != null,
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
    case "clock":
      painter.setClock(request);
      break;
    case "play":
      painter.play(request, request.frame);
      break;
    case "prepare": {
      const done = () => post({ type: "done", id: request.id });
      painter.prepare(request.frame).then(done, done);
      break;
    }
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
      if (film) mixer.start(request.run, film.json, film.fps, request.frame);
      break;
    }
    case "mix":
      mixer.mix(request.run, request.seconds);
      break;
    case "frame": {
      const { id } = request;
      const film = painter.current;
      if (!film) post({ type: "failed", id, message: "There is no film." });
      else
        painter.exactFrame(film, request.frame).then(
          (image) => post({ type: "done", id, image }, [image.data.buffer]),
          (error: unknown) => post({ type: "failed", id, message: sentence(error) }),
        );
      break;
    }
    case "outlines":
      answer(request.id, () => ({ outlines: painter.outlines(request.frame) }));
      break;
    case "hit":
      answer(request.id, () => ({ hits: painter.hit(request.frame, request.x, request.y) }));
      break;
    case "said":
      answer(request.id, () => ({ said: painter.said(request.frame, request.index, request.x, request.y) }));
      break;
    case "snapshot": {
      const { id } = request;
      painter.snapshot().then(
        (blob) => post({ type: "done", id, blob }),
        (error: unknown) => post({ type: "failed", id, message: sentence(error) }),
      );
      break;
    }
  }
}

self.onmessage = ({ data }: MessageEvent<PaintRequest>) => {
  if (data.type === "start") {
    parts = start(data);
    parts.catch((error: unknown) => post({ type: "broken", message: sentence(error) }));
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
