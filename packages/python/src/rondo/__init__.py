"""The client of the Rondo video rendering service."""

from ._async import AsyncPages, AsyncRondo
from ._sync import Pages, Rondo
from .errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    ConnectionError,
    InsufficientCreditsError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    RenderFailedError,
    RondoError,
    ServerError,
    WaitTimeoutError,
    WebhookError,
)
from .film import Film
from .webhooks import verify_webhook

__all__ = [
    "ApiError",
    "AsyncPages",
    "AsyncRondo",
    "AuthenticationError",
    "ConflictError",
    "ConnectionError",
    "Film",
    "InsufficientCreditsError",
    "InvalidRequestError",
    "NotFoundError",
    "Pages",
    "PermissionDeniedError",
    "RateLimitError",
    "RenderFailedError",
    "Rondo",
    "RondoError",
    "ServerError",
    "WaitTimeoutError",
    "WebhookError",
    "verify_webhook",
]
