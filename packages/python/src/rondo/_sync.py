"""The client. Made from `_async.py` by packages/python/generate."""

from __future__ import annotations

import json
import os
import time
from typing import Any, Callable, List, Optional, Union
from urllib.parse import quote

import httpx

from . import types
from ._sync_projects import Projects, Templates
from ._sync_transport import Pages, Transport
from ._sync_uploads import Uploads
from ._files import Download, Path, check_writable, part_of
from ._request import POLL_FIRST, POLL_MOST, Request, Settings, event_data, given, named, render_body
from .errors import ConnectionError, RateLimitError, RenderFailedError, RondoError, ServerError, WaitTimeoutError
from .film import Film

CompositionLike = Union[types.Composition, Film]
Progress = Callable[[types.RenderJob], None]


class Renders:
    """Renders: creating them, following them, saving their films."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        composition: Optional[CompositionLike] = None,
        template_id: Optional[str] = None,
        project_id: Optional[str] = None,
        replacements: Optional[dict[str, Any]] = None,
        output: Optional[types.Output] = None,
        idempotency_key: Optional[str] = None,
        **fields: Any,
    ) -> types.CreatedRender:
        """Starts a render. Costs credits. Other arguments as in the API, such as `webhook_url` and `metadata`."""
        body = render_body(composition, template_id, project_id, replacements, output, fields)
        return self._transport.data(Request("POST", "/renders", body, idempotency_key=idempotency_key))

    def get(
        self, job_id: str, *, wait: Optional[int] = None, fields: Union[str, List[str], None] = None
    ) -> types.RenderJob:
        """The job, or some of its fields. With `wait`, the answer comes when the render ends, or after so many seconds."""
        timeout = None if wait is None else self._transport.settings.timeout + wait
        query = {"wait": wait, "fields": fields}
        return self._transport.data(Request("GET", f"/renders/{quote(job_id, safe='')}", query=query, timeout=timeout))

    def list(self, **query: Any) -> Pages[types.RenderJob]:
        """Renders, newest first. Filters as in the API, such as `status`, `project_id`, `metadata`, `created_after` and `limit`."""
        return Pages(self._transport, Request("GET", "/renders", query=named("listRenders", query)), "renders")

    def cancel(self, job_id: str, *, idempotency_key: Optional[str] = None) -> types.RenderJob:
        """Stops a render. Its credits are given back."""
        path = f"/renders/{quote(job_id, safe='')}/cancel"
        return self._transport.data(Request("POST", path, idempotency_key=idempotency_key))

    def delete(self, job_id: str) -> types.RenderJob:
        """Deletes the file of a finished render. The job stays in lists."""
        return self._transport.data(Request("DELETE", f"/renders/{quote(job_id, safe='')}"))

    def wait(
        self, job_id: str, on_progress: Optional[Progress] = None, *, timeout: Optional[float] = None
    ) -> types.RenderJob:
        """Waits for the end of a render and returns the job.

        Follows its events, and looks at the job from time to time where they are not available. Raises `RenderFailedError` if the render
        fails, and `WaitTimeoutError` after `timeout` seconds.
        """
        watch = _Watch(job_id, on_progress, None if timeout is None else time.monotonic() + timeout)
        pause = POLL_FIRST
        while True:
            done = self._follow(watch) or watch.look(self.get(job_id))
            if done:
                return done
            time.sleep(min(pause, watch.left()))
            pause = min(pause * 1.6, POLL_MOST)

    def _follow(self, watch: _Watch) -> Optional[types.RenderJob]:
        """Follows the events of a job until it ends. None if they broke off before."""
        request = Request("GET", f"/renders/{quote(watch.job_id, safe='')}/events", headers={"accept": "text/event-stream"})
        # The service sends a comment every 15 seconds, so that silence means that it is gone.
        limit = httpx.Timeout(self._transport.settings.timeout, read=min(60.0, watch.left()))
        try:
            response = self._transport.send(
                stream=True, once=True, timeout=limit, **request.arguments(self._transport.settings)
            )
        except (ConnectionError, ServerError, RateLimitError):
            watch.left()
            return None
        lines: list[str] = []
        try:
            for line in response.iter_lines():
                watch.left()
                # Older versions of httpx leave the end of the line.
                if line.rstrip("\r\n"):
                    lines.append(line.rstrip("\r\n"))
                    continue
                data = event_data(lines)
                lines = []
                done = watch.look(json.loads(data)) if data else None
                if done:
                    return done
        except httpx.TransportError:
            watch.left()
        finally:
            response.close()
        return None

    def download(self, job: types.RenderJob, path: Path) -> None:
        """Saves the file of a completed render. It appears when it is complete. A download that breaks off goes on where it stopped."""
        url = job.get("outputUrl")
        if not url:
            raise RondoError(f"The render {job['jobId']} has no file.")
        part = part_of(path)
        try:
            with open(part, "wb") as file:
                self._transport.download(url, Download(file))
            os.replace(part, path)
        except BaseException:
            if os.path.exists(part):
                os.remove(part)
            raise


class _Watch:
    """A job that is waited for."""

    def __init__(self, job_id: str, on_progress: Optional[Progress], deadline: Optional[float]) -> None:
        self.job_id = job_id
        self._on_progress = on_progress
        self._deadline = deadline
        self._last: Any = None

    def look(self, job: types.RenderJob) -> Optional[types.RenderJob]:
        """Reports a change. The job, if it is complete."""
        now = (job["status"], job["progressPercentage"])
        if now != self._last and self._on_progress:
            self._on_progress(job)
        self._last = now
        if job["status"] == "FAILED":
            raise RenderFailedError(self.job_id, job.get("errorMessage") or "The render failed.")
        return job if job["status"] == "COMPLETED" else None

    def left(self) -> float:
        """Seconds until the deadline. Raises after it."""
        if self._deadline is None:
            return 60.0
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise WaitTimeoutError(f"The render {self.job_id} did not end in time.")
        return left


class Batches:
    """Batches: many renders of one template or project."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        sets: List[types.BatchSet],
        *,
        template_id: Optional[str] = None,
        project_id: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        **fields: Any,
    ) -> types.CreatedBatch:
        """Starts a render for each set of values: all of them, or none. Costs credits. Other arguments as in the API, such as `webhook_url`."""
        body = {**given(templateId=template_id, projectId=project_id, sets=sets), **named("createBatch", fields)}
        return self._transport.data(Request("POST", "/renders/batch", body, idempotency_key=idempotency_key))

    def get(self, batch_id: str, **query: Any) -> types.BatchPage:
        """The batch with a page of its renders. Arguments as in the API: `fields`, `limit`, `cursor`."""
        path = f"/batches/{quote(batch_id, safe='')}"
        return self._transport.data(Request("GET", path, query=named("getBatch", query)))

    def cancel(self, batch_id: str, *, idempotency_key: Optional[str] = None) -> types.BatchInfo:
        """Stops the renders that have not ended."""
        path = f"/batches/{quote(batch_id, safe='')}/cancel"
        return self._transport.data(Request("POST", path, idempotency_key=idempotency_key))


