/** Requests: credentials, time limits, retries, idempotency keys. */

import { ConnectionError, errorOf, RondoError } from "./errors.js";

export interface ClientOptions {
  /** An API key (`rnd_…`). Default: the environment variable `RONDO_API_KEY`. */
  apiKey?: string;
  /** Address of the service. Default: the environment variable `RONDO_URL`, then http://127.0.0.1:8080. */
  baseUrl?: string;
  /** Times a request is repeated after a failure that may pass. Default: 3. */
  retries?: number;
  /** Milliseconds until a request without an answer fails, or a download into a file goes on anew. Default: 60,000. */
  timeout?: number;
  /** Another `fetch`, for tests and proxies. */
  fetch?: typeof fetch;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** Makes repeating a request safe: the service carries it out once. Default: a new one for each call. */
  idempotencyKey?: string;
}

interface Sent extends RequestOptions {
  query?: object;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The options of a change, with the header that makes it conditional. */
export function withMatch<O extends RequestOptions & { ifMatch?: string }>({ ifMatch, ...options }: O): Sent {
  return ifMatch === undefined ? options : { ...options, headers: { "if-match": `"${ifMatch}"` } };
}

/** Statuses after which the same request may succeed. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Statuses that are no failures: nothing has changed, and a part of an upload has arrived. */
const ANSWERS = new Set([304, 308]);

/** 409 with `Retry-After`: an earlier attempt is still being answered. 416: more of an upload has arrived than the client knows. */
const isPassing = ({ status, headers }: Response, method: string | undefined) =>
  PASSING.has(status) || (status === 409 && headers.has("retry-after")) || (status === 416 && method === "PUT");

const environment = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name];

export class Http {
  readonly baseUrl: string;
  private readonly apiKey: string;
  readonly retries: number;
  /** Milliseconds until a request without an answer fails. */
  readonly timeout: number;
  private readonly send: typeof fetch;

  constructor(options: ClientOptions = {}) {
    const apiKey = options.apiKey ?? environment("RONDO_API_KEY");
    if (!apiKey) throw new RondoError("Set apiKey, or the environment variable RONDO_API_KEY.");
    this.apiKey = apiKey;
    this.baseUrl = (options.baseUrl ?? environment("RONDO_URL") ?? "http://127.0.0.1:8080").replace(/\/+$/, "");
    this.retries = options.retries ?? 3;
    this.timeout = options.timeout ?? 60_000;
    this.send = options.fetch ?? ((...args) => fetch(...args));
  }

  /** Sends a request to the API and returns the `data` of its answer. */
  async request<T>(method: string, path: string, sent: Sent = {}, timeout = this.timeout): Promise<T> {
    const response = await this.respond(method, path, sent, timeout);
    if (response.status === 204) return undefined as T;
    const { data } = (await response.json()) as { data: T };
    return data;
  }

  /** Sends a request to the API and returns the response itself. */
  async respond(
    method: string,
    path: string,
    sent: Sent = {},
    timeout: number | null = this.timeout,
  ): Promise<Response> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.apiKey}`, ...sent.headers };
    const init: RequestInit = { method, headers };
    if (method === "POST" || sent.idempotencyKey)
      headers["idempotency-key"] = sent.idempotencyKey ?? globalThis.crypto.randomUUID();
    if (sent.body !== undefined || method === "POST" || method === "PUT") {
      headers["content-type"] = "application/json";
      init.body = JSON.stringify(sent.body ?? {});
    }
    return this.repeat(`${this.baseUrl}/api/v1${path}${queryText(sent.query)}`, init, sent.signal, timeout);
  }

  /** Sends a request to any address, without credentials. After an attempt that fails for a moment, sends `again`. */
  async fetchFile(url: string, init: RequestInit = {}, signal?: AbortSignal, again = init): Promise<Response> {
    return this.repeat(url, init, signal, null, again);
  }

  /** Tries until there is an answer that is not passing. */
  private async repeat(
    url: string,
    init: RequestInit,
    signal: AbortSignal | undefined,
    timeout: number | null,
    again = init,
  ): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= this.retries;
      const limits = [signal, timeout === null ? undefined : AbortSignal.timeout(timeout)].filter(
        (it) => it !== undefined,
      );
      const sent = attempt === 0 ? init : again;
      let response: Response;
      try {
        response = await this.send(url, { ...sent, ...(limits.length ? { signal: AbortSignal.any(limits) } : {}) });
      } catch (cause) {
        if (signal?.aborted) throw signal.reason;
        if (isLast) throw new ConnectionError(`Could not reach ${new URL(url).origin}.`, { cause });
        await pause(backOff(attempt), signal);
        continue;
      }
      if (response.ok || ANSWERS.has(response.status)) return response;
      if (isLast || !isPassing(response, sent.method)) throw await errorOf(response);
      await response.body?.cancel();
      const asked = Number(response.headers.get("retry-after") ?? 0) * 1000;
      await pause(Math.max(backOff(attempt), asked || 0), signal);
    }
  }
}

/** Milliseconds before another attempt: 0.5, 1, 2, 4 … seconds, a little apart for each client. */
export const backOff = (attempt: number) => Math.min(500 * 2 ** attempt, 10_000) * (0.75 + Math.random() / 2);

export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    if (signal?.aborted) return fail(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      done();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function queryText(query: object = {}): string {
  const parameters = Object.entries(query).flatMap(([name, value]) => parametersOf(name, value));
  return parameters.length ? `?${new URLSearchParams(parameters)}` : "";
}

/** A parameter with its value. Each field of an object is a parameter `name[field]`. What is null or undefined is left out. */
function parametersOf(name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  if (typeof value !== "object" || Array.isArray(value)) return [[name, String(value)]];
  return Object.entries(value)
    .filter(([, part]) => part !== undefined && part !== null)
    .map(([field, part]) => [`${name}[${field}]`, typeof part === "string" ? part : JSON.stringify(part)]);
}
