"""Requests of the client for asyncio, and lists that arrive in pages. `_sync_transport.py` is made from this file by packages/python/generate."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Generic, Optional, TypeVar

import httpx

from ._files import Download
from ._request import Left, Request, Settings, back_off, endless, is_answer, is_passing
from .errors import ConnectionError, error_of

Item = TypeVar("Item")


class AsyncTransport:
    """Sends requests: credentials, time limits, retries."""

    def __init__(self, settings: Settings, client: Optional[httpx.AsyncClient]) -> None:
        self.settings = settings
        self.client = client or httpx.AsyncClient(timeout=settings.timeout)

    async def data(self, request: Request, left: Left = endless) -> Any:
        """The `data` of the answer."""
        response = await self.send(left=left, **request.arguments(self.settings))
        try:
            return response.json()["data"]
        except (ValueError, KeyError, TypeError) as error:
            raise ConnectionError(f"The answer of {self.settings.base_url} cannot be read.") from error

    async def download(self, url: str, download: Download) -> None:
        """Gets a file, without credentials. After the connection broke off, asks for the rest."""
        attempt = 0
        while True:
            response = await self.send(stream=True, follow=True, method="GET", url=url, headers=download.headers())
            cause: Optional[Exception] = None
            try:
                if download.begin(response):
                    async for piece in response.aiter_bytes():
                        download.write(piece)
            except httpx.RequestError as error:
                cause = error
            finally:
                await response.aclose()
            if download.is_whole(has_ended=cause is None):
                return
            if download.has_grown():
                attempt = 0
            if attempt >= self.settings.retries:
                raise ConnectionError(f"The download from {httpx.URL(url).host} broke off.") from cause
            await asyncio.sleep(back_off(attempt))
            attempt += 1

    async def send(
        self,
        *,
        stream: bool = False,
        once: bool = False,
        follow: bool = False,
        again: Optional[dict[str, Any]] = None,
        left: Left = endless,
        **arguments: Any,
    ) -> httpx.Response:
        """The answer to a request, repeated while it fails for a moment. `again` are other arguments for later attempts.

        With `follow`, redirects are followed. No attempt and no pause takes longer than what is `left` when it begins.
        """
        redirects: Any = True if follow else httpx.USE_CLIENT_DEFAULT
        attempt = 0
        while True:
            is_last = once or attempt >= self.settings.retries
            if left is not endless:
                arguments["timeout"] = min(arguments.get("timeout", self.settings.timeout), left())
            try:
                request = self.client.build_request(**arguments)
                response = await self.client.send(request, stream=stream, follow_redirects=redirects)
                if stream and not is_answer(response):
                    try:
                        await response.aread()
                    finally:
                        # Older versions of httpx keep the connection where the body breaks off.
                        await response.aclose()
            except httpx.RequestError as error:
                most = left()
                if is_last:
                    raise ConnectionError(f"Could not reach {self.settings.base_url}: {error}") from error
                await asyncio.sleep(min(back_off(attempt), most))
            else:
                if is_answer(response):
                    return response
                if is_last or not is_passing(response):
                    raise error_of(response)
                await asyncio.sleep(min(back_off(attempt, response), left()))
            attempt += 1
            arguments.update(again or {})


class AsyncPages(Generic[Item]):
    """A list that arrives in pages: iterate over it, or take the first page."""

    def __init__(self, transport: AsyncTransport, request: Request, name: str) -> None:
        self._transport = transport
        self._request = request
        self._name = name

    async def __aiter__(self) -> AsyncIterator[Item]:
        cursor: Optional[str] = self._request.query.get("cursor")
        while True:
            page = await self._page(cursor)
            for item in page[self._name]:
                yield item
            cursor = page.get("nextCursor")
            if not cursor:
                return

    async def first_page(self) -> dict[str, Any]:
        """The first page as the API returns it, with `total` and `hasMore`."""
        return await self._page(self._request.query.get("cursor"))

    async def all(self) -> list[Item]:
        """Every item."""
        return [item async for item in self]

    async def _page(self, cursor: Optional[str]) -> dict[str, Any]:
        query = {**self._request.query, "cursor": cursor}
        return await self._transport.data(Request("GET", self._request.path, query=query))