class Previews:
    """Previews: what a render would make and cost. Free."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        composition: Optional[CompositionLike] = None,
        template_id: Optional[str] = None,
        project_id: Optional[str] = None,
        replacements: Optional[dict[str, Any]] = None,
        output: Optional[types.Output] = None,
        idempotency_key: Optional[str] = None,
        **fields: Any,
    ) -> types.PreviewAnswer:
        body = render_body(composition, template_id, project_id, replacements, output, fields)
        return self._transport.data(Request("POST", "/previews", body, idempotency_key=idempotency_key))


class Ai:
    """Speech and captions. They cost credits."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def voiceover(
        self,
        text: str,
        *,
        voice: Optional[str] = None,
        speed: Optional[float] = None,
        idempotency_key: Optional[str] = None,
        **fields: Any,
    ) -> types.VoiceoverAnswer:
        """Speaks a text. Other arguments as in the API: `format`, `portrait`."""
        body = {**given(text=text, voice=voice, speed=speed), **named("createVoiceover", fields)}
        return self._transport.data(Request("POST", "/ai/voiceover", body, idempotency_key=idempotency_key))

    def captions(self, *, idempotency_key: Optional[str] = None, **fields: Any) -> types.CaptionsAnswer:
        """Recognizes the words of a recording: `url`, `upload_id` or `voiceover_id`, and `language`."""
        body = named("createCaptions", fields)
        return self._transport.data(Request("POST", "/ai/captions", body, idempotency_key=idempotency_key))

    def voices(self) -> List[types.VoiceInfo]:
        return (self._transport.data(Request("GET", "/ai/voices")))["voices"]


