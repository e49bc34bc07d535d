/** Renders: creating them, following them, saving their films. */

import { RenderFailedError, RondoError } from "./errors.js";
import { eventsOf } from "./events.js";
import { type Http, pause, type RequestOptions } from "./http.js";
import { Pages } from "./pages.js";
import type { CreatedRender, GetRenderQuery, RenderJob, RenderQuery, RenderRequest } from "./types.js";

export interface WaitOptions {
  /** Called with the job at the start and after every change. */
  onProgress?: (job: RenderJob) => void;
  signal?: AbortSignal;
  /** Milliseconds to wait at most. Default: no limit. */
  timeout?: number;
}

interface RenderPage {
  renders: RenderJob[];
  total: number;
  nextCursor?: string | null;
  hasMore: boolean;
}

/** Milliseconds between looks at a job, at first and at most, where events are not available. */
const POLL = { first: 500, most: 5000 };

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
   * Waits for the end of a render and returns the job. Follows its events, and looks at the job from time to time where they are
   * not available. Throws `RenderFailedError` if the render fails.
   */
  async wait(jobId: string, options: WaitOptions | ((job: RenderJob) => void) = {}): Promise<RenderJob> {
    const { onProgress, signal, timeout } = typeof options === "function" ? { onProgress: options } : options;
    const limits = [signal, timeout === undefined ? undefined : AbortSignal.timeout(timeout)];
    const given = limits.filter((it) => it !== undefined);
    const until = given.length ? AbortSignal.any(given) : undefined;
    let last = "";
    const look = (job: RenderJob): RenderJob | null => {
      const now = `${job.status} ${job.progressPercentage}`;
      if (now !== last) onProgress?.(job);
      last = now;
      if (job.status === "FAILED") throw new RenderFailedError(jobId, job.errorMessage ?? "The render failed.");
      return job.status === "COMPLETED" ? job : null;
    };
    for (let wait = POLL.first; ; wait = Math.min(wait * 1.6, POLL.most)) {
      const done =
        (await this.follow(jobId, look, until)) ?? look(await this.get(jobId, until ? { signal: until } : {}));
      if (done) return done;
      await pause(wait, until);
    }
  }

  /** Follows the events of a job until it ends. Null if they broke off before. */
  private async follow(
    jobId: string,
    look: (job: RenderJob) => RenderJob | null,
    signal: AbortSignal | undefined,
  ): Promise<RenderJob | null> {
    try {
      const path = `/renders/${encodeURIComponent(jobId)}/events`;
      const headers = { accept: "text/event-stream" };
      const response = await this.http.respond("GET", path, { headers, ...(signal ? { signal } : {}) }, null);
      if (!response.body) return null;
      for await (const { data } of eventsOf(response.body)) {
        const done = look(JSON.parse(data) as RenderJob);
        if (done) return done;
      }
    } catch (error) {
      if (error instanceof RenderFailedError) throw error;
      // Node 20.3 throws another error than the reason.
      if (signal?.aborted) throw signal.reason;
      if (error instanceof RondoError) throw error;
    }
    return null;
  }

  /** The file of a completed render. */
  async download(job: RenderJob, options: { signal?: AbortSignal } = {}): Promise<Response> {
    return this.http.fetchFile(outputUrlOf(job), {}, options.signal);
  }
}

export function outputUrlOf({ jobId, outputUrl }: RenderJob): string {
  if (!outputUrl) throw new RondoError(`The render ${jobId} has no file.`);
  return outputUrl;
}
