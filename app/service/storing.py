"""A version as the registry stores it: file, hash, report, parents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed

import orjson

from app.codecs.json import encode
from app.registry.records import JsonObject, NewVersion, VersionRecord
from normalizers.version import Version
from normalizers.version_file import content_hash, to_bytes

DISTRIBUTION = "normd"
Leaf = tuple[str, int | None, str]


def library_version() -> str:
    """Return the version of the installed distribution."""
    try:
        return installed(DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"


def new_version(
    version: Version, *, origin: str, digest: str, parents: Sequence[JsonObject] = ()
) -> NewVersion:
    """Return a version as a row and a file."""
    content = to_bytes(version)
    worker = version.worker
    return NewVersion(
        content=content,
        hash=content_hash(content),
        method=version.method.name,
        given=version.method.as_json(version.given),
        resolved=worker.as_json(version.resolved),
        statistics_params=worker.affecting("statistics"),
        n=version.n,
        origin=origin,
        library_version=library_version(),
        digest=digest,
        report=_report(version),
        parents=parents,
    )


def _report(version: Version) -> JsonObject:
    """Return the fit report as plain JSON; what is undefined is null."""
    written: JsonObject = orjson.loads(encode(version.report))
    return written


def leaves(record: VersionRecord) -> list[JsonObject]:
    """Return the versions fitted from data or statistics that a version adds up."""
    if record.parents:
        return list(record.parents)
    return [{"name": record.name, "version": record.number, "hash": record.hash}]


def without(total: Sequence[JsonObject], removed: Sequence[JsonObject]) -> list[JsonObject] | None:
    """Return the leaves that remain, or None when a removed one is not among them."""
    left = Counter(_key(leaf) for leaf in removed)
    remaining = []
    for leaf in total:
        if left[_key(leaf)]:
            left[_key(leaf)] -= 1
        else:
            remaining.append(leaf)
    return remaining if not +left else None


def _key(leaf: JsonObject) -> str:
    return f"{leaf.get('name')}@{leaf.get('version')}#{leaf.get('hash')}-{leaf.get('removed')}"
