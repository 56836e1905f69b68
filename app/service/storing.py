"""A version as the registry stores it: file, hash, report, parents."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from app.registry.records import JsonObject, NewVersion
from normalizers.contract.resolution import params_affecting
from normalizers.data.release import release
from normalizers.versions.file import content_hash, to_bytes
from normalizers.versions.manifest import params_json
from normalizers.versions.version import Version
from normd.wire.codecs.json import encode


def new_version(
    version: Version, *, origin: str, digest: str, parents: Sequence[JsonObject] = ()
) -> NewVersion:
    """Return a version as a row and a file."""
    content = to_bytes(version)
    resolved = version.resolved_method
    return NewVersion(
        content=content,
        hash=content_hash(content),
        method=version.method.name,
        given=params_json(version.method, version.explicit_params),
        resolved=params_json(resolved, version.resolved),
        statistics_params=params_json(resolved, params_affecting(resolved, "statistics")),
        n=version.n,
        origin=origin,
        library_version=release(),
        digest=digest,
        report=_report(version),
        parents=parents,
    )


def _report(version: Version) -> JsonObject:
    """Return the fit report as plain JSON; what is undefined is null."""
    written: JsonObject = orjson.loads(encode(version.report))
    return written
