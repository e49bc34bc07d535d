/** Requests to the service: the envelope is taken off, and failures become `ApiFailure`. */
import type { paths as ApiPaths } from "./api.gen";
import type { paths as DashboardPaths } from "./dashboard.gen";

export interface Issue {
  path: string;
  code: string;
  message: string;
}

/** What the service answered instead of data. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }

  get issues(): Issue[] {
    return Array.isArray(this.details["issues"]) ? (this.details["issues"] as Issue[]) : [];
  }
}

/** The sentence of whatever went wrong. */
export const sentence = (error: unknown) => (error instanceof Error ? error.message : "Something went wrong.");

type Envelope = { success: true; data: unknown } | { success: false; error: string; details?: Record<string, unknown> };
export type Query = Record<string, string | number | boolean | null | undefined>;

export async function request<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    const sent = body === undefined ? (method === "GET" ? undefined : "{}") : JSON.stringify(body);
    response = await fetch(path, {
      method,
      credentials: "same-origin",
      headers: { accept: "application/json", ...(sent === undefined ? {} : { "content-type": "application/json" }) },
      ...(sent === undefined ? {} : { body: sent }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiFailure(0, "UNREACHABLE", "The service does not answer. Check that it runs and that you are online.");
  }
  const envelope = (await response.json().catch(() => null)) as Envelope | null;
  if (envelope?.success) return envelope.data as T;
  const reason = envelope?.details?.["reason"];
  throw new ApiFailure(
    response.status,
    typeof reason === "string" ? reason : "UNKNOWN",
    envelope?.error ?? `The service answered with status ${response.status}.`,
    envelope?.details,
  );
}

export function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return given.length ? `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : path;
}

type Method = "get" | "post" | "patch" | "delete";
type Operation<Paths, P extends keyof Paths, M extends Method> = M extends keyof Paths[P] ? Paths[P][M] : never;
type Answer<O> = O extends { responses: { 200: { content: { "application/json": { data: infer Data } } } } }
  ? Data
  : never;
/** The paths of a document that have a method. */
type With<Paths, M extends Method> = {
  [P in keyof Paths]: Operation<Paths, P, M> extends { responses: unknown } ? P : never;
}[keyof Paths];
interface Call {
  path?: Record<string, string>;
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
}

/** Calls operations below an address, typed by the document that describes them. */
const caller =
  <Paths>(base: string) =>
  <M extends Method, P extends With<Paths, M>>(
    method: M,
    path: P,
    call: Call = {},
  ): Promise<Answer<Operation<Paths, P, M>>> => {
    const filled = String(path).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(call.path?.[name] ?? ""),
    );
    return request(method.toUpperCase(), withQuery(base + filled, call.query), call.body, call.signal);
  };

/** What an operation of the dashboard answers with. */
export type Answered<M extends Method, P extends With<DashboardPaths, M>> = Answer<Operation<DashboardPaths, P, M>>;

/** The public API. */
export const api = caller<ApiPaths>("/api/v1");
/** What only the dashboard uses. */
export const own = caller<DashboardPaths>("/api/dashboard");
