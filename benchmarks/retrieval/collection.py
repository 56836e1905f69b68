"""The Cranfield and CACM runs with their judgements, as requests write them.

Each collection was searched by BM25 and by a dense encoder (MiniLM, cosine), 100 hits a query.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from normalizers.data.arrays import Array

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "scores"
ABSENT = f"the runs are not here: {FOLDER} does not exist"
RETRIEVERS = ("bm25", "dense")
Part: TypeAlias = Literal["train", "test", "cacm"]
Ranked: TypeAlias = tuple[list[str], list[float]]
Sent: TypeAlias = dict[str, object]


@dataclass(frozen=True)
class Collection:
    """Runs by name, each a list of (ids, scores) a query, and the relevant ids of each query."""

    queries: list[str]
    runs: dict[str, list[Ranked]]
    relevant: list[list[str]]

    def run(self, name: str, depth: int | None = None) -> Sent:
        """Return a run as a request writes it, its lists cut to `depth`."""
        lists = self.runs[name]
        return {
            "name": name,
            "ids": [ids[:depth] for ids, _ in lists],
            "scores": [scores[:depth] for _, scores in lists],
        }

    def both(self, depth: int | None = None) -> list[Sent]:
        """Return the runs of both retrievers."""
        return [self.run(name, depth) for name in RETRIEVERS]

    @property
    def qrels(self) -> Sent:
        """The judgements as a request writes them."""
        return {"ids": self.relevant}

    def labels(self, name: str) -> list[Array]:
        """Return by query 1 for each relevant hit of a run, 0 for the others."""
        return [
            np.array([float(one in relevant) for one in ids])
            for (ids, _), relevant in zip(self.runs[name], self.relevant, strict=True)
        ]

    def pooled(self, name: str) -> tuple[Array, Array]:
        """Return the scores of all hits of a run, and whether each is relevant."""
        scores = np.concatenate([scores for _, scores in self.runs[name]])
        return scores, np.concatenate(self.labels(name))


def collection(part: Part) -> Collection:
    """Return the training or test queries of Cranfield, or all of CACM."""
    return cacm() if part == "cacm" else cranfield(part)


@cache
def cranfield(part: str) -> Collection:
    """Return the ``train`` or the ``test`` queries of Cranfield."""
    split = json.loads((FOLDER / "cranfield_split.json").read_text(encoding="utf-8"))
    return _collection("cranfield", [str(query) for query in split[part]])


@cache
def cacm() -> Collection:
    """Return every judged query of CACM."""
    lines = _lines(FOLDER / "cacm_qrels.tsv")
    return _collection("cacm", list(dict.fromkeys(query for query, *_ in lines)))


def _collection(name: str, queries: Sequence[str]) -> Collection:
    hits: dict[str, dict[str, Ranked]] = defaultdict(lambda: defaultdict(lambda: ([], [])))
    for query, run, document, score in _lines(FOLDER / f"{name}_runs.tsv.gz"):
        ids, scores = hits[run][query]
        ids.append(document)
        scores.append(float(score))
    relevant: dict[str, list[str]] = defaultdict(list)
    for query, document, _ in _lines(FOLDER / f"{name}_qrels.tsv"):
        relevant[query].append(document)
    runs = {run: [lists[query] for query in queries] for run, lists in hits.items()}
    return Collection(list(queries), runs, [relevant[query] for query in queries])


def _lines(path: Path) -> list[list[str]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file][1:]
