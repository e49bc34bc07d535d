"""Requests as values, and what is done before and after sending them: the same for both clients."""

from __future__ import annotations

import io
import json
import math
import mimetypes
import os
import random
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Callable, Optional, Union
from urllib.parse import urlsplit

import httpx

from . import types
from ._arguments import ARGUMENTS
from .errors import RondoError, retry_after

#: Tells the seconds that are left for a request with all its attempts. Raises after them.
Left = Callable[[], float]

#: Statuses after which the same request may succeed.
PASSING = {408, 425, 429, 500, 502, 503, 504}
#: Statuses that are no failures: nothing has changed, and a part of an upload has arrived.
ANSWERS = {304, 308}
#: Seconds between looks at a job, at first and at most, where events are not available.
POLL_FIRST, POLL_MOST = 0.5, 5.0
#: The longest `Retry-After` that is waited for, in seconds.
LONGEST_PAUSE = 60.0
#: Bytes that are sent at once.
STEP = 256 * 1024
#: Bytes of a part of an upload.
PART = 8 * 1024 * 1024

_TYPES = {
    ".m4a": "audio/mp4",
    ".mkv": "video/x-matroska",
    ".mov": "video/quicktime",
    ".avif": "image/avif",
    ".webp": "image/webp",
    ".wav": "audio/wav",
    ".flac": "audio/flac",
    ".aac": "audio/aac",
    ".ogg": "audio/ogg",
    ".mp3": "audio/mpeg",
    ".ttf": "font/ttf",
    ".otf": "font/otf",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
}


@dataclass
class Settings:
    """Where the service is, and how it is asked."""

    api_key: str
    base_url: str
    retries: int
    timeout: float
    #: Seconds without a byte after which events are given up: the service sends a comment every 15 seconds.
    silence: float = 60.0

    @classmethod
    def of(cls, api_key: Optional[str], base_url: Optional[str], retries: int, timeout: float) -> Settings:
        key = api_key or os.environ.get("RONDO_API_KEY")
        if not key:
            raise RondoError("Set api_key, or the environment variable RONDO_API_KEY.")
        url = base_url or os.environ.get("RONDO_URL") or "http://127.0.0.1:8080"
        return cls(key, url.rstrip("/"), retries, timeout)


@dataclass
class Request:
    """A request to the API."""

    method: str
    path: str
    body: Any = None
    #: A body that is not JSON, and its type.
    content: Optional[tuple[bytes, str]] = None
    query: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    idempotency_key: Optional[str] = None
    #: Seconds, for a request that may take longer than others.
    timeout: Optional[float] = None

    def arguments(self, settings: Settings) -> dict[str, Any]:
        """The arguments of httpx."""
        headers = {"authorization": f"Bearer {settings.api_key}", **self.headers}
        if self.method == "POST" or self.idempotency_key:
            headers["idempotency-key"] = self.idempotency_key or str(uuid.uuid4())
        arguments: dict[str, Any] = {
            "method": self.method,
            "url": f"{settings.base_url}/api/v1{self.path}",
            "params": _parameters(self.query),
            "headers": headers,
        }
        if self.content is not None:
            arguments["content"], headers["content-type"] = self.content
        elif self.body is not None or self.method in ("POST", "PUT"):
            arguments["json"] = {} if self.body is None else self.body
        if self.timeout is not None:
            arguments["timeout"] = self.timeout
        return arguments


def _parameters(query: dict[str, Any]) -> dict[str, Any]:
    """A query. Each field of a dictionary is a parameter `name[field]`, and a list has commas between its items. None is left out."""
    parameters: dict[str, Any] = {}
    for name, value in query.items():
        if isinstance(value, Mapping):
            for key, part in given(**value).items():
                parameters[f"{name}[{key}]"] = part if isinstance(part, str) else json.dumps(part, ensure_ascii=False)
        elif value is not None:
            parameters[name] = ",".join(value) if isinstance(value, (list, tuple)) else value
    return parameters


def is_answer(response: httpx.Response) -> bool:
    # Redirects are followed by downloads only.
    return response.is_success or (response.status_code in ANSWERS and "location" not in response.headers)


