"""Shapes of what the service tells of names, versions and aliases."""

from __future__ import annotations

from typing import TypedDict

# `from` is a word of Python.
VersionRecord = TypedDict(
    "VersionRecord",
    {
        "name": str,
        "version": int,
        "hash": str,
        "method": str,
        "params": dict[str, object],
        "resolved": dict[str, object],
        "n": int,
        "from": str,
        "parents": list[dict[str, object]],
        "library_version": str,
        "created": str,
        "report": dict[str, object],
    },
    total=False,
)


class Manifest(TypedDict, total=False):
    """A name, and the version that a reference means: None for an open name."""

    name: str
    version: int | None
    hash: str | None
    method: str
    params: dict[str, object]
    resolved: dict[str, object] | None
    n: int
    parents: list[dict[str, object]]
    library_version: str
    created: str
    report: dict[str, object]
    description: str
    tags: list[str]
    dry_run: bool


class AliasRecord(TypedDict):
    """A pointer to a version."""

    alias: str
    version: int
    hash: str
    updated: str


class Counted(TypedDict):
    """Whether an observation was counted now, or before under its key."""

    name: str
    counted: bool
