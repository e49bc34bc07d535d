/** Renders: creating them, following them, saving their films. */

import { openDownload, piecesOf } from "./downloads.js";
import { RenderFailedError, RondoError } from "./errors.js";
import { eventsOf } from "./events.js";
import { checkWritable, saveFile, WITHOUT_PATH } from "./files.js";
import type { Http, RequestOptions } from "./http.js";
import { Pages } from "./pages.js";
import type { CreatedRender, GetRenderQuery, RenderJob, RenderOutput, RenderQuery, RenderRequest } from "./types.js";
import { poll, type WaitOptions } from "./waiting.js";

export interface DownloadOptions {
  signal?: AbortSignal;
}

interface RenderPage {
  renders: RenderJob[];
  total: number;
  nextCursor?: string | null;
  hasMore: boolean;
}

/** Milliseconds without an event or a comment after which a stream of events is given up. The service sends a comment every 15 seconds. */
const SILENCE = 60_000;

/** What polls ask for: as in events, all but `inputProps`, which is large. */
const SUMMARY =
  "jobId,projectId,mode,status,progressPercentage,creditsUsed,width,height,fps,durationInFrames,format,outputUrl,posterUrl,streamUrl," +
  "expiresAt,outputSize,outputs,destination,errorMessage,estimatedTimeRemaining,duration,createdAt,updatedAt,completedAt,project," +
  "templateId,metadata,batchId,test";

export class Renders {
  constructor(private readonly http: Http) {}

  /** Starts a render. Costs credits. */
  create(request: RenderRequest, options: RequestOptions = {}): Promise<CreatedRender> {
    return this.http.request("POST", "/renders", { body: request, ...options });
  }

  /** The job. With `wait`, the answer comes when the render ends, or after so many seconds. */
  get(jobId: string, { wait, fields, ...options }: GetRenderQuery & RequestOptions = {}): Promise<RenderJob> {
    const path = `/renders/${encodeURIComponent(jobId)}`;
    const timeout = this.http.timeout + (wait ?? 0) * 1000;
    return this.http.request("GET", path, { query: { wait, fields }, ...options }, timeout);
  }

  /** Renders, newest first: the first page when awaited, all of them in a `for await` loop. */
  list(query: RenderQuery = {}): Pages<RenderJob, RenderPage> {
    return new Pages(
      (cursor) => this.http.request("GET", "/renders", { query: { ...query, ...(cursor ? { cursor } : {}) } }),
      (page) => page.renders,
    );
  }

  /** Stops a render. Its credits are given back. */
  cancel(jobId: string, options: RequestOptions = {}): Promise<RenderJob> {
    return this.http.request("POST", `/renders/${encodeURIComponent(jobId)}/cancel`, options);
  }

  /** Deletes the file of a finished render. The job stays in lists. */
  delete(jobId: string, options: RequestOptions = {}): Promise<RenderJob> {
    return this.http.request("DELETE", `/renders/${encodeURIComponent(jobId)}`, options);
  }

  /**
   * Waits for the end of a render and returns the job. Follows its events, and polls the job if they do not arrive. Throws
   * `RenderFailedError` if the render fails, and `WaitTimeoutError` after `timeout`.
   */
  async wait(jobId: string, options: WaitOptions | ((job: RenderJob) => void) = {}): Promise<RenderJob> {
    const { onProgress, ...limits }: WaitOptions = typeof options === "function" ? { onProgress: options } : options;
    let last = "";
    const look = (job: RenderJob): RenderJob | null => {
      const now = `${job.status} ${job.progressPercentage}`;
      if (now !== last) onProgress?.(job);
      last = now;
      if (job.status === "FAILED") throw new RenderFailedError(jobId, job.errorMessage ?? "The render failed.");
      return job.status === "COMPLETED" ? job : null;
    };
    const silence = Math.min(SILENCE, this.http.timeout);
    let isFollowed = true;
    return poll(["render", jobId], limits, async (signal) => {
      const start = Date.now();
      let events = 0;
      if (isFollowed)
        for await (const job of this.follow(jobId, silence, signal)) {
          events++;
          const done = look(job);
          if (done) return done;
        }
      // The first event comes at once. Where none does, a proxy holds them back. A refusal comes at once, too.
      isFollowed &&= events > 0 || Date.now() - start < silence / 2;
      return look(await this.get(jobId, { fields: SUMMARY, signal }));
    });
  }

  /** The job after each of its events, until they end, break off or stop arriving. */
  private async *follow(jobId: string, silence: number, signal: AbortSignal | undefined): AsyncGenerator<RenderJob> {
    const path = `/renders/${encodeURIComponent(jobId)}/events`;
    const sent = { headers: { accept: "text/event-stream" }, signal };
    try {
      const response = await this.http.respond("GET", path, sent, { isStream: true, timeout: silence, retries: 0 });
      for await (const { data } of eventsOf(response, silence)) {
        const job = JSON.parse(data) as RenderJob | null;
        if (typeof job?.status !== "string") return;
        yield job;
      }
    } catch {
      // Node 20.3 throws another error than the reason.
      if (signal?.aborted) throw signal.reason;
      // Otherwise the poll that follows tells what is the case.
    }
  }

  /** Saves a file of a completed render: that of the job, or one of its `outputs`. It appears when it is complete. */
  download(source: RenderJob | RenderOutput, path: string, options?: DownloadOptions): Promise<void>;
  /** A file of a completed render as a response. Its body resumes after the connection broke off. */
  download(source: RenderJob | RenderOutput, options?: DownloadOptions): Promise<Response>;
  async download(
    source: RenderJob | RenderOutput,
    path: string | DownloadOptions = {},
    options: DownloadOptions = {},
  ): Promise<unknown> {
    const isSaved = typeof path === "string";
    const { signal } = isSaved ? options : path;
    const named = (error: unknown) => ofRender(error, "url" in source ? undefined : source.jobId, signal);
    try {
      const url = outputUrlOf(source);
      if (!isSaved) return await openDownload(this.http, url, signal, named);
      await checkWritable(path, WITHOUT_PATH);
      await saveFile(piecesOf(this.http, url, signal), path);
    } catch (error) {
      throw named(error);
    }
  }
}

export function outputUrlOf(source: RenderJob | RenderOutput): string {
  if ("url" in source) return source.url;
  if (!source.outputUrl) throw new RondoError(`The render ${source.jobId} has no file.`);
  return source.outputUrl;
}

/**
 * An error with the id of its render: also one of the file system. The reason of the signal stays as it is, because it belongs to the caller
 * and may have stopped other renders, too.
 */
export function ofRender(error: unknown, jobId: string | undefined, signal: AbortSignal | undefined): unknown {
  const isOurs = error instanceof Error && error !== signal?.reason && Object.isExtensible(error);
  return isOurs && jobId !== undefined ? Object.assign(error, { jobId }) : error;
}
