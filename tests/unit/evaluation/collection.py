"""The Cranfield and CACM runs of the shared folder, as requests write them."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[4] / "shared" / "data" / "scores"
ABSENT = f"the runs are not here: {FOLDER} does not exist"


@dataclass(frozen=True)
class Collection:
    """Runs by name, each a list of (ids, scores) a query, and the relevant ids of each query."""

    queries: list[str]
    runs: dict[str, list[tuple[list[str], list[float]]]]
    relevant: list[list[str]]

    def run(self, name: str) -> dict[str, object]:
        lists = self.runs[name]
        return {
            "name": name,
            "ids": [ids for ids, _ in lists],
            "scores": [scores for _, scores in lists],
        }

    @property
    def qrels(self) -> dict[str, object]:
        return {"ids": self.relevant}

    def pooled(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        scores = np.concatenate([scores for _, scores in self.runs[name]])
        labels = [
            float(one in relevant)
            for (ids, _), relevant in zip(self.runs[name], self.relevant, strict=True)
            for one in ids
        ]
        return scores, np.array(labels)


@cache
def expected() -> dict[str, object]:
    read: dict[str, object] = json.loads((FOLDER / "expected_metrics.json").read_text())
    return read


@cache
def cranfield(part: str) -> Collection:
    split = json.loads((FOLDER / "cranfield_split.json").read_text())
    return _collection("cranfield", [str(query) for query in split[part]])


@cache
def cacm() -> Collection:
    lines = _lines(FOLDER / "cacm_qrels.tsv")
    return _collection("cacm", list(dict.fromkeys(query for query, *_ in lines)))


def _collection(name: str, queries: list[str]) -> Collection:
    hits: dict[str, dict[str, tuple[list[str], list[float]]]] = defaultdict(
        lambda: defaultdict(lambda: ([], []))
    )
    for query, run, document, score in _lines(FOLDER / f"{name}_runs.tsv.gz"):
        ids, scores = hits[run][query]
        ids.append(document)
        scores.append(float(score))
    relevant: dict[str, list[str]] = defaultdict(list)
    for query, document, _ in _lines(FOLDER / f"{name}_qrels.tsv"):
        relevant[query].append(document)
    runs = {run: [lists[query] for query in queries] for run, lists in hits.items()}
    return Collection(queries, runs, [relevant[query] for query in queries])


def _lines(path: Path) -> list[list[str]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file][1:]
