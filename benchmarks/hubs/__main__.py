"""``python -m benchmarks.hubs [TABLE]``: measure every figure, or a table, and keep them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.hubs import dexter, gaussian, third
from benchmarks.hubs.collection import SETS, Collection, right_first
from benchmarks.hubs.rows import ROWS

KEPT = Path(__file__).parent / "kept.json"
SEED = 1


def main(asked: Sequence[str]) -> None:
    """Measure, print and keep."""
    found = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    for table in asked or TABLES:
        found[table] = {}
        for name, value in TABLES[table]():
            found[table][name] = value
            print(f"{table:18} {name:36} {value}", flush=True)
        KEPT.write_text(json.dumps(found, indent=1) + "\n")


def _searches(name: str) -> Iterator[tuple[str, object]]:
    one = Collection.read(name)
    for row, scores in ROWS[name].items():
        yield row, round(right_first(scores(one)), 2)


def _documents() -> Iterator[tuple[str, object]]:
    distances, labels = dexter.read()
    for name, mapped in dexter.MAPS.items():
        yield name, _rounded(dexter.told(mapped(distances), labels))


def _classes() -> Iterator[tuple[str, object]]:
    near = gaussian.drawn(gaussian.CLASSES, SEED)
    for name, mapped in gaussian.MAPS.items():
        yield name, _rounded(gaussian.precisions(mapped(near)))


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in values.items()}


TABLES: Mapping[str, Callable[[], Iterator[tuple[str, object]]]] = {
    **{name: lambda name=name: _searches(name) for name in SETS},  # type: ignore[misc]
    "dexter": _documents,
    "gaussian": _classes,
    "third": third.rows,
}


if __name__ == "__main__":
    main(sys.argv[1:])
