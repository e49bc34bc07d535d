/** Batches: many renders of one template or project. */

import type { Http, RequestOptions } from "./http.js";
import type { Batch, BatchQuery, BatchRequest, CreatedBatch } from "./types.js";

export class Batches {
  constructor(private readonly http: Http) {}

  /** Starts a render for each set of values: all of them, or none. Costs credits. */
  create(request: BatchRequest, options: RequestOptions = {}): Promise<CreatedBatch> {
    return this.http.request("POST", "/renders/batch", { body: request, ...options });
  }

  /** The batch with a page of its renders. */
  get(batchId: string, query: BatchQuery = {}, options: RequestOptions = {}): Promise<Batch> {
    return this.http.request("GET", `/batches/${encodeURIComponent(batchId)}`, { query, ...options });
  }

  /** Stops the renders that have not ended. */
  cancel(batchId: string, options: RequestOptions = {}): Promise<Omit<Batch, "renders" | "nextCursor" | "hasMore">> {
    return this.http.request("POST", `/batches/${encodeURIComponent(batchId)}/cancel`, options);
  }
}
