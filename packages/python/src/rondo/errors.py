"""Errors: one class per kind of answer, all of them `RondoError`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union, cast

import httpx

if TYPE_CHECKING:
    from .types import Issue, Reason


class RondoError(Exception):
    """Anything that went wrong with a request."""

    #: The render that was created before the error. It may still go on.
    job_id: Optional[str] = None


class ConnectionError(RondoError):  # noqa: A001
    """The service could not be reached, or did not answer in time."""


class RenderFailedError(RondoError):
    """A render that ended without a film."""

    job_id: str

    def __init__(self, job_id: str, message: str) -> None:
        super().__init__(message)
        self.job_id = job_id


class WaitTimeoutError(RondoError):
    """A render or a batch did not end in the time that was given. It goes on."""

    def __init__(self, message: str, job_id: Optional[str] = None) -> None:
        super().__init__(message)
        self.job_id = job_id


class WebhookError(RondoError):
    """A delivery whose signature is missing, wrong or too old."""


class ApiError(RondoError):
    """An error response of the service."""

    def __init__(
        self,
        status: int,
        message: str,
        details: dict[str, Any],
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        #: What programs may act on. More fields depend on the reason.
        self.details = details
        #: The `X-Request-Id` of the response. Include it when you report a problem.
        self.request_id = request_id
        #: Seconds after which the request may be repeated.
        self.retry_after = retry_after

    @property
    def reason(self) -> Union[Reason, str]:
        """A code such as `INSUFFICIENT_CREDITS`; `UNKNOWN` where the answer is not one of the service."""
        return cast("Reason", self.details.get("reason", "UNKNOWN"))

    @property
    def issues(self) -> list[Issue]:
        """Every problem found in the request, with its `path`, `code` and `message`."""
        return self.details.get("issues") or []


class InvalidRequestError(ApiError):
    """400 and 422: the request is wrong. `issues` says where."""


class AuthenticationError(ApiError):
    """401: the API key is missing, wrong, expired or revoked."""


class InsufficientCreditsError(ApiError):
    """402: the account has too few credits."""

    @property
    def credits_needed(self) -> int:
        return int(self.details.get("creditsNeeded", 0))

    @property
    def credits_available(self) -> int:
        return int(self.details.get("creditsAvailable", 0))


class PermissionDeniedError(ApiError):
    """403: the account may not do this."""


class NotFoundError(ApiError):
    """404 and 410: there is no such thing, or no longer."""


class ConflictError(ApiError):
    """409 and 412: something else changed it first, or is still at work on it."""


class RateLimitError(ApiError):
    """429: too many requests."""


class ServerError(ApiError):
    """5xx: the service failed or is not available."""


_KINDS: dict[int, type[ApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    402: InsufficientCreditsError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    412: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitError,
}


def error_of(response: httpx.Response) -> ApiError:
    """The error for a response that was read."""
    try:
        body = response.json()
    except ValueError:
        body = {}
    if not isinstance(body, dict):
        body = {}
    kind = _KINDS.get(response.status_code, ServerError if response.status_code >= 500 else ApiError)
    message = body.get("error") or f"The service answered with status {response.status_code}."
    details = body.get("details") or {"reason": "UNKNOWN"}
    return kind(
        response.status_code, message, details, response.headers.get("x-request-id"), retry_after(response)
    )


def retry_after(response: httpx.Response) -> Optional[float]:
    try:
        return float(response.headers["retry-after"])
    except (KeyError, ValueError):
        return None
