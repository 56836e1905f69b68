"""A version as one safetensors file: arrays, one canonical manifest, a SHA-256."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors.numpy import load as load_tensors

from normalizers.contract import lookup
from normalizers.contract.fitted import Fitted
from normalizers.contract.method import Method, MethodTable
from normalizers.contract.resolution import empty_statistics
from normalizers.data.arrays import LARGEST_INTEGER, Array
from normalizers.errors import CorruptVersion, NormalizerError
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.versions.manifest import fill_missing_params, method_from_manifest, params_json
from normalizers.versions.shared_ids import shared_ids
from normalizers.versions.tensor_tree import flat, leaves, nested, serialized
from normalizers.versions.version import Version

FORMAT = 1
MANIFEST = "manifest"
CHECKSUM = "checksum"
FITTED, STATISTICS = "fitted", "statistics"
MEMBERS = {"format", "method", "given", "resolved", "sizes", "columns", "n", CHECKSUM}
# Where ids stand that the file holds at another place; absent where none do.
SHARED_IDS = "shared_ids"
LENGTH_BYTES = 8
STORED_DTYPES = ("F64", "F32", "I64", "U8")


def to_bytes(version: Version) -> bytes:
    """Return the file of a version; the same arrays and manifest give the same bytes."""
    tree = {FITTED: version.fitted.arrays, STATISTICS: version.statistics.to_arrays()}
    places = shared_ids(dict(leaves(tree)))
    told = {SHARED_IDS: places} if places else {}
    return sealed({**manifest(version), **told}, flat(tree, without=places))


def sealed(described: Mapping[str, object], arrays: Mapping[str, Array]) -> bytes:
    """Return the file of a manifest and arrays, with the checksum of both in the manifest."""
    whole = {**described, CHECKSUM: _checksum(described, arrays)}
    return serialized(arrays, {MANIFEST: canonical_json(whole)})


def manifest(version: Version) -> dict[str, object]:
    """Return what the file says beside its arrays: no clock, no description, no library version."""
    return {
        "format": FORMAT,
        "method": version.method.name,
        "given": params_json(version.method, version.explicit_params),
        "resolved": params_json(version.method, _named(version)),
        "sizes": dict(version.fitted.sizes),
        "columns": list(version.columns) if version.columns is not None else None,
        "n": version.n,
    }


def _named(version: Version) -> dict[str, object]:
    """Return the resolved parameters that the file of a version names."""
    return {name: value for name, value in version.resolved.items() if name not in version.unnamed}


def from_bytes(content: bytes, catalogue: MethodTable | None = None) -> Version:
    """Return the version in a file after checking that it is whole and what it claims to be.

    Raises
    ------
    CorruptVersion
        A damaged file, an unknown format, or arrays that the method does not have.
    """
    described = read_manifest(content)
    try:
        tensors = load_tensors(content)
    except Exception as error:  # safetensors raises its own and several built-in classes
        raise CorruptVersion("the file holds no readable safetensors") from error
    _check_whole(described, tensors)
    try:
        places = described.pop(SHARED_IDS, {})
        tree = nested(tensors, _mapping(places, SHARED_IDS))
        return _rebuilt(described, tree, catalogue)
    except CorruptVersion:
        raise
    except NormalizerError as error:
        raise CorruptVersion(f"the file does not describe a version: {error.message}") from error
    except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError) as error:
        raise CorruptVersion("the file's manifest lacks members or has wrong ones") from error


def read_manifest(content: bytes) -> dict[str, object]:
    """Return the manifest of a version file without reading its arrays."""
    header = _header(content)
    metadata = header.pop("__metadata__", None)
    if not isinstance(metadata, dict) or set(metadata) != {MANIFEST}:
        raise CorruptVersion(f"not a version file: its one metadata key must be '{MANIFEST}'")
    for entry in header.values():
        if not isinstance(entry, dict) or entry.get("dtype") not in STORED_DTYPES:
            raise CorruptVersion(f"a version holds arrays of {', '.join(STORED_DTYPES)} only")
    text = metadata[MANIFEST]
    if not isinstance(text, str):
        raise CorruptVersion("not a version file: its manifest is not JSON text")
    described = _json_object(text)
    if text != _canonical(described):
        raise CorruptVersion("the file's manifest is not written as a version's")
    if _whole_number(described.get("format"), "format") != FORMAT:
        raise CorruptVersion(f"this library reads format {FORMAT} of version files")
    return described


def content_hash(content: bytes) -> str:
    """Return the SHA-256 of a version file."""
    return hashlib.sha256(content).hexdigest()


def write(version: Version, path: Path) -> str:
    """Write a version to `path` and return its hash."""
    content = to_bytes(version)
    path.write_bytes(content)
    return content_hash(content)


def read(path: Path, catalogue: MethodTable | None = None) -> Version:
    """Return the version stored at `path`."""
    return from_bytes(path.read_bytes(), catalogue)


def canonical_json(value: object) -> str:
    """Return `value` as JSON with sorted keys and no white space."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def _canonical(described: Mapping[str, object]) -> str | None:
    """Return a manifest as it is written; None for one that never is, as of a number like 1e400."""
    try:
        return canonical_json(described)
    except (ValueError, RecursionError):
        return None