class Stock:
    """Photos and videos of stock providers."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def providers(self) -> List[types.StockProvider]:
        """The providers that the service has keys for."""
        return (self._transport.data(Request("GET", "/stock/providers")))["providers"]

    def search(self, q: str, *, provider: types.StockProviderName, **query: Any) -> types.StockList:
        """Photos, or videos with `kind="video"`. `page` counts from 1."""
        query = {"provider": provider, "q": q, **named("searchStock", query)}
        return self._transport.data(Request("GET", "/stock", query=query))

    def add(
        self, id: str, *, provider: types.StockProviderName, idempotency_key: Optional[str] = None, **fields: Any
    ) -> types.StockFile:
        """Makes an item usable: the `fileUrl` of the answer is a `src` for compositions. `kind="video"` for a video."""
        body = {"provider": provider, "id": id, **named("addStockItem", fields)}
        return self._transport.data(Request("POST", "/stock", body, idempotency_key=idempotency_key))


class Brand:
    """The brand kit of the account."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self) -> types.BrandKit:
        return self._transport.data(Request("GET", "/brand"))

    def set(self, **fields: Any) -> types.BrandKit:
        """`logo`, `colors` and `fonts`, as in the API."""
        return self._transport.data(Request("PUT", "/brand", named("setBrand", fields)))


class Webhooks:
    """Webhooks. `rondo.verify_webhook` checks their deliveries."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self, url: str, *, events: Optional[List[types.EventChoice]] = None, idempotency_key: Optional[str] = None
    ) -> types.WebhookInfo:
        """Registers a webhook. The `secret` of the answer is shown only once."""
        body = given(url=url, events=events)
        return self._transport.data(Request("POST", "/webhooks", body, idempotency_key=idempotency_key))

    def list(self) -> List[types.WebhookInfo]:
        return (self._transport.data(Request("GET", "/webhooks")))["webhooks"]

    def update(
        self,
        webhook_id: str,
        *,
        url: Optional[str] = None,
        events: Optional[List[types.EventChoice]] = None,
        is_active: Optional[bool] = None,
    ) -> types.WebhookInfo:
        """Changes what is given."""
        body = given(url=url, events=events, isActive=is_active)
        return self._transport.data(Request("PATCH", f"/webhooks/{quote(webhook_id, safe='')}", body))

    def redeliver(
        self, webhook_id: str, delivery_id: str, *, idempotency_key: Optional[str] = None
    ) -> types.TestSent:
        """Sends the event of a delivery again, as a new delivery."""
        path = f"/webhooks/{quote(webhook_id, safe='')}/deliveries/{quote(delivery_id, safe='')}/redeliver"
        return self._transport.data(Request("POST", path, idempotency_key=idempotency_key))

    def delete(self, webhook_id: str) -> None:
        self._transport.data(Request("DELETE", "/webhooks", query={"id": webhook_id}))

    def test(
        self, webhook_id: str, event: Optional[types.EventChoice] = None, *, idempotency_key: Optional[str] = None
    ) -> types.TestSent:
        """Sends a sample event to the webhook."""
        path = f"/webhooks/{quote(webhook_id, safe='')}/test"
        return self._transport.data(Request("POST", path, query={"event": event}, idempotency_key=idempotency_key))

    def rotate(self, webhook_id: str, *, idempotency_key: Optional[str] = None) -> types.WebhookInfo:
        """A new secret. Deliveries are signed with both for 24 hours."""
        path = f"/webhooks/{quote(webhook_id, safe='')}/rotate"
        return self._transport.data(Request("POST", path, idempotency_key=idempotency_key))

    def deliveries(self, webhook_id: str, *, limit: Optional[int] = None) -> List[types.DeliveryInfo]:
        path = f"/webhooks/{quote(webhook_id, safe='')}/deliveries"
        return (self._transport.data(Request("GET", path, query={"limit": limit})))["deliveries"]


class Destinations:
    """Destinations: the account's own buckets, which films are copied to."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        name: str,
        url: str,
        credentials: types.DestinationCredentials,
        *,
        endpoint: Optional[str] = None,
        region: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.DestinationInfo:
        """Creates a destination. Renders name it as `output.destination`."""
        body = given(name=name, url=url, credentials=credentials, endpoint=endpoint, region=region)
        return self._transport.data(Request("POST", "/destinations", body, idempotency_key=idempotency_key))

    def list(self) -> List[types.DestinationInfo]:
        """The destinations, without their credentials."""
        return (self._transport.data(Request("GET", "/destinations")))["destinations"]

    def delete(self, destination: str) -> None:
        """Deletes a destination by its name or id. Copies that are not made yet fail."""
        self._transport.data(Request("DELETE", f"/destinations/{quote(destination, safe='')}"))


