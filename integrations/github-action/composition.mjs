/** A composition file, with the media that lie beside it uploaded. */
import { readFileSync } from "node:fs";
import { basename, dirname, extname, resolve } from "node:path";

const TYPES = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".gif": "image/gif",
  ".avif": "image/avif",
  ".svg": "image/svg+xml",
  ".mp4": "video/mp4",
  ".mov": "video/quicktime",
  ".webm": "video/webm",
  ".mkv": "video/x-matroska",
  ".mp3": "audio/mpeg",
  ".m4a": "audio/mp4",
  ".wav": "audio/wav",
  ".ogg": "audio/ogg",
  ".flac": "audio/flac",
  ".ttf": "font/ttf",
  ".otf": "font/otf",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
};

const isLocal = (source) =>
  typeof source === "string" && source.trim() !== "" && !/^(\/\/|[a-z][a-z0-9+.-]*:)/i.test(source);

/** Reads a composition, or a request body with one, and replaces the paths of local media with addresses on the service. */
export async function compositionOf(path, service) {
  const read = JSON.parse(readFileSync(path, "utf8"));
  const composition = read.inputProps ?? read;
  const sent = new Map();
  for (const holder of [...(composition.overlays ?? []), ...(composition.fontFaces ?? [])]) {
    if (!isLocal(holder.src)) continue;
    const file = resolve(dirname(path), holder.src);
    if (!sent.has(file)) {
      const type = TYPES[extname(file).toLowerCase()];
      if (!type) throw new Error(`${holder.src} cannot be uploaded: the service does not take files of this type.`);
      console.log(`Uploading ${holder.src}`);
      sent.set(file, await service.upload(readFileSync(file), type, basename(file)));
    }
    holder.src = sent.get(file);
  }
  return composition;
}