def is_passing(response: httpx.Response) -> bool:
    """Whether another attempt may succeed, and soon.

    409 with `Retry-After`: an earlier attempt is still being answered. 416: more of an upload has arrived than the client knows.
    """
    is_running = response.status_code == 409 and "retry-after" in response.headers
    is_ahead = response.status_code == 416 and response.request.method == "PUT"
    may_succeed = response.status_code in PASSING or is_running or is_ahead
    return may_succeed and (retry_after(response) or 0.0) <= LONGEST_PAUSE


def back_off(attempt: int, response: Optional[httpx.Response] = None) -> float:
    """Seconds before another attempt: 0.5, 1, 2, 4 … a little apart for each client, or what the service asks for."""
    asked = retry_after(response) if response is not None else None
    return max(min(0.5 * 2**attempt, 10.0) * random.uniform(0.75, 1.25), asked or 0.0)


def endless() -> float:
    """What is left for a request that no caller limits."""
    return math.inf


def given(**fields: Any) -> dict[str, Any]:
    """The fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None}


def named(operation: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments that have a value, under their names in the API. `template_id` and `templateId` are both taken, and `from_` for `from`."""
    known = ARGUMENTS[operation]
    names = {name: known.get(name, name) for name in fields}
    for name, other in names.items():
        if other not in known.values():
            raise TypeError(f"unexpected keyword argument {name!r}. Known arguments: {', '.join(sorted(known))}")
    return given(**{names[name]: value for name, value in fields.items()})


def composition_of(composition: Any) -> Any:
    """A composition, or that of a `Film`."""
    return composition.to_dict() if hasattr(composition, "to_dict") else composition


def render_body(
    composition: Any,
    template_id: Optional[str],
    project_id: Optional[str],
    replacements: Any,
    output: Any,
    fields: Mapping[str, Any],
) -> dict[str, Any]:
    """The body of POST /renders and POST /previews."""
    body = given(inputProps=composition_of(composition), templateId=template_id, projectId=project_id, replacements=replacements, output=output)
    return {**body, **named("createRender", fields)}


class Source:
    """The bytes of an upload. Those of a file are read when they are sent."""

    def __init__(self, file: Union[bytes, bytearray, BinaryIO]) -> None:
        if isinstance(file, (bytes, bytearray)):
            file = io.BytesIO(file)
        elif not getattr(file, "seekable", lambda: False)():
            file = io.BytesIO(file.read())
        self._file = file
        self._start = file.tell()
        self.size = file.seek(0, os.SEEK_END) - self._start

    def pieces(self, start: int, end: int) -> Iterator[bytes]:
        self._file.seek(self._start + start)
        while start < end:
            piece = self._file.read(min(STEP, end - start))
            if not piece:
                raise RondoError("The file became shorter while it was sent.")
            start += len(piece)
            yield piece


def arrived_bytes(response: httpx.Response) -> int:
    """How much of a file is there: `Range: bytes=0-9` says ten bytes, no `Range` none."""
    return int(response.headers["range"].rpartition("-")[2]) + 1 if "range" in response.headers else 0


def takes_parts(upload: Any) -> bool:
    """Whether the address is one of the service, not of a bucket: a bucket takes whole files only, and its files have an extension."""
    return urlsplit(upload["uploadUrl"]).path.endswith(f"/uploads/{upload['id']}")


def type_of(name: Optional[str]) -> str:
    """The MIME type of a file by its name."""
    extension = os.path.splitext(name or "")[1].lower()
    found = _TYPES.get(extension) or mimetypes.guess_type(name or "")[0]
    if not found:
        raise RondoError("Set content_type: the type of the file is not known.")
    return found


def event_data(lines: list[str]) -> Optional[str]:
    """The data of a server-sent event."""
    data = [line[5:].removeprefix(" ") for line in lines if line.startswith("data:")]
    return "\n".join(data) or None


def event_job(data: str) -> Optional[types.RenderJob]:
    """The job that an event tells of. None if its data are no job."""
    try:
        job: Any = json.loads(data)
        return job if {"status", "progressPercentage"} <= job.keys() else None
    except (ValueError, AttributeError):
        return None
