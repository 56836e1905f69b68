"""Version files from elsewhere: checked as untrusted input, then stored."""

from __future__ import annotations

from dataclasses import replace

from app.registry.errors import Conflict, NotFound
from app.registry.records import Manifest, NewName, NewVersion
from app.registry.references import Reference, parse_name
from app.service.context import Context
from app.service.normalizers import Outcome
from app.service.requests.cancellation import raise_if_cancelled
from app.service.storing import new_version
from normalizers.contract.tolerance import EXACT, differing
from normalizers.errors import CorruptVersion
from normalizers.pipeline.steps import references
from normalizers.versions.file import from_bytes
from normalizers.versions.verification import require_agreement
from normalizers.versions.version import Version

ORIGIN = "import"


def import_version(context: Context, name: str, content: bytes) -> Outcome:
    """Store a version file under a name; an existing name gets a new version."""
    parse_name(name)
    version = from_bytes(content, context.catalogue)
    raise_if_cancelled()
    require_agreement(version)
    _require_genuine(context, version)
    raise_if_cancelled()
    row = new_version(version, origin=ORIGIN, digest="")
    try:
        state = context.registry.versions.get(Reference(name))
    except NotFound:
        state = None
    if state is not None:
        return _added(context, state, version, row)
    new = NewName(
        name=name,
        method=version.method.name,
        given=row.given,
        statistics_params=row.statistics_params,
        digest=f"import {row.hash}",
    )
    created = context.registry.names.create(new, row)
    context.versions.keep(row.hash, version, len(row.content))
    return Outcome(created.manifest, created.created)


def _require_genuine(context: Context, version: Version) -> None:
    """Refuse a copy of a version that is stored here, by its hash, and is another one."""
    for step in references(version.method):
        record = context.registry.versions.with_hash(step.hash or "")
        if record is None or step.version is None:
            continue
        genuine = context.versions.load(record)
        found, stored = step.version.fitted, genuine.fitted
        same = step.as_json() == replace(step, method=genuine.method).as_json()
        if not same or differing(found.arrays, stored.arrays, EXACT) or found.sizes != stored.sizes:
            raise CorruptVersion(
                f"the file's copy of the version with hash {record.hash} is not that version"
            )


def _added(context: Context, state: Manifest, version: Version, row: NewVersion) -> Outcome:
    newest = state.version
    if newest is not None and newest.hash == row.hash:
        return Outcome(state, created=False)
    known = newest.given if newest is not None else state.name.given
    if state.name.method != version.method.name or dict(known) != dict(row.given):
        raise Conflict(
            f"'{state.name.name}' is of another method or other parameters",
            hint="import the file under another name",
        )
    added = context.registry.versions.add(state.name.name, row, generation=state.name.generation)
    context.versions.keep(row.hash, version, len(row.content))
    return Outcome(Manifest(state.name, added.version), created=True)
