/** Uploads: files for films. */

import { ApiError, RondoError } from "./errors.js";
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

/** Larger files are sent in parts, where the service receives them itself. */
const LARGE = 32 * 1024 * 1024;
/** Bytes of a part, at least and at most. */
const PART = { least: 256 * 1024, most: 8 * 1024 * 1024 };

export class Uploads {
  constructor(private readonly http: Http) {}

  /** Reserves a place for a file. `put` does this and sends the file. */
  create(request: UploadRequest, options: RequestOptions = {}): Promise<Upload> {
    return this.http.request("POST", "/uploads", { body: request, ...options });
  }

  /**
   * Uploads a file: a path (Node, Deno, Bun), a `Blob` or bytes. Use the `fileUrl` of the answer as `src` in compositions. Large files, and
   * all with `onProgress`, are sent in parts: after a failure that may pass, it goes on after the bytes that arrived.
   */
  async put(file: string | Blob | Uint8Array | ArrayBuffer, options: PutOptions = {}): Promise<Upload> {
    const { contentType, name, onProgress, ...request } = options;
    const blob =
      typeof file === "string" ? await openFile(file) : file instanceof Blob ? file : new Blob([file as BlobPart]);
    const called = name ?? (typeof file === "string" ? fileName(file) : file instanceof File ? file.name : undefined);
    const type = contentType ?? TYPES[called?.split(".").at(-1)?.toLowerCase() ?? ""] ?? blob.type;
    if (!type) throw new RondoError("Set contentType: the type of the file is not known.");
    const upload = await this.create(
      {
        contentType: type,
        size: blob.size,
        ...(called ? { name: called } : {}),
        ...(onProgress ? { inParts: true } : {}),
      },
      request,
    );
    const isInParts = onProgress !== undefined || (blob.size > LARGE && takesParts(upload));
    try {
      if (isInParts) await this.sendParts(upload.uploadUrl, type, blob, options);
      else await this.send(upload.uploadUrl, { "content-type": type }, blob, options.signal);
    } catch (error) {
      // An earlier attempt arrived, and its answer was lost.
      if (!(error instanceof ApiError && error.reason === "UPLOAD_COMPLETE")) throw error;
    }
    onProgress?.(blob.size, blob.size);
    return upload;
  }

  private send(url: string, headers: Record<string, string>, body: Blob, signal?: AbortSignal): Promise<Response> {
    return this.http.fetchFile(url, { method: "PUT", headers, body }, signal);
  }

  /** Sends a file part by part. */
  private async sendParts(url: string, type: string, blob: Blob, { signal, onProgress }: PutOptions): Promise<void> {
    const step = Math.min(Math.max(Math.ceil(blob.size / 20), PART.least), PART.most);
    for (let sent = 0; ; ) {
      const end = Math.min(sent + step, blob.size);
      // Where all bytes are there, it asks the service to keep them.
      const place = sent < blob.size ? `${sent}-${end - 1}` : "*";
      const headers = { "content-type": type, "content-range": `bytes ${place}/${blob.size}` };
      try {
        const response = await this.send(url, headers, blob.slice(sent, end), signal);
        if (response.status !== 308) return;
        if (sent === blob.size) throw new RondoError("The service lost a part of the file.");
        sent = end;
        onProgress?.(sent, blob.size);
      } catch (error) {
        // An attempt that seemed to fail arrived, in full or up to some byte.
        if (!(error instanceof ApiError && error.reason === "RANGE_NOT_SATISFIABLE")) throw error;
        sent = Number(error.details.receivedBytes);
      }
    }
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

/** Whether the address is one of the service, not of a bucket: a bucket takes whole files only, and its files have an extension. */
const takesParts = ({ id, uploadUrl }: Upload) => new URL(uploadUrl).pathname.endsWith(`/uploads/${id}`);
