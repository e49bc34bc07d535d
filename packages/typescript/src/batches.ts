/** Batches: many renders of one template or project. */

import type { Http, RequestOptions } from "./http.js";
import { Pages } from "./pages.js";
import type { Batch, BatchInfo, BatchQuery, BatchRequest, CreatedBatch, RenderJob } from "./types.js";
import { poll, type WaitOptions } from "./waiting.js";

/** A batch from a table. Its first row names the variables; every other row becomes a render. */
export interface BatchTable {
  csv: string | Blob;
  templateId?: string;
  projectId?: string;
  webhookUrl?: string;
}

const at = (batchId: string, rest = "") => `/batches/${encodeURIComponent(batchId)}${rest}`;

export class Batches {
  constructor(private readonly http: Http) {}

  /** Starts a render for each set of values: all of them, or none. Costs credits. */
  create(request: BatchRequest, options?: RequestOptions): Promise<CreatedBatch>;
  /** Starts a render for each row of a table: all of them, or none. Costs credits. */
  create(table: BatchTable, options?: RequestOptions): Promise<CreatedBatch>;
  create(request: BatchRequest | BatchTable, options: RequestOptions = {}): Promise<CreatedBatch> {
    if (!("csv" in request)) return this.http.request("POST", "/renders/batch", { body: request, ...options });
    const { csv, ...query } = request;
    return this.http.request("POST", "/renders/batch", { content: ["text/csv", csv], query, ...options });
  }

  /** The batch with a page of its renders. */
  get(batchId: string, query: BatchQuery = {}, options: RequestOptions = {}): Promise<Batch> {
    return this.http.request("GET", at(batchId), { query, ...options });
  }

  /** The renders of a batch in the order of its sets: the first page when awaited, all of them in a `for await` loop. */
  renders(batchId: string, query: BatchQuery = {}): Pages<RenderJob, Batch> {
    return new Pages(
      (cursor) => this.get(batchId, { ...query, ...(cursor ? { cursor } : {}) }),
      (page) => page.renders,
    );
  }

  /** Polls a batch until all of its renders have ended, and returns it. `counts` says how many of them have failed. */
  wait(batchId: string, { onProgress, ...limits }: WaitOptions<BatchInfo> = {}): Promise<BatchInfo> {
    let last = "";
    return poll(["batch", batchId], limits, async (signal) => {
      const page = await this.get(batchId, { fields: "jobId", limit: 1 }, { signal });
      const { renders: _, nextCursor: __, hasMore: ___, ...batch } = page;
      const now = JSON.stringify([batch.status, batch.progressPercentage, batch.counts]);
      if (now !== last) onProgress?.(batch);
      last = now;
      return batch.status === "COMPLETED" ? batch : null;
    });
  }

  /** Stops the renders that have not ended. */
  cancel(batchId: string, options: RequestOptions = {}): Promise<BatchInfo> {
    return this.http.request("POST", at(batchId, "/cancel"), options);
  }
}
