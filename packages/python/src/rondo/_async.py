"""The client for asyncio. `_sync.py` is made from this file by packages/python/generate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional, Union
from urllib.parse import quote

import httpx

from . import types
from ._async_projects import AsyncProjects, AsyncTemplates
from ._async_renders import AsyncBatches, AsyncPreviews, AsyncRenders, CompositionLike
from ._async_transport import AsyncPages, AsyncTransport
from ._async_uploads import AsyncUploads
from ._files import Path, check_writable
from ._request import Request, Settings, given, named
from ._wait import Progress
from .errors import RondoError

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncAi:
    """Speech and captions. They cost credits."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def voiceover(
        self,
        text: str,
        *,
        voice: Optional[str] = None,
        speed: Optional[float] = None,
        idempotency_key: Optional[str] = None,
        **fields: Unpack[types.CreateVoiceoverArguments],
    ) -> types.VoiceoverAnswer:
        """Speaks a text."""
        body = {**given(text=text, voice=voice, speed=speed), **named("createVoiceover", fields)}
        return await self._transport.data(Request("POST", "/ai/voiceover", body, idempotency_key=idempotency_key))

    async def captions(
        self, *, idempotency_key: Optional[str] = None, **fields: Unpack[types.CreateCaptionsArguments]
    ) -> types.CaptionsAnswer:
        """Recognizes the words of a recording: `url`, `upload_id` or `voiceover_id`, and `language`."""
        body = named("createCaptions", fields)
        return await self._transport.data(Request("POST", "/ai/captions", body, idempotency_key=idempotency_key))

    async def voices(self) -> List[types.VoiceInfo]:
        return (await self._transport.data(Request("GET", "/ai/voices")))["voices"]


class AsyncStock:
    """Photos and videos of stock providers."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def providers(self) -> List[types.StockProvider]:
        """The providers that the service has keys for."""
        return (await self._transport.data(Request("GET", "/stock/providers")))["providers"]

    async def search(
        self, q: str, *, provider: types.StockProviderName, **query: Unpack[types.SearchStockArguments]
    ) -> types.StockList:
        """Photos, or videos with `kind="video"`. `page` counts from 1."""
        whole = {"provider": provider, "q": q, **named("searchStock", query)}
        return await self._transport.data(Request("GET", "/stock", query=whole))

    async def add(
        self,
        id: str,
        *,
        provider: types.StockProviderName,
        idempotency_key: Optional[str] = None,
        **fields: Unpack[types.AddStockItemArguments],
    ) -> types.StockFile:
        """Makes an item usable: the `fileUrl` of the answer is a `src` for compositions. `kind="video"` for a video."""
        body = {"provider": provider, "id": id, **named("addStockItem", fields)}
        return await self._transport.data(Request("POST", "/stock", body, idempotency_key=idempotency_key))


class AsyncBrand:
    """The brand kit of the account."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self) -> types.BrandKit:
        return await self._transport.data(Request("GET", "/brand"))

    async def set(self, **fields: Unpack[types.SetBrandArguments]) -> types.BrandKit:
        """Replaces the brand kit. What is left out is empty."""
        return await self._transport.data(Request("PUT", "/brand", named("setBrand", fields)))


class AsyncWebhooks:
    """Webhooks. `rondo.verify_webhook` checks their deliveries."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self, url: str, *, events: Optional[List[types.EventChoice]] = None, idempotency_key: Optional[str] = None
    ) -> types.WebhookInfo:
        """Registers a webhook. The `secret` of the answer is shown only once."""
        body = given(url=url, events=events)
        return await self._transport.data(Request("POST", "/webhooks", body, idempotency_key=idempotency_key))

    async def list(self) -> List[types.WebhookInfo]:
        return (await self._transport.data(Request("GET", "/webhooks")))["webhooks"]

    async def update(
        self,
        webhook_id: str,
        *,
        url: Optional[str] = None,
        events: Optional[List[types.EventChoice]] = None,
        is_active: Optional[bool] = None,
    ) -> types.WebhookInfo:
        """Changes what is given."""
        body = given(url=url, events=events, isActive=is_active)
        return await self._transport.data(Request("PATCH", f"/webhooks/{quote(webhook_id, safe='')}", body))

    async def redeliver(
        self, webhook_id: str, delivery_id: str, *, idempotency_key: Optional[str] = None
    ) -> types.TestSent:
        """Sends the event of a delivery again, as a new delivery."""
        path = f"/webhooks/{quote(webhook_id, safe='')}/deliveries/{quote(delivery_id, safe='')}/redeliver"
        return await self._transport.data(Request("POST", path, idempotency_key=idempotency_key))

    async def delete(self, webhook_id: str) -> None:
        await self._transport.data(Request("DELETE", "/webhooks", query={"id": webhook_id}))

    async def test(
        self, webhook_id: str, event: Optional[types.EventChoice] = None, *, idempotency_key: Optional[str] = None
    ) -> types.TestSent:
        """Sends a sample event to the webhook."""
        path = f"/webhooks/{quote(webhook_id, safe='')}/test"
        return await self._transport.data(Request("POST", path, query={"event": event}, idempotency_key=idempotency_key))

    async def rotate(self, webhook_id: str, *, idempotency_key: Optional[str] = None) -> types.WebhookInfo:
        """A new secret. Deliveries are signed with both for 24 hours."""
        path = f"/webhooks/{quote(webhook_id, safe='')}/rotate"
        return await self._transport.data(Request("POST", path, idempotency_key=idempotency_key))

    async def deliveries(self, webhook_id: str, *, limit: Optional[int] = None) -> List[types.DeliveryInfo]:
        path = f"/webhooks/{quote(webhook_id, safe='')}/deliveries"
        return (await self._transport.data(Request("GET", path, query={"limit": limit})))["deliveries"]


class AsyncDestinations:
    """Destinations: the account's own buckets, which films are copied to."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
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
        return await self._transport.data(Request("POST", "/destinations", body, idempotency_key=idempotency_key))

    async def list(self) -> List[types.DestinationInfo]:
        """The destinations, without their credentials."""
        return (await self._transport.data(Request("GET", "/destinations")))["destinations"]

    async def delete(self, destination: str) -> None:
        """Deletes a destination by its name or id. Copies that are not made yet fail."""
        await self._transport.data(Request("DELETE", f"/destinations/{quote(destination, safe='')}"))


