/** Files as overlays: their size and length, read by the browser. */

import { endOf, type Film } from "@/editor/model/film";
import { soundDraft } from "./items";
import { type Draft, fitted, framesOf } from "./place";

/** A file that can be added to a film. */
export interface Medium {
  src: string;
  kind: "image" | "video" | "sound";
  name: string;
}

interface Facts {
  width: number;
  height: number;
  seconds: number;
}

/** How long a picture is shown. */
const PICTURE_SECONDS = 5;
/** Milliseconds after which a file counts as unreadable. */
const PATIENCE = 6000;

export function kindOf(contentType: string): Medium["kind"] | null {
  const kind = contentType.split("/")[0];
  return kind === "image" || kind === "video" ? kind : kind === "audio" ? "sound" : null;
}

const known = new Map<string, Facts | null>();
const asked = new Map<string, Promise<Facts | null>>();

/** What is already known of a file. */
export const factsOf = (src: string) => known.get(src) ?? null;

/** Reads the size and length of a file; null if the browser cannot. */
export function readFacts({ src, kind }: Medium): Promise<Facts | null> {
  const reading = asked.get(src) ?? read(src, kind);
  asked.set(src, reading);
  void reading.then((facts) => known.set(src, facts));
  return reading;
}

function read(src: string, kind: Medium["kind"]): Promise<Facts | null> {
  return new Promise((done) => {
    const timer = setTimeout(() => done(null), PATIENCE);
    const end = (facts: Facts | null) => {
      clearTimeout(timer);
      done(facts);
    };
    if (kind === "image") {
      const image = new Image();
      // An SVG may have no size of its own.
      image.onload = () =>
        end(image.naturalWidth ? { width: image.naturalWidth, height: image.naturalHeight, seconds: 0 } : null);
      image.onerror = () => end(null);
      image.src = src;
      return;
    }
    const media = document.createElement(kind === "video" ? "video" : "audio");
    media.preload = "metadata";
    media.onloadedmetadata = () => {
      const { videoWidth: width = 0, videoHeight: height = 0 } = media as Partial<HTMLVideoElement>;
      end({ width, height, seconds: Number.isFinite(media.duration) ? media.duration : 0 });
      media.removeAttribute("src");
    };
    media.onerror = () => end(null);
    media.src = src;
  });
}

/** Sound that is longer than the pictures ends with them, softly: a film does not go on without a picture. */
function music(film: Film, draft: Draft, from: number): Draft {
  const pictures = film.overlays.filter(({ type }) => type !== "sound").map(endOf);
  const room = Math.min(Math.max(0, ...pictures), film.durationInFrames) - from;
  if (room < film.fps || room >= draft.durationInFrames) return draft;
  return { ...draft, durationInFrames: room, styles: { volume: 1, fadeOut: 1 } };
}

/** What an overlay is called after a file: its name without the ending. */
const nameOf = (file: string) => file.replace(/\.[A-Za-z0-9]{1,5}$/, "").slice(0, 80) || file;

/** The overlay of a file. Pictures that nearly have the canvas's shape fill it, others lie inside. */
export function mediaDraft(film: Film, { src, kind, name }: Medium, facts: Facts | null, from = 0): Draft {
  const seconds = facts?.seconds || PICTURE_SECONDS;
  if (kind === "sound") return music(film, soundDraft(film, src, seconds, nameOf(name)), from);
  const width = facts?.width || film.width;
  const height = facts?.height || film.height;
  const stretch = width / height / (film.width / film.height);
  const fills = stretch > 0.7 && stretch < 1.43 && width * height > 0.1 * film.width * film.height;
  const isSmall = kind === "image" && width < film.width / 3 && height < film.height / 3;
  const box = fills
    ? { left: 0, top: 0, width: film.width, height: film.height }
    : fitted(film, width, height, isSmall ? 0.4 : 1);
  return {
    type: kind,
    durationInFrames: framesOf(film, kind === "video" ? seconds : PICTURE_SECONDS),
    ...box,
    rotation: 0,
    src,
    name: nameOf(name),
    ...(kind === "video" ? { videoStartTime: 0, mediaSrcDuration: Math.round(seconds * 1000) / 1000 } : {}),
    styles: { objectFit: "cover", ...(kind === "video" ? { volume: 1 } : {}) },
  };
}
