"""References and hashes become versions, kept in memory by hash."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeAlias

import orjson

from app.registry.errors import Conflict, NotFound
from app.registry.records import Manifest, VersionRecord
from app.registry.references import Reference, parse_reference
from app.registry.registry import Registry
from app.service.errors import DamagedVersion
from normalizers.catalogue.catalogue import Catalogue
from normalizers.contract.method import Method
from normalizers.errors import CorruptVersion, InvalidInput
from normalizers.pipeline.chain import require_few_steps
from normalizers.pipeline.steps import method_of_step
from normalizers.versions.file import from_bytes
from normalizers.versions.fitting import stateless
from normalizers.versions.version import Version

Found: TypeAlias = tuple[VersionRecord, Version]
NO_VERSION = "has no version yet"
# Bytes of a version file up to which a few rows take about a millisecond.
LARGEST_AT_HAND = 32 * 1024 * 1024
# Versions of parameters alone are small; so many are kept, of so many bytes of parameters at most.
MOST_OF_PARAMS, LARGEST_PARAMS = 256, 4096
REFERENCE = b'"ref"'


class VersionLoader:
    """Loads versions from the registry; a version never changes, so its hash is its cache key.

    Parameters
    ----------
    registry : Registry
        Where pointers and files are.
    catalogue : Catalogue
        The methods that files may name.
    capacity : int
        How many bytes of version files are kept in memory.
    """

    def __init__(self, registry: Registry, catalogue: Catalogue, capacity: int) -> None:
        self._registry = registry
        self._catalogue = catalogue
        self._capacity = capacity
        self._kept: OrderedDict[str, tuple[Version, int]] = OrderedDict()
        self._bytes = 0
        self._of_params: OrderedDict[tuple[str, bytes], Version] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, reference: str) -> Found:
        """Return what a reference points to at this moment.

        Raises
        ------
        NotFound
            When there is no such name, version or alias.
        Conflict
            For an open name that has no version yet.
        """
        record = self.record(reference)
        return record, self.load(record)

    def manifest(self, reference: str) -> Manifest:
        """Return the name and version a reference points to; an open name has no version."""
        return self._registry.versions.get(parse_reference(reference))

    def record(self, reference: str) -> VersionRecord:
        """Return the registry's row of a reference."""
        manifest = self.manifest(reference)
        if manifest.version is None:
            name = manifest.name.name
            raise Conflict(
                f"'{name}' {NO_VERSION}",
                hint=f"make one from its observations: POST /v1/normalizers/{name}/versions",
            )
        return manifest.version

    def cached(self, reference: str) -> Found | None:
        """Return what a reference points to if nothing but memory must be read for it.

        Large versions are never at hand: work with them takes long, whatever the request holds.
        """
        manifest = self._registry.versions.known(parse_reference(reference))
        if manifest is None or manifest.version is None:
            return None
        version = self._take(manifest.version.hash)
        small = manifest.version.size <= LARGEST_AT_HAND
        return (manifest.version, version) if version is not None and small else None

    def load(self, record: VersionRecord) -> Version:
        """Return the version of a registry row."""
        kept = self._take(record.hash)
        if kept is not None:
            return kept
        with _damage_of(record):
            read = from_bytes(self._registry.versions.content(record), self._catalogue)
        version = replace(read, hash=record.hash)
        self.keep(record.hash, version, record.size)
        return version

    def content(self, record: VersionRecord) -> bytes:
        """Return the file of a registry row."""
        with _damage_of(record):
            return self._registry.versions.content(record)

    def keep(self, hash: str, version: Version, size: int) -> None:
        """Keep a version in memory; those used longest ago make room.

        One that is larger than the room stays alone, or it would be read again at each request.
        """
        if not self._capacity:
            return
        with self._lock:
            _, before = self._kept.pop(hash, (None, 0))
            self._kept[hash] = (replace(version, hash=hash), size)
            self._bytes += size - before
            while self._bytes > self._capacity and len(self._kept) > 1:
                _, (_, freed) = self._kept.popitem(last=False)
                self._bytes -= freed

    def create(
        self,
        method: str,
        params: Mapping[str, object] | None,
        path: str = "params",
        *,
        stored: bool = False,
    ) -> Method:
        """Return a method with validated parameters, what they refer to in its place.

        Parameters
        ----------
        method : str
            A name or alias.
        params : mapping
            Its parameters; some may name other methods, or versions as ``{"ref": ..}``.
        path : str
            Where the parameters stand in the request.
        stored : bool
            Whether the registry wrote them: a version is then named by its hash.
        """
        created = self._catalogue.create(method, params, path)
        replaced = {
            name: self._resolve(value, f"{path}.{name}", stored=stored)
            for name, value in created.explicit_params.items()
            if created.parameters[name].references
        }
        return created.with_values(replaced).validated(path)

    def stateless_version(self, method: str, params: Mapping[str, object]) -> Version:
        """Return the version of a method that needs no fit; those asked for last are kept.

        Raises
        ------
        NotFitted
            For a method that needs one.
        """
        written = _written(params)
        if written is None:
            return stateless(self.create(method, params))
        key = (method, written)
        with self._lock:
            kept = self._of_params.get(key)
        if kept is None:
            kept = stateless(self.create(method, params))
            with self._lock:
                self._of_params[key] = kept
                while len(self._of_params) > MOST_OF_PARAMS:
                    self._of_params.popitem(last=False)
        return kept

    def resolve(self, value: object, path: str) -> object:
        """Return what a request names at `path`: a method or version in its place."""
        return self._resolve(value, path, stored=False)

    def _resolve(self, value: object, path: str, *, stored: bool) -> object:
        if isinstance(value, list):
            require_few_steps(value, path)
            # A list in the list is no step: whoever validates the whole refuses it.
            return [
                item
                if isinstance(item, list)
                else self._resolve(item, f"{path}[{index}]", stored=stored)
                for index, item in enumerate(value)
            ]
        if isinstance(value, str):
            return method_of_step(value, {}, path, path, self._catalogue)
        if not isinstance(value, Mapping):
            return value
        if "ref" in value:
            return self._referenced(value, path)
        if stored and "hash" in value:
            return self._with_hash(str(value["hash"]))
        return self._described(value, path)

    def _described(self, value: Mapping[str, object], path: str) -> object:
        name, params = value.get("method"), value.get("params")
        if value.keys() - {"method", "params"} or not isinstance(name, str):
            return value
        if params is None:
            params = {}
        if not isinstance(params, Mapping):
            return value
        return method_of_step(name, params, f"{path}.method", f"{path}.params", self._catalogue)

    def _referenced(self, value: Mapping[str, object], path: str) -> Version:
        reference = value["ref"]
        if set(value) != {"ref"} or not isinstance(reference, str):
            raise InvalidInput(
                "a reference is written {'ref': 'name@prod'} and nothing else", path=path
            )
        with reference_at(f"{path}.ref"):
            return self.find(reference)[1]

    def _with_hash(self, hash: str) -> Version:
        record = self._registry.versions.with_hash(hash)
        if record is None:
            raise Conflict(
                "a version that this name's parameters refer to was deleted before the name had "
                "a version of its own",
                hint="create a name with a reference that exists",
            )
        return self.load(record)

    def _take(self, hash: str) -> Version | None:
        with self._lock:
            if hash not in self._kept:
                return None
            self._kept.move_to_end(hash)
            return self._kept[hash][0]


def _written(params: Mapping[str, object]) -> bytes | None:
    """Return parameters as text that stands for them; None for large ones and for references."""
    try:
        written = orjson.dumps(params, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return None
    return None if len(written) > LARGEST_PARAMS or REFERENCE in written else written


@contextmanager
def reference_at(path: str) -> Iterator[None]:
    """Say where in a body the reference stands that names nothing."""
    try:
        yield
    except NotFound as error:
        raise NotFound(error.message, path=path) from None
    except Conflict as error:
        raise Conflict(error.message, hint=error.hint, path=path) from None
    except InvalidInput as error:
        raise InvalidInput(error.message, path=path) from None


@contextmanager
def _damage_of(record: VersionRecord) -> Iterator[None]:
    """Tell a stored file that is damaged, which is ours, from a sent one, which is not."""
    try:
        yield
    except CorruptVersion as error:
        place = Reference(record.name, version=record.number)
        raise DamagedVersion(f"the file of {place} is damaged: {error.message}") from error
