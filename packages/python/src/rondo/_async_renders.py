"""Renders, batches and previews of the client for asyncio. `_sync_renders.py` is made from this file by packages/python/generate."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING, Any, List, Optional, Union, overload
from urllib.parse import quote

import httpx

from . import types
from ._arguments import JOB_FIELDS
from ._async_transport import AsyncPages, AsyncTransport
from ._files import Download, Path, part_of
from ._request import POLL_FIRST, POLL_MOST, Request, event_data, event_job, given, named, render_body
from ._wait import BatchProgress, BatchWatch, Progress, RenderWatch
from .errors import ApiError, ConnectionError, RondoError
from .film import Film

if TYPE_CHECKING:
    from typing_extensions import Unpack

CompositionLike = Union[types.Composition, Film]


class AsyncRenders:
    """Renders: creating them, following them, saving their films."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        composition: Optional[CompositionLike] = None,
        template_id: Optional[str] = None,
        project_id: Optional[str] = None,
        replacements: Optional[dict[str, Any]] = None,
        output: Optional[types.Output] = None,
        idempotency_key: Optional[str] = None,
        **fields: Unpack[types.CreateRenderArguments],
    ) -> types.CreatedRender:
        """Starts a render. Costs credits. Other arguments as in the API, such as `webhook_url` and `metadata`."""
        body = render_body(composition, template_id, project_id, replacements, output, fields)
        return await self._transport.data(Request("POST", "/renders", body, idempotency_key=idempotency_key))

    async def get(
        self, job_id: str, *, wait: Optional[int] = None, fields: Union[str, List[str], None] = None
    ) -> types.RenderJob:
        """The job, or some of its fields. With `wait`, the answer comes when the render ends, or after so many seconds."""
        timeout = None if wait is None else self._transport.settings.timeout + wait
        query = {"wait": wait, "fields": fields}
        return await self._transport.data(Request("GET", f"/renders/{quote(job_id, safe='')}", query=query, timeout=timeout))

    def list(self, **query: Unpack[types.ListRendersArguments]) -> AsyncPages[types.RenderJob]:
        """Renders, newest first. Filters as in the API, such as `status`, `project_id`, `metadata`, `created_after` and `limit`."""
        return AsyncPages(self._transport, Request("GET", "/renders", query=named("listRenders", query)), "renders")

    async def cancel(self, job_id: str, *, idempotency_key: Optional[str] = None) -> types.RenderJob:
        """Stops a render. Its credits are given back."""
        path = f"/renders/{quote(job_id, safe='')}/cancel"
        return await self._transport.data(Request("POST", path, idempotency_key=idempotency_key))

    async def delete(self, job_id: str) -> types.RenderJob:
        """Deletes the file of a finished render. The job stays in lists."""
        return await self._transport.data(Request("DELETE", f"/renders/{quote(job_id, safe='')}"))

    async def wait(
        self, job_id: str, on_progress: Optional[Progress] = None, *, timeout: Optional[float] = None
    ) -> types.RenderJob:
        """Waits for the end of a render and returns the job.

        Follows its events, and looks at the job from time to time where they do not arrive. The job comes without its `inputProps`.
        Raises `RenderFailedError` if the render fails, and `WaitTimeoutError` after `timeout` seconds.
        """
        watch = RenderWatch(job_id, on_progress, timeout)
        pause = POLL_FIRST
        while True:
            done = await self._follow(watch) or await self._look(watch)
            if done:
                return done
            await asyncio.sleep(min(pause, watch.left()))
            pause = min(pause * 1.6, POLL_MOST)

    async def _look(self, watch: RenderWatch) -> Optional[types.RenderJob]:
        """Looks at a job. None if it has not ended."""
        request = Request("GET", f"/renders/{quote(watch.job_id, safe='')}", query={"fields": JOB_FIELDS})
        return watch.look(await self._transport.data(request, left=watch.left))

    async def _follow(self, watch: RenderWatch) -> Optional[types.RenderJob]:
        """Follows the events of a job until it ends. None if they broke off before."""
        while watch.has_events:
            limit = min(self._transport.settings.silence, watch.left())
            done = await self._read_events(watch, limit)
            # httpx has one limit for all reads of an answer. Near the deadline, the answer to another request gets a shorter one.
            if done or not watch.may_outlast(limit):
                return done
        return None

    async def _read_events(self, watch: RenderWatch, limit: float) -> Optional[types.RenderJob]:
        """Follows the events of one answer. None if none came for so many seconds, or if the next could come after the deadline."""
        settings = self._transport.settings
        request = Request("GET", f"/renders/{quote(watch.job_id, safe='')}/events", headers={"accept": "text/event-stream"})
        timeout = httpx.Timeout(min(settings.timeout, watch.left()), read=limit)
        start = time.monotonic()
        try:
            response = await self._transport.send(stream=True, once=True, timeout=timeout, **request.arguments(settings))
        except (ApiError, ConnectionError):
            watch.has_events = time.monotonic() - start < settings.silence / 2
            watch.left()
            return None
        lines: list[str] = []
        # The first event comes at once. Where none does, a proxy holds them back.
        watch.has_events = False
        try:
            async for line in response.aiter_lines():
                watch.has_events = True
                watch.left()
                # Older versions of httpx leave the end of the line.
                if line.rstrip("\r\n"):
                    lines.append(line.rstrip("\r\n"))
                    continue
                data = event_data(lines)
                lines = []
                if data:
                    job = event_job(data)
                    # The look that follows tells what is the case.
                    if job is None:
                        return None
                    done = watch.look(job)
                    if done:
                        return done
                if watch.may_outlast(limit):
                    return None
        except httpx.RequestError:
            watch.left()
        finally:
            await response.aclose()
        return None

    async def download(self, job_or_output: Union[types.RenderJob, types.RenderOutput], path: Path) -> None:
        """Saves the file of a completed render, or one of its `outputs`.

        It appears when it is complete. A download that breaks off goes on where it stopped.
        """
        fields: Any = job_or_output
        job_id, url = fields.get("jobId"), fields.get("url") or fields.get("outputUrl")
        if not url:
            raise RondoError(f"The render {job_id} has no file.")
        part = part_of(path)
        try:
            with open(part, "wb") as file:
                await self._transport.download(url, Download(file))
            os.replace(part, path)
        except BaseException as error:
            if os.path.exists(part):
                os.remove(part)
            if isinstance(error, RondoError):
                error.job_id = job_id
            raise


