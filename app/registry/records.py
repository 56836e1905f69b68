"""What goes into the registry and what comes out, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeAlias, TypeVar

Item = TypeVar("Item")
JsonObject: TypeAlias = Mapping[str, object]


@dataclass(frozen=True)
class NewName:
    """A name to create; `digest` recognises the same request."""

    name: str
    method: str
    given: JsonObject
    statistics_params: JsonObject
    digest: str
    binding: JsonObject = field(default_factory=dict)
    description: str = ""
    tags: Sequence[str] = ()


@dataclass(frozen=True)
class NewVersion:
    """A version to add: its file, the file's SHA-256, and what the registry tells about it."""

    content: bytes
    hash: str
    method: str
    given: JsonObject
    resolved: JsonObject
    statistics_params: JsonObject
    n: int
    origin: str
    library_version: str
    digest: str
    report: JsonObject = field(default_factory=dict)
    parents: Sequence[JsonObject] = ()


@dataclass(frozen=True)
class NameRecord:
    """A name as stored; `generation` tells one creation of it from a later one."""

    name: str
    method: str
    given: JsonObject
    statistics_params: JsonObject
    binding: JsonObject
    description: str
    tags: Sequence[str]
    digest: str
    first_version: int | None
    generation: int
    created: str


@dataclass(frozen=True)
class VersionRecord:
    """A version as stored; its arrays are in the file `hash` names."""

    name: str
    number: int
    hash: str
    size: int
    method: str
    given: JsonObject
    resolved: JsonObject
    statistics_params: JsonObject
    n: int
    report: JsonObject
    parents: Sequence[JsonObject]
    origin: str
    library_version: str
    digest: str
    created: str


@dataclass(frozen=True)
class Manifest:
    """A name and the version a reference means; an open name has none."""

    name: NameRecord
    version: VersionRecord | None


@dataclass(frozen=True)
class Created:
    """What a create call gave, and whether it was new."""

    manifest: Manifest
    created: bool


@dataclass(frozen=True)
class Added:
    """What an add call gave, and whether it was new."""

    version: VersionRecord
    created: bool


@dataclass(frozen=True)
class AliasRecord:
    """Where an alias points."""

    name: str
    alias: str
    version: int
    hash: str
    updated: str


@dataclass(frozen=True)
class NewObservation:
    """Statistics to fold into a name's open ones.

    Parameters
    ----------
    content : bytes
        The statistics.
    n : int
        Rows they saw.
    begin : mapping
        The parameters that affect the statistics, and by names with a dot what the statistics
        must agree in; all observations until a clear share them.
    generation : int
        Of the name, as read when the statistics were computed.
    digest : str
        Recognises the same request.
    """

    content: bytes
    n: int
    begin: JsonObject
    generation: int
    digest: str


@dataclass(frozen=True)
class Appended:
    """Whether an observation was counted now, and how many partials wait to be compacted."""

    created: bool
    waiting: int


@dataclass(frozen=True)
class OpenStatistics:
    """A name's open statistics: partials in the order they came, and what they began with."""

    begun: JsonObject | None
    partials: Sequence[bytes]
    n: int


@dataclass(frozen=True)
class Page(Generic[Item]):
    """Some items, and where to go on."""

    items: Sequence[Item]
    next: str | None