class AsyncAccount:
    """The account: credits, plan, limits, usage."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def verify(self) -> types.AccountInfo:
        """Whose key it is."""
        return await self._transport.data(Request("POST", "/auth/verify"))

    async def get(self) -> types.AccountDetails:
        return await self._transport.data(Request("GET", "/account"))

    async def usage(self, **query: Unpack[types.GetUsageArguments]) -> types.UsageReport:
        """What was rendered, by day."""
        return await self._transport.data(Request("GET", "/account/usage", query=named("getUsage", query)))

    async def transactions(self) -> List[types.TransactionInfo]:
        return (await self._transport.data(Request("GET", "/account/transactions")))["transactions"]


class AsyncRondo:
    """A client of a Rondo service."""

    def __init__(
        self,
        *,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        retries: int = 3,
        timeout: float = 60.0,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        """`api_key` and `base_url` default to the environment variables RONDO_API_KEY and RONDO_URL."""
        self._transport = AsyncTransport(Settings.of(api_key, base_url, retries, timeout), http_client)
        self.renders = AsyncRenders(self._transport)
        self.batches = AsyncBatches(self._transport)
        self.uploads = AsyncUploads(self._transport)
        self.previews = AsyncPreviews(self._transport)
        self.templates = AsyncTemplates(self._transport)
        self.projects = AsyncProjects(self._transport)
        self.ai = AsyncAi(self._transport)
        self.stock = AsyncStock(self._transport)
        self.brand = AsyncBrand(self._transport)
        self.webhooks = AsyncWebhooks(self._transport)
        self.destinations = AsyncDestinations(self._transport)
        self.account = AsyncAccount(self._transport)

    async def render(
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
        **fields: Unpack[types.CreateRenderArguments],
    ) -> types.RenderJob:
        """Renders a film and waits for it. With `output`, saves it to that path.

        `options` is the `output` of the API: format, quality, range, scale. Other arguments as in the API, such as `metadata`. Raises
        `RenderFailedError` if the render fails. Errors after the render was created have its `job_id`.
        """
        if output is not None:
            check_writable(output)
        created = await self.renders.create(
            composition=composition,
            template_id=template_id,
            project_id=project_id,
            replacements=replacements,
            output=options,
            idempotency_key=idempotency_key,
            **fields,
        )
        try:
            job = await self.renders.wait(created["jobId"], on_progress, timeout=timeout)
            if output is not None:
                await self.renders.download(job, output)
        except (RondoError, OSError, httpx.HTTPError) as error:
            # With it, the program can get the film without another render.
            setattr(error, "job_id", created["jobId"])
            raise
        return job

    async def registry(self, area: types.RegistryArea, *, search: Optional[str] = None) -> types.Registry:
        """Names that compositions can use: `fonts`, `animations`, `stickers` and so on."""
        return await self._transport.data(Request("GET", f"/registry/{quote(area, safe='')}", query={"search": search}))

    async def import_film(
        self,
        *,
        document: Union[dict[str, Any], List[Any]],
        idempotency_key: Optional[str] = None,
        **fields: Unpack[types.CreateImportArguments],
    ) -> types.ImportAnswer:
        """Turns the `document` of another service or editor into a composition. `from_` names its format."""
        body = {"document": document, **named("createImport", fields)}
        return await self._transport.data(Request("POST", "/imports", body, idempotency_key=idempotency_key))

    async def aclose(self) -> None:
        await self._transport.client.aclose()

    async def __aenter__(self) -> AsyncRondo:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
