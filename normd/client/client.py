"""The client that waits for each answer."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Self

import httpx

from normd.client import verbs
from normd.client.calls import Call, Reply
from normd.client.compression import Compression, answered_in
from normd.client.flows import blocking, iterating
from normd.client.forms import FormName
from normd.client.sending import RetryPolicy
from normd.client.sessions import Session

if TYPE_CHECKING:
    from normalizers.catalogue.catalogue import Catalogue
    from normd.service import Settings

URL = "http://127.0.0.1:8000"
RETRIES = 4
TIMEOUT_SECONDS = 60.0
LONGEST_WAIT_SECONDS = 30.0


class Client:
    """A normd service, with the verbs of the library and of the REST interface.

    Parameters
    ----------
    url : str
        Where the service is.
    form : str, optional
        The form of all bodies, ``json``, ``safetensors``, ``npy`` or ``arrow``; by default the one
        that fits each.
    compress : str, optional
        ``zstd`` or ``gzip``: how bodies and answers are compressed; by default not at all.
    timeout : float or None
        Seconds to wait for an answer.
    retries : int
        Most attempts after the first: when no connection could be made, and, where sending it
        twice does what sending it once does, when the service is busy (429, 502, 503, 504) or the
        connection broke.
    longest_wait : float
        Most seconds to wait when the service names a time in ``Retry-After``.
    headers : mapping, optional
        Headers of every request.
    transport : httpx transport, optional
        What sends the requests in place of a connection.

    Notes
    -----
    Writes carry an ``Idempotency-Key`` of their own, the same at every attempt. Refusals are
    raised as the library's own errors, see `normd.client.errors`. Threads may share a client.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from normd.client import Client
    >>> from app.settings import Settings
    >>> rows = np.random.default_rng(0).normal(size=(100, 3))
    >>> with Client.local(Settings(data=tempfile.mkdtemp())) as client:
    ...     manifest = client.fit("vectors", "whitening", rows, params={"n_components": 2})
    ...     client.transform("vectors", rows).shape
    (100, 2)
    """

    transform = blocking(verbs.work.transform)
    apply_to = blocking(verbs.work.apply_to)
    inverse = blocking(verbs.work.inverse)
    fuse = blocking(verbs.fusion.fuse)
    fuse_queries = blocking(verbs.fusion.fuse_queries)
    evaluate = blocking(verbs.evaluation.evaluate)
    drift = blocking(verbs.evaluation.drift)
    create = blocking(verbs.names.create)
    fit = blocking(verbs.names.fit)
    show = blocking(verbs.names.show)
    delete = blocking(verbs.names.delete)
    names = iterating(verbs.names.names)
    add_version = blocking(verbs.versions.add_version)
    merge = blocking(verbs.versions.merge)
    versions = iterating(verbs.versions.versions)
    observe = blocking(verbs.observations.observe)
    observed = blocking(verbs.observations.observed)
    discard = blocking(verbs.observations.discard)
    statistics = blocking(verbs.contents.statistics)
    fitted = blocking(verbs.contents.fitted)
    report = blocking(verbs.contents.report)
    export = blocking(verbs.contents.export)
    save = blocking(verbs.contents.save)
    import_ = blocking(verbs.contents.import_)
    alias = blocking(verbs.aliases.alias)
    aliases = blocking(verbs.aliases.aliases)
    delete_alias = blocking(verbs.aliases.delete_alias)
    methods = blocking(verbs.operations.methods)
    method = blocking(verbs.operations.method)
    limits = blocking(verbs.operations.limits)
    ready = blocking(verbs.operations.ready)

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
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.session = Session(form, compress)
        self._patience = RetryPolicy(retries, longest_wait)
        self._http = httpx.Client(
            base_url=url,
            timeout=timeout,
            headers={**answered_in(compress), **(headers or {})},
            transport=transport,
        )

    @classmethod
    def local(cls, settings: Settings | None = None, catalogue: Catalogue | None = None) -> Self:
        """Return a client of a service in this process, without a socket.

        Parameters
        ----------
        settings : Settings, optional
            By default read from ``NORMD_`` variables. Limits that nobody set are raised: here they
            protect nobody.
        catalogue : Catalogue, optional
            By default the built-in methods and those of installed packages.
        """
        from normd.client.local import LocalTransport, local_methods
        from normd.service import local_app

        client = cls(
            "http://local",
            timeout=None,
            retries=0,
            transport=LocalTransport(local_app(settings, catalogue)),
        )
        client.session.methods = local_methods(catalogue)
        return client

    def perform(self, call: Call) -> Reply:
        """Return what answers a call; sends it again where that is safe."""
        request = self._http.build_request(
            call.verb,
            call.path,
            params=call.query or None,
            headers=call.headers,
            content=call.content,
        )
        return self._patience.send(call, lambda: self._http.send(request))

    def close(self) -> None:
        """Close the connections; a service in this process ends."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
