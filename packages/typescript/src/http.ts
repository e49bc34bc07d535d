/** Requests: credentials, time limits, retries, idempotency keys. */

import { ConnectionError, errorOf, RondoError } from "./errors.js";
import { anyOf, backOff, pause, within } from "./time.js";

export interface ClientOptions {
  /** An API key (`rnd_…`). Default: the environment variable `RONDO_API_KEY`. */
  apiKey?: string;
  /** Address of the service. Default: the environment variable `RONDO_URL`, then http://127.0.0.1:8080. */
  baseUrl?: string;
  /** Times a request is repeated after a temporary failure. Default: 3. */
  retries?: number;
  /**
   * Milliseconds until an attempt without an answer fails, or a download in which nothing arrives resumes. The attempt to send a file has a
   * second more for every 64 kB. Default: 60,000.
   */
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
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, with its MIME type. */
  content?: [string, string | Blob];
  headers?: Record<string, string>;
}

interface Attempts {
  signal?: AbortSignal;
  /** Milliseconds for an attempt. */
  timeout?: number;
  /** Whether the time ends with the headers, because the body may take longer. */
  isStream?: boolean;
  retries?: number;
  /** What is sent after an attempt that failed temporarily. */
  again?: RequestInit;
}

/** The options of a change, with the header that makes it conditional. */
export function withMatch<O extends RequestOptions & { ifMatch?: string }>({ ifMatch, ...options }: O): Sent {
  return ifMatch === undefined ? options : { ...options, headers: { "if-match": `"${ifMatch}"` } };
}

/** Statuses after which the same request may succeed. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Statuses that are no failures: nothing has changed, and a part of an upload has arrived. */
const ANSWERS = new Set([304, 308]);
/** Milliseconds before another attempt at most. A longer `Retry-After` is left to the caller. */
const LONGEST_PAUSE = 60_000;
/** Bytes of an upload that are sent in a millisecond, on a slow line. */
const SLOWEST = 64;

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
    if (typeof AbortSignal.any !== "function") throw new RondoError("Node 20.3 or newer is needed.");
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
    const response = await this.respond(method, path, sent, { timeout });
    if (response.status === 204) return undefined as T;
    try {
      const { data } = (await response.json()) as { data: T };
      return data;
    } catch (cause) {
      if (sent.signal?.aborted) throw sent.signal.reason;
      throw new ConnectionError(`The answer of ${new URL(this.baseUrl).origin} cannot be read.`, { cause });
    }
  }

  /** Sends a request to the API and returns the response itself. */
  async respond(method: string, path: string, sent: Sent = {}, attempts: Attempts = {}): Promise<Response> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.apiKey}`, ...sent.headers };
    const init: RequestInit = { method, headers };
    if (method === "POST" || sent.idempotencyKey)
      headers["idempotency-key"] = sent.idempotencyKey ?? globalThis.crypto.randomUUID();
    if (sent.content) [headers["content-type"], init.body] = sent.content;
    else if (sent.body !== undefined || method === "POST" || method === "PUT") {
      headers["content-type"] = "application/json";
      init.body = JSON.stringify(sent.body ?? {});
    }
    const url = `${this.baseUrl}/api/v1${path}${queryText(sent.query)}`;
    return this.repeat(url, init, { signal: sent.signal, ...attempts });
  }

  /** Sends a request to any address, without credentials. */
  async fetchFile(url: string, init: RequestInit = {}, attempts: Attempts = {}): Promise<Response> {
    const size = init.body instanceof Blob ? init.body.size : 0;
    return this.repeat(url, init, { timeout: this.timeout + size / SLOWEST, isStream: true, ...attempts });
  }

  /** Tries until there is an answer that is not passing. */
  private async repeat(url: string, init: RequestInit, attempts: Attempts): Promise<Response> {
    const { signal, timeout = this.timeout, retries = this.retries, again = init } = attempts;
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries;
      const sent = attempt === 0 ? init : again;
      let response: Response;
      try {
        response = await this.attempt(url, sent, { ...attempts, timeout });
      } catch (cause) {
        if (signal?.aborted) throw signal.reason;
        if (isLast) throw new ConnectionError(`Could not reach ${new URL(url).origin}.`, { cause });
        await pause(backOff(attempt), signal);
        continue;
      }
      if (response.ok || ANSWERS.has(response.status)) return response;
      const asked = Number(response.headers.get("retry-after") ?? 0) * 1000 || 0;
      if (isLast || !isPassing(response, sent.method) || asked > LONGEST_PAUSE) {
        const error = await errorOf(response, timeout);
        throw signal?.aborted ? signal.reason : error;
      }
      await response.body?.cancel();
      await pause(Math.max(backOff(attempt), asked), signal);
    }
  }

  private async attempt(
    url: string,
    init: RequestInit,
    { signal, timeout, isStream }: Attempts & { timeout: number },
  ): Promise<Response> {
    if (!isStream) return this.send(url, { ...init, signal: anyOf(signal, AbortSignal.timeout(timeout)) });
    const stop = new AbortController();
    try {
      return await within(timeout, this.send(url, { ...init, signal: anyOf(signal, stop.signal) }));
    } catch (error) {
      stop.abort();
      throw error;
    }
  }
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