class Account:
    """The account: credits, plan, limits, usage."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def verify(self) -> types.AccountInfo:
        """Whose key it is."""
        return self._transport.data(Request("POST", "/auth/verify"))

    def get(self) -> types.AccountDetails:
        return self._transport.data(Request("GET", "/account"))

    def usage(self, **query: Any) -> types.UsageReport:
        """What was rendered, by day. Arguments as in the API: `from_`, `to`, `group_by`."""
        return self._transport.data(Request("GET", "/account/usage", query=named("getUsage", query)))

    def transactions(self) -> List[types.TransactionInfo]:
        return (self._transport.data(Request("GET", "/account/transactions")))["transactions"]


class Rondo:
    """A client of a Rondo service."""

    def __init__(
        self,
        *,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        retries: int = 3,
        timeout: float = 60.0,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        """`api_key` and `base_url` default to the environment variables RONDO_API_KEY and RONDO_URL."""
        self._transport = Transport(Settings.of(api_key, base_url, retries, timeout), http_client)
        self.renders = Renders(self._transport)
        self.batches = Batches(self._transport)
        self.uploads = Uploads(self._transport)
        self.previews = Previews(self._transport)
        self.templates = Templates(self._transport)
        self.projects = Projects(self._transport)
        self.ai = Ai(self._transport)
        self.stock = Stock(self._transport)
        self.brand = Brand(self._transport)
        self.webhooks = Webhooks(self._transport)
        self.destinations = Destinations(self._transport)
        self.account = Account(self._transport)

    def render(
        self,
        *,
        composition: Optional[CompositionLike] = None,
        template_id: Optional[str] = None,
        project_id: Optional[str] = None,
        replacements: Optional[dict[str, Any]] = None,
        output: Optional[Path] = None,
        options: Optional[types.Output] = None,
        on_progress: Optional[Progress] = None,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
        **fields: Any,
    ) -> types.RenderJob:
        """Renders a film and waits for it. With `output`, saves it to that path.

        `options` is the `output` of the API: format, quality, range, scale. Other arguments as in the API, such as `metadata`. Raises
        `RenderFailedError` if the render fails.
        """
        if output is not None:
            check_writable(output)
        created = self.renders.create(
            composition=composition,
            template_id=template_id,
            project_id=project_id,
            replacements=replacements,
            output=options,
            idempotency_key=idempotency_key,
            **fields,
        )
        job = self.renders.wait(created["jobId"], on_progress, timeout=timeout)
        if output is not None:
            self.renders.download(job, output)
        return job

    def registry(self, area: types.RegistryArea, *, search: Optional[str] = None) -> types.Registry:
        """Names that compositions can use: `fonts`, `animations`, `stickers` and so on."""
        return self._transport.data(Request("GET", f"/registry/{quote(area, safe='')}", query={"search": search}))

    def import_film(self, *, idempotency_key: Optional[str] = None, **fields: Any) -> types.ImportAnswer:
        """Turns the `document` of another service or editor into a composition. `from_` names its format."""
        body = named("createImport", fields)
        return self._transport.data(Request("POST", "/imports", body, idempotency_key=idempotency_key))

    def close(self) -> None:
        self._transport.client.close()

    def __enter__(self) -> Rondo:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
