"""Two runs with string ids: what retrievers answer to many queries."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple, Self

import numpy as np

from benchmarks.rows import SEED

QUERIES = 1_000
HITS = 100
# Both runs draw from the same documents of a query, so that they share two of three.
POOL = 150
DOCUMENTS = 20_000
NAMES = ("words", "vectors")


class Ranked(NamedTuple):
    """One run: by query its ids and scores, best first."""

    name: str
    ids: list[list[str]]
    scores: list[list[float]]

    def columns(self) -> dict[str, object]:
        """Return the run as columns with offsets."""
        return {
            "name": self.name,
            "ids": list(chain.from_iterable(self.ids)),
            "scores": list(chain.from_iterable(self.scores)),
            "offsets": [HITS * place for place in range(len(self.ids) + 1)],
        }

    def by_query(self) -> Mapping[str, Mapping[str, float]]:
        """Return the scores by document by query."""
        pairs = zip(self.ids, self.scores, strict=True)
        return {
            name: dict(zip(ids, scores, strict=True))
            for name, (ids, scores) in zip(query_ids(len(self.ids)), pairs, strict=True)
        }

    def first(self) -> dict[str, object]:
        """Return the list of the first query alone."""
        return {"name": self.name, "ids": self.ids[0], "scores": self.scores[0]}


class Runs(NamedTuple):
    """Both runs."""

    runs: tuple[Ranked, ...]

    @classmethod
    def drawn(cls, queries: int = QUERIES) -> Self:
        """Return random runs."""
        generator = np.random.default_rng(SEED)
        pools = [generator.choice(DOCUMENTS, POOL, replace=False) for _ in range(queries)]
        return cls(tuple(_drawn(name, pools, generator) for name in NAMES))

    def columns(self) -> list[dict[str, object]]:
        """Return the runs as columns."""
        return [run.columns() for run in self.runs]


def query_ids(count: int) -> list[str]:
    """Return the names of so many queries."""
    return [f"q{place}" for place in range(count)]


def _drawn(
    name: str, pools: list[np.typing.NDArray[np.int64]], generator: np.random.Generator
) -> Ranked:
    found = [generator.permutation(pool)[:HITS].tolist() for pool in pools]
    scores = np.sort(generator.normal(10, 3, (len(pools), HITS)))[:, ::-1]
    return Ranked(name, [[f"doc-{id:06d}" for id in ids] for ids in found], scores.tolist())
