/** Destinations: the account's own buckets, which films are copied to. */

import type { Http, RequestOptions } from "./http.js";
import type { Destination, DestinationRequest } from "./types.js";

export class Destinations {
  constructor(private readonly http: Http) {}

  /** Creates a destination. Renders name it as `output.destination`. */
  create(request: DestinationRequest, options: RequestOptions = {}): Promise<Destination> {
    return this.http.request("POST", "/destinations", { body: request, ...options });
  }

  /** The destinations, without their credentials. */
  async list(): Promise<Destination[]> {
    return (await this.http.request<{ destinations: Destination[] }>("GET", "/destinations")).destinations;
  }

  /** Deletes a destination by its name or id. Copies that are not made yet fail. */
  async delete(destination: string, options: RequestOptions = {}): Promise<void> {
    await this.http.request("DELETE", `/destinations/${encodeURIComponent(destination)}`, options);
  }
}
