/** Uploads: files for films. */

import { ConflictError, ConnectionError, RondoError } from "./errors.js";
import { fileName, openFile, type Source, sourceOf } from "./files.js";
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

/** Bytes of a part, at least and at most. */
const PART = { least: 256 * 1024, most: 8 * 1024 * 1024 };

export class Uploads {
  constructor(private readonly http: Http) {}

  /** Reserves a place for a file. `put` does this and sends the file. */
  create(request: UploadRequest, options: RequestOptions = {}): Promise<Upload> {
    return this.http.request("POST", "/uploads", { body: request, ...options });
  }

  /**
   * Uploads a file: a path (Node, Deno, Bun), a `Blob` or bytes. Use the `fileUrl` of the answer as `src` in compositions. An
   * interrupted upload resumes; at a bucket, which all files without `onProgress` may go to, it starts again.
   */
  async put(file: string | Blob | Uint8Array | ArrayBuffer, options: PutOptions = {}): Promise<Upload> {
    const { contentType, name, onProgress, ...request } = options;
    const blob = typeof file === "string" ? null : file instanceof Blob ? file : new Blob([file as BlobPart]);
    const called = name ?? (typeof file === "string" ? fileName(file) : file instanceof File ? file.name : undefined);
    const type = contentType ?? TYPES[called?.split(".").at(-1)?.toLowerCase() ?? ""] ?? blob?.type;
    if (!type) throw new RondoError("Set contentType: the type of the file is not known.");
    const source = blob ? sourceOf(blob) : await openFile(file as string);
    try {
      const upload = await this.create(
        {
          contentType: type,
          size: source.size,
          ...(called ? { name: called } : {}),
          ...(onProgress ? { inParts: true } : {}),
        },
        request,
      );
      await this.send(upload, type, source, options);
      onProgress?.(source.size, source.size);
      return upload;
    } finally {
      await source.close();
    }
  }

  private async send(upload: Upload, type: string, source: Source, options: PutOptions): Promise<void> {
    try {
      if (takesParts(upload)) await this.sendParts(upload.uploadUrl, type, source, options);
      else await this.sendWhole(upload.uploadUrl, type, source, options);
    } catch (error) {
      // The file was sent before, with the same idempotency key.
      if (!(error instanceof ConflictError && error.reason === "UPLOAD_COMPLETE")) throw error;
    }
  }

  private async sendWhole(url: string, type: string, source: Source, { signal }: PutOptions): Promise<void> {
    const request = { method: "PUT", headers: { "content-type": type }, body: await source.whole() };
    await leave(await this.http.fetchFile(url, request, { signal }));
  }

  /** Sends a file part by part. After an attempt that failed temporarily, asks how much has arrived. */
  private async sendParts(
    url: string,
    type: string,
    source: Source,
    { signal, onProgress }: PutOptions,
  ): Promise<void> {
    const { size } = source;
    const step = onProgress ? Math.min(Math.max(Math.ceil(size / 20), PART.least), PART.most) : PART.most;
    const request = (place: string, body: Blob | null): RequestInit => ({
      method: "PUT",
      headers: { "content-type": type, "content-range": `bytes ${place}/${size}` },
      body,
    });
    const question = request("*", null);
    let sent = 0;
    for (let failures = 0; failures <= this.http.retries; ) {
      const end = Math.min(sent + step, size);
      const part = request(`${sent}-${end - 1}`, await source.part(sent, end));
      const response = await leave(await this.http.fetchFile(url, part, { signal, again: question }));
      if (response.status !== 308) return;
      const arrived = arrivedBytes(response);
      failures = arrived > sent ? 0 : failures + 1;
      sent = arrived;
      onProgress?.(sent, size);
    }
    throw new ConnectionError(`Could not send the file to ${new URL(url).origin}.`);
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

/** A response whose body is not needed. Without this, the connection stays busy; Workers have six. */
async function leave(response: Response): Promise<Response> {
  await response.body?.cancel();
  return response;
}

/** How much of a file is there: `Range: bytes=0-9` says ten bytes, no `Range` none. */
function arrivedBytes({ headers }: Response): number {
  const last = /\d+$/.exec(headers.get("range") ?? "");
  return last ? Number(last[0]) + 1 : 0;
}

/** Whether the address is one of the service, not of a bucket: a bucket takes whole files only, and its files have an extension. */
const takesParts = ({ id, uploadUrl }: Upload) => new URL(uploadUrl).pathname.endsWith(`/uploads/${id}`);
