/** Errors: one class per kind of answer, all of them `RondoError`. */

import { bytesOf } from "./time.js";
import type { Issue, Reason } from "./types.js";

/** What programs may act on. More fields depend on the reason. */
export interface ErrorDetails {
  /** `UNKNOWN` where the answer is not one of the service. */
  reason: Reason | "UNKNOWN";
  issues?: Issue[] | null;
  [field: string]: unknown;
}

/** Anything that went wrong with a request. */
export class RondoError extends Error {
  override name = "RondoError";
  /** The render that was started before the error. Its film may be there, or may still be made. */
  declare jobId?: string;
}

/** The service could not be reached, or did not answer in time. */
export class ConnectionError extends RondoError {
  override name = "ConnectionError";
}

/** An error response of the service. */
export class ApiError extends RondoError {
  override name = "ApiError";

  constructor(
    readonly status: number,
    message: string,
    readonly details: ErrorDetails,
    /** The `X-Request-Id` of the response. Include it when you report a problem. */
    readonly requestId: string | null,
    /** Seconds after which the request may be repeated. */
    readonly retryAfter: number | null,
  ) {
    super(message);
  }

  /** A code such as `INSUFFICIENT_CREDITS`. */
  get reason(): Reason | "UNKNOWN" {
    return this.details.reason;
  }

  /** Every problem found in the request. */
  get issues(): Issue[] {
    return this.details.issues ?? [];
  }
}

/** 400 and 422: the request is wrong. `issues` says where. */
export class InvalidRequestError extends ApiError {
  override name = "InvalidRequestError";
}

/** 401: the API key is missing, wrong, expired or revoked. */
export class AuthenticationError extends ApiError {
  override name = "AuthenticationError";
}

/** 402: the account has too few credits. */
export class InsufficientCreditsError extends ApiError {
  override name = "InsufficientCreditsError";

  get creditsNeeded(): number {
    return Number(this.details.creditsNeeded ?? 0);
  }

  get creditsAvailable(): number {
    return Number(this.details.creditsAvailable ?? 0);
  }
}

/** 403: the account may not do this. */
export class PermissionError extends ApiError {
  override name = "PermissionError";
}

/** 404 and 410: there is no such thing, or no longer. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}

/** 409 and 412: something else changed it first, or is still at work on it. */
export class ConflictError extends ApiError {
  override name = "ConflictError";
}

/** 429: too many requests. */
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
}

/** 5xx: the service failed or is not available. */
export class ServerError extends ApiError {
  override name = "ServerError";
}

/** A render that ended without a film. */
export class RenderFailedError extends RondoError {
  override name = "RenderFailedError";

  constructor(
    override readonly jobId: string,
    message: string,
  ) {
    super(message);
  }
}

/** A render or a batch did not end in the time that was given. It goes on. */
export class WaitTimeoutError extends RondoError {
  override name = "WaitTimeoutError";
}

/** A delivery whose signature is wrong or too old. */
export class WebhookError extends RondoError {
  override name = "WebhookError";
}

const KINDS: Record<number, typeof ApiError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  402: InsufficientCreditsError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  412: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
};

/** The body of a response as JSON. Null if it is none, or does not end in time. The connection is given back. */
async function bodyOf(response: Response, timeout: number): Promise<unknown> {
  const end = Date.now() + timeout;
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const bytes of bytesOf(response, timeout)) {
      text += decoder.decode(bytes, { stream: true });
      if (Date.now() > end) return null;
    }
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The error for a response. Its body is given up after so many milliseconds, or when nothing arrives for so long. */
export async function errorOf(response: Response, timeout: number): Promise<ApiError> {
  const body = (await bodyOf(response, timeout)) as { error?: unknown; details?: ErrorDetails } | null;
  const Kind = KINDS[response.status] ?? (response.status >= 500 ? ServerError : ApiError);
  const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new Kind(
    response.status,
    typeof body?.error === "string" ? body.error : `The service answered with status ${response.status}.`,
    body?.details ?? { reason: "UNKNOWN" },
    response.headers.get("x-request-id"),
    Number.isFinite(wait) ? wait : null,
  );
}