def _checksum(described: Mapping[str, object], arrays: Mapping[str, Array]) -> str:
    """Return the SHA-256 of what a file says: its manifest, and each array by name."""
    digest = hashlib.sha256(canonical_json(described).encode())
    for name, array in sorted(arrays.items()):
        digest.update(canonical_json([name, array.dtype.str, array.shape]).encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def _check_whole(described: Mapping[str, object], arrays: Mapping[str, Array]) -> None:
    """Refuse a file that changed since it was written: nothing else knows its hash on the way."""
    said = {name: value for name, value in described.items() if name != CHECKSUM}
    try:
        found = _checksum(said, arrays)
    except ValueError as error:
        raise CorruptVersion("the file's manifest holds what no manifest can") from error
    if found != described.get(CHECKSUM):
        raise CorruptVersion("the file changed since it was written: its checksum differs")


def _rebuilt(
    described: Mapping[str, object], tree: Mapping[str, object], catalogue: MethodTable | None
) -> Version:
    known = lookup.built_in() if catalogue is None else catalogue
    if described.keys() != MEMBERS or not tree.keys() <= {FITTED, STATISTICS}:
        raise CorruptVersion("the file has other members than a version")
    cls = known.method(_text(described["method"], "method"))
    arrays = _fitted_arrays(_mapping(tree.get(FITTED, {}), FITTED))
    fitted = Fitted(arrays, _sizes(_mapping(described["sizes"], "sizes")))
    given, resolved = (
        method_from_manifest(cls, _mapping(described[which], which), fitted, known).validated(which)
        for which in ("given", "resolved")
    )
    statistics = _statistics(resolved, _mapping(tree.get(STATISTICS, {}), STATISTICS))
    if _whole_number(described["n"], "n") != statistics.n:
        raise CorruptVersion("'n' of the file is not that of its statistics")
    if statistics.is_empty and given.fittable and not given.stateless:
        raise CorruptVersion("the file holds a fit without its statistics")
    given, resolved = fill_missing_params(
        given, resolved, None if statistics.is_empty else statistics
    )
    columns = _columns(described["columns"])
    named = _mapping(described["resolved"], "resolved")
    return Version(
        given,
        resolved.validated("resolved"),
        fitted,
        statistics,
        columns,
        unnamed=frozenset(cls.parameters.keys() - named.keys()),
    )


def _sizes(written: Mapping[str, object]) -> dict[str, int]:
    return {symbol: _whole_number(size, f"sizes.{symbol}") for symbol, size in written.items()}


def _columns(written: object) -> tuple[str, ...] | None:
    if written is None:
        return None
    if not isinstance(written, list):
        raise CorruptVersion("'columns' of the file is not a list of names")
    return tuple(_text(name, "columns") for name in written)


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise CorruptVersion(f"'{what}' of the file is not text")
    return value


def _whole_number(value: object, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= LARGEST_INTEGER:
        raise CorruptVersion(f"'{what}' of the file is not a count")
    return value


def _statistics(resolved: Method, members: Mapping[str, object]) -> Statistics:
    if not members:
        return Statistics({})
    statistics = empty_statistics(resolved).from_arrays(members, STATISTICS)
    resolved.check_statistics(statistics, STATISTICS)
    return statistics


def _fitted_arrays(tree: Mapping[str, object]) -> dict[str, Array]:
    return {path: _checked(array, f"fitted.{path}") for path, array in leaves(tree)}


def _checked(array: Array, path: str) -> Array:
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise CorruptVersion(f"'{path}' holds values that are not finite")
    return array


def _header(content: bytes) -> dict[str, object]:
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    if len(content) < LENGTH_BYTES or length > len(content) - LENGTH_BYTES:
        raise CorruptVersion("not a version file: it is shorter than its header says")
    return _json_object(content[LENGTH_BYTES : LENGTH_BYTES + length])


def _json_object(raw: str | bytes) -> dict[str, object]:
    try:
        value = json.loads(raw, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise CorruptVersion("not a version file: its header or manifest is not JSON") from error
    return dict(_mapping(value, "manifest"))


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _mapping(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise CorruptVersion(f"'{what}' of the file is not an object")
    return value
