"""A version as one file: the same bytes everywhere, whole or refused."""

from __future__ import annotations

import inspect
import io
import json
import pickle
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest
from safetensors.numpy import load, save

from normalizers.errors import CorruptVersion
from normalizers.versions.file import MANIFEST, content_hash, from_bytes, manifest, sealed, to_bytes
from tests.conformance.cases import Case
from tests.conformance.processes import hashes_elsewhere
from tests.effort import shift

HEADER_PLACES = 120
DATA_PLACES = 20
LENGTH_BYTES = 8
# One other method in so many is tried as the manifest's.
OTHERS = 16
SERIALIZERS = ("pickle", "joblib", "dill", "marshal", "shelve")


def check_saved_file_is_the_version(case: Case, folder: Path) -> None:
    """`save` writes that file and returns its hash."""
    path = folder / "version.safetensors"
    assert case.prepared().save(path) == content_hash(path.read_bytes())
    assert path.read_bytes() == to_bytes(case.version)


def check_hash_stable_across_processes(case: Case) -> None:
    """Another process with another hash seed writes the same file."""
    assert hashes_elsewhere(case)[case.name] == content_hash(to_bytes(case.version))


def check_load_rejects_flipped_bytes(case: Case) -> None:
    """A flipped byte anywhere changes the hash, and the library refuses to read the file."""
    content = to_bytes(case.version)
    header = LENGTH_BYTES + int.from_bytes(content[:LENGTH_BYTES], "little")
    for place in (*_places(0, header, HEADER_PLACES), *_places(header, len(content), DATA_PLACES)):
        for bit in (1, 128):
            flipped = bytearray(content)
            flipped[place] ^= bit
            assert content_hash(bytes(flipped)) != content_hash(content)
            _refuses(case, bytes(flipped))


def check_load_rejects_truncation(case: Case) -> None:
    """A file cut anywhere, or with more behind it, is refused."""
    content = to_bytes(case.version)
    for size in (0, 1, LENGTH_BYTES, len(content) // 2, len(content) - 1):
        if size < len(content):
            _refuses(case, content[:size])
    _refuses(case, content + b"0")


def check_load_rejects_wrong_kind_and_version(case: Case) -> None:
    """Another method, format, or manifest than the arrays belong to, rightly sealed, is refused."""
    true = manifest(case.version)
    arrays = load(to_bytes(case.version))
    from_bytes(sealed(true, arrays), case.catalogue)
    _refuses(case, sealed({**true, "format": 2}, arrays))
    _refuses(case, sealed({**true, "method": "no_such_method"}, arrays))
    _refuses(case, sealed({**true, "given": {"no_such_parameter": 1}}, arrays))
    _refuses(case, sealed({name: true[name] for name in true if name != "method"}, arrays))
    _refuses(case, sealed({**true, "resolved": []}, arrays))
    # The square of the catalogue: an ordinary run tries one in so many, others for every method.
    for other in shift(case.name, sorted(case.catalogue.keys() - {case.cls.name}), OTHERS):
        _read_or_refuse(case, sealed({**true, "method": other}, arrays))


def check_load_rejects_unsealed_files(case: Case) -> None:
    """A manifest without the checksum of all it stands for is refused."""
    true, arrays = manifest(case.version), load(to_bytes(case.version))
    _refuses(case, save(arrays, metadata={MANIFEST: json.dumps(true)}))
    _refuses(case, save(arrays, metadata={"other": "{}"}))
    _refuses(case, save(arrays))


def check_load_rejects_values_that_are_not_finite(case: Case) -> None:
    """NaN among fitted arrays is refused; among statistics it may stand for nothing observed."""
    true, arrays = manifest(case.version), load(to_bytes(case.version))
    for name, array in arrays.items():
        if array.dtype.kind == "f" and array.size:
            broken = sealed(true, {**arrays, name: np.full_like(array, np.nan)})
            if name.startswith("fitted."):
                _refuses(case, broken)
            else:
                _read_or_refuse(case, broken)


def check_load_rejects_pickles(case: Case) -> None:
    """Pickles and joblib dumps are refused before anything in them runs."""
    dumped = io.BytesIO()
    joblib.dump(_Trap(), dumped)
    for content in (pickle.dumps(_Trap()), dumped.getvalue()):
        _refuses(case, content)
    assert not _Trap.sprung


def check_no_pickle(case: Case) -> None:
    """The method's own source mentions no serializer that runs code."""
    source = inspect.getsource(sys.modules[case.cls.__module__])
    for word in SERIALIZERS:
        assert f"import {word}" not in source
        assert f"{word}.load" not in source


class _Trap:
    """Remembers being unpickled."""

    sprung = False

    def __reduce__(self) -> tuple[object, tuple[()]]:
        return _spring, ()


def _spring() -> str:
    _Trap.sprung = True
    return ""


def _places(start: int, stop: int, count: int) -> list[int]:
    return (
        sorted(set(np.linspace(start, stop - 1, count).astype(int).tolist()))
        if stop > start
        else []
    )


def _refuses(case: Case, content: bytes) -> None:
    with pytest.raises(CorruptVersion):
        from_bytes(content, case.catalogue)


def _read_or_refuse(case: Case, content: bytes) -> None:
    try:
        from_bytes(content, case.catalogue)
    except CorruptVersion:
        return
