"""Methods and versions that the data of a request name: each run may have its own normalizer."""

from __future__ import annotations

from collections.abc import Mapping

from app.service.version_loader import VersionLoader
from normalizers.contract.fields import Field, Fields

METHOD, RECORDS, RECORD = "method", "records", "record"


def with_methods(
    sent: Mapping[str, object], fields: Fields, versions: VersionLoader, path: str
) -> Mapping[str, object]:
    """Return the fields of a request with versions in the place of references to them."""
    if not fields.names_methods:
        return sent
    named = {
        name: _found(field, sent[name], versions, f"{path}.{name}")
        for name, field in fields.items()
        if name in sent
    }
    return {**sent, **named}


def _found(field: Field, value: object, versions: VersionLoader, path: str) -> object:
    if field.kind == METHOD:
        return versions.resolve(value, path)
    members = field.members
    if field.kind == RECORD and isinstance(value, Mapping) and members is not None:
        return with_methods(value, members, versions, path)
    if not isinstance(value, list) or members is None:
        return value
    return [
        with_methods(item, members, versions, f"{path}[{index}]")
        if isinstance(item, Mapping)
        else item
        for index, item in enumerate(value)
    ]
