"""A version of every kind of statistics, and files forged from them."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from functools import cache

from safetensors.numpy import save

from normalizers import GroupZScore, InvertedSoftmax, MinMax, Percentile, Pipeline, Whitening
from normalizers.data.arrays import Array
from normalizers.errors import CorruptVersion
from normalizers.versions import file as files
from normalizers.versions import fitting
from normalizers.versions.version import Version

ROWS = [[0.0, 1.0, 2.0], [4.0, 0.5, 1.0], [0.0, -1.0, 5.0], [-4.0, 0.25, 0.0]]
QUERY = {"method": "percentile", "params": {"scope": "query"}}
MISSING = object()


@cache
def versions() -> dict[str, Version]:
    pipeline = Pipeline(steps=["min_max", {"method": "percentile"}])
    reference = Pipeline(steps=[MinMax().fit([0.0, 10.0]), QUERY])
    return {
        "stateless": fitting.stateless(MinMax(higher_is_better=False)),
        "extrema": fitting.fit(MinMax(), {"scores": [1.0, 5.0, 9.0]}),
        "quantiles": fitting.fit(Percentile(), {"scores": [1.0, 5.0, 9.0]}),
        "scatter": fitting.fit(Whitening(), {"x": ROWS}, columns=("a", "é", "c")),
        "auto": fitting.fit(InvertedSoftmax(), {"bank_sims": ROWS, "gallery_ids": ["a", "b", "c"]}),
        "temperature": fitting.fit(InvertedSoftmax(temperature=0.5), {"bank_sims": ROWS}),
        "groups": fitting.fit(GroupZScore(), {"x": [1, 2, 3, 5], "groups": ["a", "a", "b", "b"]}),
        "pipeline": fitting.fit(pipeline, {"scores": [1.0, 2.0, 3.0]}),
        "reference": fitting.stateless(reference.validated()),
    }


NAMES = list(versions())


def forged(content: bytes, tensors: Mapping[str, Array], described: object = MISSING) -> bytes:
    """Return a file whose checksum is right, whatever it says."""
    if described is MISSING:
        described = files.read_manifest(content)
    if not isinstance(described, dict):
        return bytes(save(dict(tensors), metadata={files.MANIFEST: json.dumps(described)}))
    said = {name: value for name, value in described.items() if name != files.CHECKSUM}
    return files.sealed(said, tensors)


def refused_or_sound(content: bytes) -> None:
    """Check that a file is refused as corrupt, or read as a version that can be written."""
    try:
        version = files.from_bytes(content)
    except CorruptVersion:
        return
    files.to_bytes(version)


def replaced(described: object, place: tuple[object, ...], value: object) -> object:
    if not place:
        return value
    twin = copy.deepcopy(described)
    node = twin
    for key in place[:-1]:
        node = node[key]  # type: ignore[index]
    if value is MISSING:
        del node[place[-1]]  # type: ignore[attr-defined]
    else:
        node[place[-1]] = value  # type: ignore[index]
    return twin
