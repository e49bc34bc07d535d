/** Uploads: files for films. */

import { RondoError } from "./errors.js";
import { fileName, openFile } from "./files.js";
import type { Http, RequestOptions } from "./http.js";
import { Pages } from "./pages.js";
import type { ListedUpload, OwnFont, Upload, UploadQuery, UploadRequest } from "./types.js";

export interface PutOptions extends RequestOptions {
  /** The MIME type. Default: from the file's name or the `Blob`. */
  contentType?: string;
  /** What the file is called in lists. Default: its file name. */
  name?: string;
  /** Called with the bytes sent so far, and all of them. */
  onProgress?: (sent: number, total: number) => void;
}

interface UploadPage {
  uploads: ListedUpload[];
  total: number;
  nextCursor?: string | null;
  hasMore: boolean;
}

const TYPES: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  avif: "image/avif",
  svg: "image/svg+xml",
  mp4: "video/mp4",
  m4v: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
  mkv: "video/x-matroska",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  wav: "audio/wav",
  ogg: "audio/ogg",
  flac: "audio/flac",
  aac: "audio/aac",
  ttf: "font/ttf",
  otf: "font/otf",
  woff: "font/woff",
  woff2: "font/woff2",
};

/** Bytes that are sent between two calls of `onProgress`. */
const STEP = 256 * 1024;

export class Uploads {
  constructor(private readonly http: Http) {}

  /** Reserves a place for a file. `put` does this and sends the file. */
  create(request: UploadRequest, options: RequestOptions = {}): Promise<Upload> {
    return this.http.request("POST", "/uploads", { body: request, ...options });
  }

  /** Uploads a file: a path (Node, Deno, Bun), a `Blob` or bytes. Use the `fileUrl` of the answer as `src` in compositions. */
  async put(file: string | Blob | Uint8Array | ArrayBuffer, options: PutOptions = {}): Promise<Upload> {
    const { contentType, name, onProgress, ...request } = options;
    const blob =
      typeof file === "string" ? await openFile(file) : file instanceof Blob ? file : new Blob([file as BlobPart]);
    const called = name ?? (typeof file === "string" ? fileName(file) : file instanceof File ? file.name : undefined);
    const type = contentType ?? TYPES[called?.split(".").at(-1)?.toLowerCase() ?? ""] ?? blob.type;
    if (!type) throw new RondoError("Set contentType: the type of the file is not known.");
    const upload = await this.create(
      // A stream has no Content-Length, which a bucket asks for.
      {
        contentType: type,
        size: blob.size,
        ...(called ? { name: called } : {}),
        ...(onProgress ? { inParts: true } : {}),
      },
      request,
    );
    const init: RequestInit = { method: "PUT", headers: { "content-type": type }, body: blob };
    if (onProgress) {
      init.body = counted(blob, onProgress);
      // Streams are sent as they are read. The types of `fetch` do not know the option everywhere.
      Object.assign(init, { duplex: "half" });
    }
    await this.http.fetchFile(upload.uploadUrl, init, options.signal);
    return upload;
  }

  list(query: UploadQuery = {}): Pages<ListedUpload, UploadPage> {
    return new Pages(
      (cursor) => this.http.request("GET", "/uploads", { query: { ...query, ...(cursor ? { cursor } : {}) } }),
      (page) => page.uploads,
    );
  }

  /** The font families that were uploaded. Films of the account use them by name. */
  async fonts(): Promise<OwnFont[]> {
    return (await this.http.request<{ fonts: OwnFont[] }>("GET", "/fonts")).fonts;
  }

  async delete(uploadId: string, options: RequestOptions = {}): Promise<void> {
    await this.http.request("DELETE", `/uploads/${encodeURIComponent(uploadId)}`, options);
  }
}

/** The bytes of a blob as a stream that says how far it is. */
function counted(blob: Blob, onProgress: (sent: number, total: number) => void): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      if (sent >= blob.size) return controller.close();
      const part = new Uint8Array(await blob.slice(sent, sent + STEP).arrayBuffer());
      controller.enqueue(part);
      sent += part.byteLength;
      onProgress(sent, blob.size);
    },
  });
}
