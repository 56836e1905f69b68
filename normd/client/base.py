"""What the two clients share: verbs, session, connection."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Self, TypeVar

import httpx

from normd.client.calls import Call
from normd.client.compression import Compression, answered_in
from normd.client.forms import FormName
from normd.client.retries import RetryPolicy
from normd.client.sessions import Session
from normd.client.verb_table import VerbTable

if TYPE_CHECKING:
    from fastapi import FastAPI

    from normalizers.catalogue.catalogue import Catalogue
    from normd.service import Settings

KEY_VARIABLE = "NORMD_KEY"
URL = "http://127.0.0.1:8000"
RETRIES = 4
TIMEOUT_SECONDS = 60.0
LONGEST_WAIT_SECONDS = 30.0

Http = TypeVar("Http", httpx.Client, httpx.AsyncClient)
Transport = TypeVar("Transport", httpx.BaseTransport, httpx.AsyncBaseTransport)


class BaseClient(VerbTable, ABC, Generic[Http, Transport]):
    """A normd service; the parameters are those of `Client`, which says how it waits."""

    _connect: Callable[..., Http]

    def __init__(
        self,
        url: str = URL,
        *,
        form: FormName | None = None,
        compress: Compression | None = None,
        timeout: float | None = TIMEOUT_SECONDS,
        retries: int = RETRIES,
        longest_wait: float = LONGEST_WAIT_SECONDS,
        key: str | None = None,
        headers: Mapping[str, str] | None = None,
        transport: Transport | None = None,
    ) -> None:
        self.session = Session(form, compress)
        self._retry_policy = RetryPolicy(retries, longest_wait)
        self._http: Http = self._connect(
            base_url=url,
            timeout=timeout,
            headers={**answered_in(compress), **_with_key(key), **(headers or {})},
            transport=transport,
        )

    @classmethod
    def local(
        cls, settings: Settings | str | Path | None = None, catalogue: Catalogue | None = None
    ) -> Self:
        """Return a client of a service in this process, without a socket.

        Parameters
        ----------
        settings : Settings or path, optional
            A path is that of the data folder. By default read from ``NORMD_`` variables. Limits
            that nobody set are raised: here they protect nobody.
        catalogue : Catalogue, optional
            By default the built-in methods and those of installed packages.
        """
        from normd.client.local import local_methods
        from normd.service import local_app, settings_of

        chosen = settings_of(Path(settings)) if isinstance(settings, str | Path) else settings
        transport = cls._in_process(local_app(chosen, catalogue))
        client = cls("http://local", timeout=None, retries=0, transport=transport)
        client.session.methods = local_methods(catalogue)
        return client

    @staticmethod
    @abstractmethod
    def _in_process(app: FastAPI) -> Transport:
        """Return what passes requests to an application in this process."""

    def _request(self, call: Call) -> httpx.Request:
        http: httpx.Client | httpx.AsyncClient = self._http
        return http.build_request(
            call.verb,
            call.path,
            params=call.query or None,
            headers=call.headers,
            content=call.content,
        )


def _with_key(key: str | None) -> dict[str, str]:
    """Return the header that says who asks; the environment's key where none is given."""
    known = os.environ.get(KEY_VARIABLE, "") if key is None else key
    return {"authorization": f"Bearer {known}"} if known else {}
