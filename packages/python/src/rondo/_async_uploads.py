"""Uploads of the client for asyncio. `_sync_uploads.py` is made from this file by packages/python/generate."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, BinaryIO, Callable, List, Optional, Union
from urllib.parse import quote

from . import types
from ._async_transport import AsyncPages, AsyncTransport
from ._request import PART, Request, Source, arrived_bytes, given, named, takes_parts, type_of
from .errors import ConflictError, ConnectionError

if TYPE_CHECKING:
    from typing_extensions import Unpack

Sent = Callable[[int, int], None]


class AsyncUploads:
    """Uploads: files for films."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        content_type: str,
        *,
        name: Optional[str] = None,
        size: Optional[int] = None,
        in_parts: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.UploadInfo:
        """Reserves a place for a file. `put` does this and sends the file."""
        body = given(contentType=content_type, name=name, size=size, inParts=in_parts)
        return await self._transport.data(Request("POST", "/uploads", body, idempotency_key=idempotency_key))

    async def put(
        self,
        file: Union[str, "os.PathLike[str]", bytes, BinaryIO],
        *,
        name: Optional[str] = None,
        content_type: Optional[str] = None,
        on_progress: Optional[Sent] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.UploadInfo:
        """Uploads a file: a path, bytes or an open file. Use the `fileUrl` of the answer as `src` in compositions.

        `on_progress` is called with the bytes sent so far, and all of them. An upload that breaks off goes on after the bytes that arrived;
        at a bucket it starts again.
        """
        if isinstance(file, (str, os.PathLike)):
            with open(file, "rb") as opened:
                return await self.put(
                    opened,
                    name=name or os.path.basename(os.fspath(file)),
                    content_type=content_type,
                    on_progress=on_progress,
                    idempotency_key=idempotency_key,
                )
        kind = content_type or type_of(name)
        source = Source(file)
        upload = await self.create(kind, name=name, size=source.size, idempotency_key=idempotency_key)
        try:
            if takes_parts(upload):
                await self._send_parts(upload["uploadUrl"], kind, source, on_progress)
            else:
                headers = {"content-type": kind, "content-length": str(source.size)}
                content = _Body(source, 0, source.size, on_progress)
                await self._transport.send(method="PUT", url=upload["uploadUrl"], headers=headers, content=content)
        except ConflictError as error:
            # The file was sent before, with the same idempotency key.
            if error.reason != "UPLOAD_COMPLETE":
                raise
        return upload

    async def _send_parts(self, url: str, kind: str, source: Source, on_progress: Optional[Sent]) -> None:
        """Sends a file part by part. After an attempt that fails for a moment, asks how much has arrived."""
        question = {"headers": {"content-type": kind, "content-range": f"bytes */{source.size}"}, "content": b""}
        sent = failures = 0
        while failures <= self._transport.settings.retries:
            end = min(sent + PART, source.size)
            place = f"bytes {sent}-{end - 1}/{source.size}"
            headers = {"content-type": kind, "content-length": str(end - sent), "content-range": place}
            content = _Body(source, sent, end, on_progress)
            response = await self._transport.send(method="PUT", url=url, headers=headers, content=content, again=question)
            if response.status_code != 308:
                return
            arrived = arrived_bytes(response)
            failures = 0 if arrived > sent else failures + 1
            sent = arrived
        raise ConnectionError(f"Could not send the file to {self._transport.settings.base_url}.")

    def list(self, **query: Unpack[types.ListUploadsArguments]) -> AsyncPages[types.ListedUpload]:
        """Files, newest first. Filters as in the API: `kind`, `search`, `limit`."""
        return AsyncPages(self._transport, Request("GET", "/uploads", query=named("listUploads", query)), "uploads")

    async def fonts(self) -> List[types.OwnFont]:
        """The font families that were uploaded. Films of the account use them by name."""
        return (await self._transport.data(Request("GET", "/fonts")))["fonts"]

    async def delete(self, upload_id: str) -> None:
        await self._transport.data(Request("DELETE", f"/uploads/{quote(upload_id, safe='')}"))


class _Body:
    """Bytes of an upload. Each attempt reads them again."""

    def __init__(self, source: Source, start: int, end: int, on_progress: Optional[Sent]) -> None:
        self._source = source
        self._start = start
        self._end = end
        self._on_progress = on_progress

    async def __aiter__(self) -> AsyncIterator[bytes]:
        sent = self._start
        for piece in self._source.pieces(self._start, self._end):
            yield piece
            sent += len(piece)
            if self._on_progress:
                self._on_progress(sent, self._source.size)
