"""Let in who may: the key of a request, its scope, and how often it asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from starlette.types import ASGIApp, Receive, Scope, Send

from app.access.key_file import KeyFile, KeyFileError
from app.access.keys import Key
from app.access.scopes import METRICS, START, TRANSFORM, needed_scope

if TYPE_CHECKING:
    from app.access.rates import Rates

BEARER = "bearer"
API_KEY = b"x-api-key"
AUTHORIZATION = b"authorization"
# Most headers are told from these two by their length.
KEY_HEADER_LENGTHS = frozenset({len(API_KEY), len(AUTHORIZATION)})
# Longer than any key that was ever made.
LONGEST_KEY = 256
RETRY_AFTER = "5"


@dataclass(frozen=True)
class Denial:
    """Why a request is not let in.

    Parameters
    ----------
    status : int
        401 without a usable key, 403 where it may not do this, 429 where it asks too often, 503
        where the keys cannot be read.
    detail : str
        What is wrong and what would be right.
    headers : mapping
        Headers of the answer.
    """

    status: int
    detail: str
    headers: Mapping[str, str]


class Refusal(Protocol):
    """What answers in place of the service."""

    async def __call__(self, denial: Denial, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""


class Guard:
    """ASGI middleware that asks for a key before anything of a request is read.

    The name of the key stands in ``scope["state"]["key"]``. The start page is open, and asks
    ``scope["state"]["may_read"]`` whether to show what is stored.

    Parameters
    ----------
    app : ASGI application
        What is called for those who may.
    keys : KeyFile
        The keys; where there is no file, none is needed.
    rates : Rates, optional
        How often each may ask.
    refusal : Refusal
        What answers the others.
    """

    def __init__(
        self, app: ASGIApp, keys: KeyFile, refusal: Refusal, rates: Rates | None = None
    ) -> None:
        self.app = app
        self.keys = keys
        self.rates = rates
        self.refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        denial = self._denial(scope) if scope["type"] == "http" else None
        if denial is None:
            await self.app(scope, receive, send)
        else:
            await self.refusal(denial, scope, receive, send)

    def _denial(self, scope: Scope) -> Denial | None:
        needed = needed_scope(scope["method"], scope["path"])
        if needed is None:
            if scope["path"] == START:
                scope.setdefault("state", {})["may_read"] = lambda: self._may_read(scope)
            return None
        try:
            keys = self.keys.read()
        except KeyFileError as error:
            return Denial(503, f"the keys cannot be read: {error}", {"Retry-After": RETRY_AFTER})
        if keys is None:
            return None
        key = self.keys.find(keys, _sent(scope))
        if key is None:
            return _unknown()
        scope.setdefault("state", {})["key"] = key.name
        if needed not in key.scopes:
            return _out_of_scope(key, needed)
        return self._too_often(key) if needed != METRICS else None

    def _may_read(self, scope: Scope) -> bool:
        try:
            keys = self.keys.read()
        except KeyFileError:
            return False
        if keys is None:
            return True
        key = self.keys.find(keys, _sent(scope))
        return key is not None and TRANSFORM in key.scopes and self._too_often(key) is None

    def _too_often(self, key: Key) -> Denial | None:
        if self.rates is None:
            return None
        wait = self.rates.wait(key.name)
        if not wait:
            return None
        detail = f"this key may ask {self.rates.rate}; ask again in {wait} s"
        return Denial(429, detail, {"Retry-After": str(wait)})


def _sent(scope: Scope) -> str:
    """Return the key of a request, empty where there is none or more than one."""
    found = None
    for name, value in scope["headers"]:
        if len(name) not in KEY_HEADER_LENGTHS:
            continue
        key = _key_of(name.lower(), value)
        if key is not None:
            if found is not None:
                return ""
            found = key
    return found if found is not None and len(found) <= LONGEST_KEY else ""


def _key_of(name: bytes, value: bytes) -> str | None:
    if name == API_KEY:
        return str(value.decode("latin-1").strip())
    if name != AUTHORIZATION:
        return None
    scheme, _, rest = value.decode("latin-1").partition(" ")
    return rest.strip() if scheme.lower() == BEARER else None


def _unknown() -> Denial:
    detail = (
        "a key is needed, and none that is known was sent: send one as 'Authorization: Bearer "
        "KEY' or 'X-API-Key: KEY'; the operator makes one with `normd keys add`"
    )
    return Denial(401, detail, {"WWW-Authenticate": 'Bearer realm="normd"'})


def _out_of_scope(key: Key, needed: str) -> Denial:
    allowed = ", ".join(sorted(key.scopes))
    return Denial(403, f"this needs a key with the scope '{needed}'; this one has {allowed}", {})
