"""The client. Made from `_async.py` by packages/python/generate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional, Union
from urllib.parse import quote

import httpx

from . import types
from ._sync_projects import Projects, Templates
from ._sync_renders import Batches, Previews, Renders, CompositionLike
from ._sync_transport import Pages, Transport
from ._sync_uploads import Uploads
from ._files import Path, check_writable
from ._request import Request, Settings, given, named
from ._wait import Progress
from .errors import RondoError

if TYPE_CHECKING:
    from typing_extensions import Unpack


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
        **fields: Unpack[types.CreateVoiceoverArguments],
    ) -> types.VoiceoverAnswer:
        """Speaks a text."""
        body = {**given(text=text, voice=voice, speed=speed), **named("createVoiceover", fields)}
        return self._transport.data(Request("POST", "/ai/voiceover", body, idempotency_key=idempotency_key))

    def captions(
        self, *, idempotency_key: Optional[str] = None, **fields: Unpack[types.CreateCaptionsArguments]
    ) -> types.CaptionsAnswer:
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

    def search(
        self, q: str, *, provider: types.StockProviderName, **query: Unpack[types.SearchStockArguments]
    ) -> types.StockList:
        """Photos, or videos with `kind="video"`. `page` counts from 1."""
        whole = {"provider": provider, "q": q, **named("searchStock", query)}
        return self._transport.data(Request("GET", "/stock", query=whole))

    def add(
        self,
        id: str,
        *,
        provider: types.StockProviderName,
        idempotency_key: Optional[str] = None,
        **fields: Unpack[types.AddStockItemArguments],
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

    def set(self, **fields: Unpack[types.SetBrandArguments]) -> types.BrandKit:
        """Replaces the brand kit. What is left out is empty."""
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

    def usage(self, **query: Unpack[types.GetUsageArguments]) -> types.UsageReport:
        """What was rendered, by day."""
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
        **fields: Unpack[types.CreateRenderArguments],
    ) -> types.RenderJob:
        """Renders a film and waits for it. With `output`, saves it to that path.

        `options` is the `output` of the API: format, quality, range, scale. Other arguments as in the API, such as `metadata`. Raises
        `RenderFailedError` if the render fails. Errors after the render was created have its `job_id`.
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
        try:
            job = self.renders.wait(created["jobId"], on_progress, timeout=timeout)
            if output is not None:
                self.renders.download(job, output)
        except (RondoError, OSError, httpx.HTTPError) as error:
            # With it, the program can get the film without another render.
            setattr(error, "job_id", created["jobId"])
            raise
        return job

    def registry(self, area: types.RegistryArea, *, search: Optional[str] = None) -> types.Registry:
        """Names that compositions can use: `fonts`, `animations`, `stickers` and so on."""
        return self._transport.data(Request("GET", f"/registry/{quote(area, safe='')}", query={"search": search}))

    def import_film(
        self,
        *,
        document: Union[dict[str, Any], List[Any]],
        idempotency_key: Optional[str] = None,
        **fields: Unpack[types.CreateImportArguments],
    ) -> types.ImportAnswer:
        """Turns the `document` of another service or editor into a composition. `from_` names its format."""
        body = {"document": document, **named("createImport", fields)}
        return self._transport.data(Request("POST", "/imports", body, idempotency_key=idempotency_key))

    def close(self) -> None:
        self._transport.client.close()

    def __enter__(self) -> Rondo:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
