"""The client that waits for each answer."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

import httpx

from normd.client.base import BaseClient
from normd.client.calls import Call, Reply

if TYPE_CHECKING:
    from fastapi import FastAPI


class Client(BaseClient[httpx.Client, httpx.BaseTransport]):
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
    key : str, optional
        The key that the service asks for; by default what ``NORMD_KEY`` holds, '' is none.
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

    _connect = httpx.Client

    @staticmethod
    def _in_process(app: FastAPI) -> httpx.BaseTransport:
        from normd.client.local import LocalTransport

        return LocalTransport(app)

    def perform(self, call: Call) -> Reply:
        """Return what answers a call; sends it again where that is safe."""
        request = self._request(call)
        return self._retry_policy.send(call, lambda: self._http.send(request))

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
