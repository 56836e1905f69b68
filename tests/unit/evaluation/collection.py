"""The Cranfield and CACM runs, and the figures that were measured of them elsewhere."""

from __future__ import annotations

import json
from functools import cache

from benchmarks.retrieval.collection import ABSENT, FOLDER, Collection, cacm, cranfield

__all__ = ["ABSENT", "FOLDER", "Collection", "cacm", "cranfield", "expected"]


@cache
def expected() -> dict[str, object]:
    read: dict[str, object] = json.loads((FOLDER / "expected_metrics.json").read_text())
    return read
