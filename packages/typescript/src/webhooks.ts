/** Webhooks: registering them, and checking that a delivery comes from the service. */

import { WebhookError } from "./errors.js";
import type { Http, RequestOptions } from "./http.js";
import type {
  Delivery,
  TestDelivery,
  Webhook,
  WebhookChange,
  WebhookEvent,
  WebhookEventName,
  WebhookRequest,
} from "./types.js";

export class Webhooks {
  constructor(private readonly http: Http) {}

  /** Registers a webhook. The `secret` of the answer is shown only once. */
  create(request: WebhookRequest, options: RequestOptions = {}): Promise<Webhook> {
    return this.http.request("POST", "/webhooks", { body: request, ...options });
  }

  async list(): Promise<Webhook[]> {
    return (await this.http.request<{ webhooks: Webhook[] }>("GET", "/webhooks")).webhooks;
  }

  /** Changes what is given: the URL, the events, or whether it is active. */
  update(id: string, change: WebhookChange, options: RequestOptions = {}): Promise<Webhook> {
    return this.http.request("PATCH", `/webhooks/${encodeURIComponent(id)}`, { body: change, ...options });
  }

  async delete(id: string, options: RequestOptions = {}): Promise<void> {
    await this.http.request("DELETE", "/webhooks", { query: { id }, ...options });
  }

  /** Sends a sample event to the webhook. */
  test(id: string, event?: WebhookEventName, options: RequestOptions = {}): Promise<TestDelivery> {
    return this.http.request("POST", `/webhooks/${encodeURIComponent(id)}/test`, { query: { event }, ...options });
  }

  /** A new secret. Deliveries are signed with both for 24 hours. */
  rotate(id: string, options: RequestOptions = {}): Promise<Webhook> {
    return this.http.request("POST", `/webhooks/${encodeURIComponent(id)}/rotate`, options);
  }

  /** Sends the event of a delivery again, as a new delivery. */
  redeliver(id: string, deliveryId: string, options: RequestOptions = {}): Promise<TestDelivery> {
    const path = `/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}/redeliver`;
    return this.http.request("POST", path, options);
  }

  async deliveries(id: string, limit?: number): Promise<Delivery[]> {
    const path = `/webhooks/${encodeURIComponent(id)}/deliveries`;
    return (await this.http.request<{ deliveries: Delivery[] }>("GET", path, { query: { limit } })).deliveries;
  }
}

type Headers = Record<string, string | string[] | undefined> | { get(name: string): string | null };

/** Seconds that the clocks may differ. */
const TOLERANCE = 300;

export interface VerifyOptions {
  /**
   * Accept `X-Rondo-Signature` where the Standard Webhooks headers are missing. It does not cover the timestamp: whoever has seen a
   * delivery can send it again at any time. Default: false.
   */
  acceptBodySignature?: boolean;
}

/**
 * Checks the signature of a delivery and returns its event. Pass the raw body, before parsing it. Reads the Standard Webhooks headers.
 * Throws `WebhookError` if the signature is wrong, or if the timestamp differs from the clock by more than five minutes.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers,
  secret: string,
  { acceptBodySignature = false }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const header = (name: string): string => {
    if (typeof (headers as { get?: unknown }).get === "function")
      return (headers as { get(n: string): string | null }).get(name) ?? "";
    const entries = headers as Record<string, string | string[] | undefined>;
    const key = Object.keys(entries).find((it) => it.toLowerCase() === name);
    const value = key === undefined ? "" : entries[key];
    return (Array.isArray(value) ? value[0] : value) ?? "";
  };
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signatures = header("webhook-signature");
  const isStandard = signatures !== "" || !acceptBodySignature;
  const timestamp = header(isStandard ? "webhook-timestamp" : "x-rondo-timestamp");
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp || Number.NaN)) <= TOLERANCE))
    throw new WebhookError("The timestamp of the delivery is missing or more than five minutes off.");
  const isSigned = isStandard
    ? await isSignedStandard(bytes, `${header("webhook-id")}.${timestamp}.`, signatures, secret)
    : await isSignedBody(bytes, header("x-rondo-signature"), secret);
  if (!isSigned) throw new WebhookError("The signature of the delivery is wrong.");
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}

async function isSignedStandard(
  body: Uint8Array,
  prefix: string,
  signatures: string,
  secret: string,
): Promise<boolean> {
  const key = fromBase64(secret.replace(/^whsec_/, ""));
  const start = new TextEncoder().encode(prefix);
  const message = new Uint8Array(start.length + body.length);
  message.set(start);
  message.set(body, start.length);
  const expected = await hmac(key, message);
  return signatures.split(" ").some((signature) => {
    const [version, encoded] = signature.split(",");
    return version === "v1" && areEqual(fromBase64(encoded ?? ""), expected);
  });
}

async function isSignedBody(body: Uint8Array, signature: string, secret: string): Promise<boolean> {
  const given = Uint8Array.from(signature.match(/[0-9a-f]{2}/gi) ?? [], (digits) => Number.parseInt(digits, 16));
  return areEqual(given, await hmac(new TextEncoder().encode(secret), body));
}

async function hmac(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const { subtle } = globalThis.crypto;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await subtle.importKey("raw", key as BufferSource, algorithm, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", imported, message as BufferSource));
}

/** In constant time. */
function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let index = 0; index < left.length; index++) difference |= (left[index] ?? 0) ^ (right[index] ?? 0);
  return difference === 0;
}

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
