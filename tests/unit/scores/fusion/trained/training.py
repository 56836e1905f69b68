"""Small runs with judgements, and short ways to fit."""

from __future__ import annotations

import numpy as np

from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.normalizer import Normalizer

COUNTING = {"mapfuse": {}, "posfuse": {}, "slidefuse": {"w": 1}, "probfuse": {"n_segments": 2},
            "segfuse": {}, "bayesfuse": {}}  # fmt: skip
SEARCHED = ("wsum", "wmnz", "mixed", "w_bordafuse", "w_condorcet", "rrf", "gmnz", "rbc", "logn_isr",
            "convex")  # fmt: skip
REPORT_S13 = (
    ("r1", "r2", 0.2), ("r2", "r1", 2.6), ("r1", "r3", 1.0), ("r3", "r1", 0.2),
    ("r2", "r3", 4.333333), ("r3", "r2", 0.066667),
)  # fmt: skip


def runs(queries: int = 12, hits: int = 9, seed: int = 1) -> list[dict[str, object]]:
    """Return two runs of which the second knows more."""
    rng = np.random.default_rng(seed)
    made = []
    for name, skill in (("words", 0.5), ("vectors", 1.5)):
        ids, scores = [], []
        for _ in range(queries):
            pool = rng.permutation(20)[:hits]
            score = rng.normal(size=hits) + skill * (pool < 5)
            order = np.argsort(-score)
            ids.append([f"d{document:02}" for document in pool[order]])
            scores.append([float(one) + 5.0 for one in score[order]])
        made.append({"name": name, "ids": ids, "scores": scores})
    return made


def qrels(queries: int = 12) -> dict[str, object]:
    """Return judgements: the first five documents are relevant to every query."""
    return {"ids": [[f"d{document:02}" for document in range(5)]] * queries}


def part(training: list[dict[str, object]], chosen: slice) -> list[dict[str, object]]:
    """Return the runs of some queries."""
    return [
        {**run, "ids": run["ids"][chosen], "scores": run["scores"][chosen]}  # type: ignore[index]
        for run in training
    ]


def made(method: str, **params: object) -> Normalizer:
    """Return a fusion that is not fitted."""
    return CATALOGUE.create(method, params).validated()


def fitted(method: str, queries: int = 12, **asked: object) -> Normalizer:
    """Return a trained fusion; names of fields of the fit are told from parameters."""
    fields = {name: asked.pop(name) for name in tuple(asked) if name in ("measure", "grid")}
    fusion = made(method, **{**COUNTING.get(method, {}), **asked})
    return fusion.fit(runs(queries), qrels=qrels(queries), **fields)


def six_problems() -> list[dict[str, object]]:
    """Return three runs of six queries, of which one weighting solves all."""
    made = []
    for run in ("r1", "r2", "r3"):
        scores = [
            [1.0 if run == right else 0.0, wrong if run == other else 0.0]
            for right, other, wrong in REPORT_S13
        ]
        made.append({"name": run, "ids": [["b", "z"]] * len(scores), "scores": scores})
    return made
