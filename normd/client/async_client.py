"""The client that awaits each answer."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Self

import httpx

from normd.client import verbs
from normd.client.calls import Call, Reply
from normd.client.client import LONGEST_WAIT_SECONDS, RETRIES, TIMEOUT_SECONDS, URL
from normd.client.compression import Compression, answered_in
from normd.client.flows import awaiting, iterating_async
from normd.client.forms import FormName
from normd.client.sending import RetryPolicy
from normd.client.sessions import Session

if TYPE_CHECKING:
    from normalizers.catalogue.catalogue import Catalogue
    from normd.service import Settings


class AsyncClient:
    """A normd service as `Client` has it: the same arguments and verbs, awaited.

    `names` and `versions` are asynchronous iterators.

    Examples
    --------
    >>> import tempfile
    >>> import anyio
    >>> from normd.client import AsyncClient
    >>> from app.settings import Settings
    >>> async def scaled() -> list[float]:
    ...     async with AsyncClient.local(Settings(data=tempfile.mkdtemp())) as client:
    ...         return (await client.transform("min_max", [12.0, 7.0, 2.0])).tolist()
    >>> anyio.run(scaled)
    [1.0, 0.5, 0.0]
    """

    transform = awaiting(verbs.work.transform)
    apply_to = awaiting(verbs.work.apply_to)
    inverse = awaiting(verbs.work.inverse)
    fuse = awaiting(verbs.fusion.fuse)
    fuse_queries = awaiting(verbs.fusion.fuse_queries)
    evaluate = awaiting(verbs.evaluation.evaluate)
    drift = awaiting(verbs.evaluation.drift)
    create = awaiting(verbs.names.create)
    fit = awaiting(verbs.names.fit)
    show = awaiting(verbs.names.show)
    delete = awaiting(verbs.names.delete)
    names = iterating_async(verbs.names.names)
    add_version = awaiting(verbs.versions.add_version)
    merge = awaiting(verbs.versions.merge)
    versions = iterating_async(verbs.versions.versions)
    observe = awaiting(verbs.observations.observe)
    observed = awaiting(verbs.observations.observed)
    discard = awaiting(verbs.observations.discard)
    statistics = awaiting(verbs.contents.statistics)
    fitted = awaiting(verbs.contents.fitted)
    report = awaiting(verbs.contents.report)
    export = awaiting(verbs.contents.export)
    save = awaiting(verbs.contents.save)
    import_ = awaiting(verbs.contents.import_)
    alias = awaiting(verbs.aliases.alias)
    aliases = awaiting(verbs.aliases.aliases)
    delete_alias = awaiting(verbs.aliases.delete_alias)
    methods = awaiting(verbs.operations.methods)
    method = awaiting(verbs.operations.method)
    limits = awaiting(verbs.operations.limits)
    ready = awaiting(verbs.operations.ready)

    def __init__(
        self,
        url: str = URL,
        *,
        form: FormName | None = None,
        compress: Compression | None = None,
        timeout: float | None = TIMEOUT_SECONDS,
        retries: int = RETRIES,
        longest_wait: float = LONGEST_WAIT_SECONDS,
        headers: Mapping[str, str] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.session = Session(form, compress)
        self._patience = RetryPolicy(retries, longest_wait)
        self._http = httpx.AsyncClient(
            base_url=url,
            timeout=timeout,
            headers={**answered_in(compress), **(headers or {})},
            transport=transport,
        )

    @classmethod
    def local(cls, settings: Settings | None = None, catalogue: Catalogue | None = None) -> Self:
        """Return a client of a service in this event loop, without a socket; see `Client.local`."""
        from normd.client.local import AsyncLocalTransport, local_methods
        from normd.service import local_app

        client = cls(
            "http://local",
            timeout=None,
            retries=0,
            transport=AsyncLocalTransport(local_app(settings, catalogue)),
        )
        client.session.methods = local_methods(catalogue)
        return client

    async def perform(self, call: Call) -> Reply:
        """Return what answers a call; sends it again where that is safe."""
        request = self._http.build_request(
            call.verb,
            call.path,
            params=call.query or None,
            headers=call.headers,
            content=call.content,
        )
        return await self._patience.send_async(call, lambda: self._http.send(request))

    async def close(self) -> None:
        """Close the connections; a service in this process ends."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
