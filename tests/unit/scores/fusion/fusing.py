"""Every fusion that needs no training, and short ways to fuse."""

from __future__ import annotations

import math

from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.contract.answer import Answer, Options

PARAMS = {"rbc": {"phi": 0.95}, "convex": {"alpha": 0.4}}
RANK = (
    "rrf", "isr", "log_isr", "logn_isr", "rbc", "bordafuse", "w_bordafuse", "condorcet",
    "w_condorcet",
)  # fmt: skip
SCORE = (
    "combsum", "combmnz", "combanz", "combmed", "combmin", "combmax", "gmnz", "wsum", "convex",
    "wmnz", "mixed", "arithmetic_mean", "geometric_mean", "harmonic_mean", "log_odds",
)  # fmt: skip
ALL = (*RANK, *SCORE)
WEIGHTED = tuple(name for name in ALL if "weights" in CATALOGUE[name].parameters)
UNWEIGHTED = tuple(name for name in ALL if name not in WEIGHTED)


def run(name: str, hits: str | dict[str, float], **members: object) -> dict[str, object]:
    """Return a run of hits written ``a 3, b 2`` or as a mapping."""
    if isinstance(hits, str):
        pairs = [hit.split() for hit in hits.split(",") if hit.strip()]
    else:
        pairs = [list(pair) for pair in hits.items()]
    ids, scores = [pair[0] for pair in pairs], [float(pair[1]) for pair in pairs]
    return {"name": name, "ids": ids, "scores": scores, **members}


def fused(method: str, *runs: dict[str, object], **asked: object) -> Answer:
    """Return the answer; what is no option is a parameter."""
    options = {name: asked.pop(name) for name in tuple(asked) if name in Options.model_fields}
    params = {**PARAMS.get(method, {}), **asked}
    return CATALOGUE.create(method, params).apply_to(runs=list(runs), **options)


def scored(answer: Answer) -> dict[str, float]:
    """Return the scores by id, in the order of the answer."""
    return dict(zip(answer["ids"].tolist(), answer["scores"].tolist(), strict=True))


def codes(answer: Answer) -> dict[str, dict[str, object]]:
    """Return what each warning counts, by code."""
    return {noted.code: dict(noted.detail) for noted in answer.warnings}


def check_parts(answer: Answer) -> None:
    """Hold the parts of an explained answer to its scores, bit for bit."""
    assert [hit["id"] for hit in answer.explain] == answer["ids"].tolist()
    for hit, score in zip(answer.explain, answer["scores"].tolist(), strict=True):
        total = math.fsum(part["contribution"] for part in hit["parts"])
        assert total * hit.get("factor", 1.0) + 0.0 == hit["score"] == score
