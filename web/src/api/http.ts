/** HTTP requests. Returns the data of the envelope; failures become `ApiError`. */
import type { paths as ApiPaths, components } from "./api.gen";
import type { paths as DashboardPaths } from "./dashboard.gen";

type Failure = components["schemas"]["Failure"];
export type Issue = components["schemas"]["Issue"];

/** An error response. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    /** The validation errors of the request. */
    readonly issues: Issue[] = [],
  ) {
    super(message);
  }
}

/** Whether a request failed because what it asked for is not there, or not the caller's. */
export const isMissing = (error: unknown) =>
  error instanceof ApiError && (error.status === 404 || error.status === 403 || error.status === 410);

/** Browsers send at most 64 KiB for a page that is gone. */
const MOST_KEPT_ALIVE = 20_000;

interface RequestOptions {
  headers?: Record<string, string>;
  /** The page is being closed: the request goes on without it, if it is small. */
  isLeaving?: boolean;
}

/** Sends a request. `api` and `dashboardApi` are typed and preferred. */
export async function request<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  { headers, isLeaving = false }: RequestOptions = {},
): Promise<T> {
  let response: Response;
  try {
    const payload = body === undefined ? (method === "GET" ? undefined : "{}") : JSON.stringify(body);
    response = await fetch(path, {
      method,
      credentials: "same-origin",
      headers: {
        accept: "application/json",
        ...(payload === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      keepalive: isLeaving && (payload?.length ?? 0) < MOST_KEPT_ALIVE,
      ...(payload === undefined ? {} : { body: payload }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "UNREACHABLE", "Could not reach the server. Check your connection.");
  }
  const envelope = (await response.json().catch(() => null)) as { success: true; data: T } | Partial<Failure> | null;
  if (envelope && "data" in envelope) return envelope.data;
  throw new ApiError(
    response.status,
    envelope?.details?.reason ?? "UNKNOWN",
    envelope?.error ?? `The request failed with status ${response.status}.`,
    envelope?.details?.issues ?? [],
  );
}

type Query = Record<string, string | number | boolean | null | undefined>;

function withQuery(path: string, query: Query = {}): string {
  const params = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return params.length ? `${path}?${new URLSearchParams(params.map(([name, value]) => [name, String(value)]))}` : path;
}

type Method = "get" | "post" | "put" | "patch" | "delete";
type Operation<Paths, P extends keyof Paths, M extends Method> = M extends keyof Paths[P] ? Paths[P][M] : never;
/** The paths of a document that support a method. */
type PathsWith<Paths, M extends Method> = {
  [P in keyof Paths]: Operation<Paths, P, M> extends { responses: unknown } ? P : never;
}[keyof Paths];

type PathParams<O> = O extends { parameters: { path: infer P } } ? { path: P } : { path?: undefined };
type QueryParams<O> = O extends { parameters: { query: infer Q } }
  ? { query: Q }
  : O extends { parameters: { query?: infer Q } }
    ? { query?: Q | undefined }
    : { query?: undefined };
/** Headers may always be left out. */
type HeaderParams<O> = O extends { parameters: { header?: infer H } } ? { header?: H } : { header?: undefined };
type Body<O> = O extends { requestBody: { content: { "application/json": infer B } } }
  ? { body: B }
  : { body?: undefined };
type Options<O> = PathParams<O> & QueryParams<O> & HeaderParams<O> & Body<O> & { signal?: AbortSignal };
/** Options may be left out where an operation requires none. */
type OptionArguments<O> =
  Record<string, never> extends PathParams<O> & QueryParams<O> & Body<O>
    ? [options?: Options<O>]
    : [options: Options<O>];
type Data<O> = O extends { responses: { 200: { content: { "application/json": { data: infer D } } } } } ? D : never;

/** The body of a dashboard operation. */
export type DashboardBody<M extends Method, P extends PathsWith<DashboardPaths, M>> = Body<
  Operation<DashboardPaths, P, M>
>["body"];
/** The query parameters of an operation of the public API. */
export type ApiQuery<M extends Method, P extends PathsWith<ApiPaths, M>> = QueryParams<
  Operation<ApiPaths, P, M>
>["query"];
/** The data of a response of the public API. */
export type ApiData<M extends Method, P extends PathsWith<ApiPaths, M>> = Data<Operation<ApiPaths, P, M>>;
/** The data of a response of the dashboard API. */
export type DashboardData<M extends Method, P extends PathsWith<DashboardPaths, M>> = Data<
  Operation<DashboardPaths, P, M>
>;

/** A client for the operations of an OpenAPI document. */
const createClient =
  <Paths>(baseUrl: string) =>
  <M extends Method, P extends PathsWith<Paths, M>>(
    method: M,
    path: P,
    ...[options]: OptionArguments<Operation<Paths, P, M>>
  ): Promise<Data<Operation<Paths, P, M>>> => {
    const {
      path: params,
      query,
      header,
      body,
      signal,
    } = (options ?? {}) as {
      path?: Record<string, string>;
      query?: Query;
      header?: Record<string, string>;
      body?: unknown;
      signal?: AbortSignal;
    };
    const filled = String(path).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ""));
    return request(
      method.toUpperCase(),
      withQuery(baseUrl + filled, query),
      body,
      signal,
      header ? { headers: header } : {},
    );
  };

/** The public API. */
export const api = createClient<ApiPaths>("/api/v1");
/** The API of the dashboard. */
export const dashboardApi = createClient<DashboardPaths>("/api/dashboard");
