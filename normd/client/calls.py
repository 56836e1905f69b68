"""One request as a value, and what answers it: nothing is sent here."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar
from urllib.parse import quote
from uuid import uuid4

T = TypeVar("T")

IDEMPOTENCY_KEY = "Idempotency-Key"


@dataclass(frozen=True)
class Call:
    """One request.

    Parameters
    ----------
    verb : str
        The HTTP method.
    route : str
        The path as the service documents it: ``/v1/normalizers/{ref}``.
    places : mapping
        What stands for the names in braces.
    query : mapping
        Query parameters.
    headers : mapping
        Header fields; its ``Idempotency-Key`` is the same at every retry.
    content : bytes
        The body.
    repeatable : bool
        Whether sending it twice does the same as sending it once.
    binary : bool
        Whether the answer to a call without a body holds arrays.
    """

    verb: str
    route: str
    places: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    repeatable: bool = True
    binary: bool = False

    @property
    def path(self) -> str:
        """The path with every place filled in.

        Examples
        --------
        >>> from normd.client.calls import Call
        >>> Call("GET", "/v1/normalizers/{ref}", {"ref": "bm25@prod"}).path
        '/v1/normalizers/bm25@prod'
        """
        return self.route.format(
            **{name: quote(text, safe="@") for name, text in self.places.items()}
        )


@dataclass(frozen=True)
class Reply:
    """What answered a call."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    url: str = ""

    @property
    def media_type(self) -> str:
        """The media type, in lower case and without parameters."""
        return self.headers.get("content-type", "").split(";")[0].strip().lower()


# A verb, written once for both clients: it yields what is to be sent and is sent what answered.
Flow: TypeAlias = Generator[Call, Reply, T]


def fresh_key() -> dict[str, str]:
    """Return the header of a write that may be repeated: a key made once a call."""
    return {IDEMPOTENCY_KEY: uuid4().hex}
