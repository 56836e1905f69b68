"""Small pipelines and the data that their tests send through them."""

from __future__ import annotations

import numpy as np

from normalizers import Pipeline
from normalizers.data.arrays import Array
from normalizers.versions import fitting
from normalizers.versions.file import from_bytes, to_bytes
from normalizers.versions.version import Version

SCORES = [3.0, 1.0, 2.0, 9.0]
QUERY_RANKS = {"method": "percentile", "params": {"scope": "query"}}
QUERY_ENDS = {"method": "min_max", "params": {"scope": "query"}}
ROWS = np.random.default_rng(1).normal(size=(30, 3))
BANK = np.random.default_rng(2).normal(size=(8, 4))


def pipeline(*steps: object) -> Pipeline:
    return Pipeline(steps=list(steps))


def through_a_file(version: Version) -> Version:
    return from_bytes(to_bytes(version))


def array(value: object) -> Array:
    assert isinstance(value, np.ndarray)
    return value


def clone_fitted(chain: Pipeline, rows: Array) -> Version:
    return fitting.fit(Pipeline(steps=chain.steps), {"x": rows})