class AsyncBatches:
    """Batches: many renders of one template or project."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    @overload
    async def create(
        self,
        sets: List[types.BatchSet],
        *,
        template_id: Optional[str] = None,
        project_id: Optional[str] = None,
        replacements: Optional[dict[str, Any]] = None,
        webhook_url: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        **fields: Unpack[types.CreateBatchArguments],
    ) -> types.CreatedBatch: ...

    @overload
    async def create(
        self,
        *,
        csv: Union[str, bytes],
        template_id: Optional[str] = None,
        project_id: Optional[str] = None,
        webhook_url: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.CreatedBatch: ...

    async def create(
        self,
        sets: Optional[List[types.BatchSet]] = None,
        *,
        csv: Union[str, bytes, None] = None,
        template_id: Optional[str] = None,
        project_id: Optional[str] = None,
        replacements: Optional[dict[str, Any]] = None,
        webhook_url: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        **fields: Any,
    ) -> types.CreatedBatch:
        """Starts a render for each set of values: all of them, or none. Costs credits. Other arguments as in the API, such as `metadata`.

        `csv` is a table instead of the sets: its first row holds the names of the variables, and each other row is a set.
        """
        target = given(templateId=template_id, projectId=project_id, webhookUrl=webhook_url)
        shared = {**given(replacements=replacements), **named("createBatch", fields)}
        if (sets is None) == (csv is None):
            raise TypeError("batches.create() takes either sets or csv")
        if csv is None:
            body = {**target, "sets": sets, **shared}
            request = Request("POST", "/renders/batch", body, idempotency_key=idempotency_key)
        elif shared:
            known = "template_id, project_id, webhook_url and idempotency_key"
            raise TypeError(f"with csv, batches.create() takes only {known}, not {', '.join(shared)}")
        else:
            table = csv.encode() if isinstance(csv, str) else csv
            request = Request("POST", "/renders/batch", query=target, content=(table, "text/csv"), idempotency_key=idempotency_key)
        return await self._transport.data(request)

    async def get(self, batch_id: str, **query: Unpack[types.GetBatchArguments]) -> types.BatchPage:
        """The batch with a page of its renders. `renders` lists all of them."""
        path = f"/batches/{quote(batch_id, safe='')}"
        return await self._transport.data(Request("GET", path, query=named("getBatch", query)))

    def renders(self, batch_id: str, **query: Unpack[types.GetBatchArguments]) -> AsyncPages[types.RenderJob]:
        """The renders of a batch in the order of the sets, without their `inputProps`. `fields` names what is needed of each."""
        path = f"/batches/{quote(batch_id, safe='')}"
        return AsyncPages(self._transport, Request("GET", path, query=named("getBatch", query)), "renders")

    async def wait(
        self, batch_id: str, on_progress: Optional[BatchProgress] = None, *, timeout: Optional[float] = None
    ) -> types.BatchInfo:
        """Waits until every render of a batch has ended, and returns the batch. `counts` says how many failed.

        Looks at the batch from time to time. Raises `WaitTimeoutError` after `timeout` seconds.
        """
        watch = BatchWatch(batch_id, on_progress, timeout)
        pause = POLL_FIRST
        while True:
            request = Request("GET", f"/batches/{quote(batch_id, safe='')}", query={"fields": "jobId", "limit": 1})
            done = watch.look(await self._transport.data(request, left=watch.left))
            if done:
                return done
            await asyncio.sleep(min(pause, watch.left()))
            pause = min(pause * 1.6, POLL_MOST)

    async def cancel(self, batch_id: str, *, idempotency_key: Optional[str] = None) -> types.BatchInfo:
        """Stops the renders that have not ended."""
        path = f"/batches/{quote(batch_id, safe='')}/cancel"
        return await self._transport.data(Request("POST", path, idempotency_key=idempotency_key))


class AsyncPreviews:
    """Previews: what a render would make and cost. Free."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        composition: Optional[CompositionLike] = None,
        template_id: Optional[str] = None,
        project_id: Optional[str] = None,
        replacements: Optional[dict[str, Any]] = None,
        output: Optional[types.Output] = None,
        idempotency_key: Optional[str] = None,
        **fields: Unpack[types.CreateRenderArguments],
    ) -> types.PreviewAnswer:
        body = render_body(composition, template_id, project_id, replacements, output, fields)
        return await self._transport.data(Request("POST", "/previews", body, idempotency_key=idempotency_key))
