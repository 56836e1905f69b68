"""How a row of a table fuses: a fusion, and the normalizer of each run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from benchmarks.retrieval.collection import RETRIEVERS, Collection, Sent, cranfield
from normalizers import Normalizer
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.data.arrays import Array

FUSED = "fused"


@dataclass(frozen=True)
class Plan:
    """A fusion that is ready to serve.

    Parameters
    ----------
    fusion : Normalizer
    normalizers : sequence
        One a run, where they differ or were fitted.
    """

    fusion: Normalizer
    normalizers: Sequence[object] = ()

    def fused(self, collection: Collection, depth: int | None = None) -> Sent:
        """Return the fused lists of a collection as one run."""
        runs = normalized_by(self.normalizers, collection.both(depth))
        answer = self.fusion.apply_to(runs=runs)
        ids = cast("Sequence[Array]", answer["ids"])
        return {"name": FUSED, "ids": [one.tolist() for one in ids], "scores": answer["scores"]}


# Makes a plan when it is asked for: what it learns, it learns from Cranfield's training queries.
Planned = Callable[[], Plan]


def plain(method: str, /, **params: object) -> Planned:
    """Return the plan of a fusion that learns nothing."""
    return lambda: Plan(CATALOGUE.create(method, params))


def by_run(normalizers: Sequence[object], method: str, /, **params: object) -> Planned:
    """Return the plan of a fusion with a normalizer for each run."""
    return lambda: Plan(CATALOGUE.create(method, params), normalizers)


def fitted_runs(normalizer: str, method: str, /, **params: object) -> Planned:
    """Return the plan of a fusion with a normalizer that is fitted on the hits of each run."""
    return lambda: Plan(
        CATALOGUE.create(method, params), [fitted_on(normalizer, run) for run in RETRIEVERS]
    )


def trained(
    method: str,
    params: Mapping[str, object],
    normalizers: Sequence[object] = (),
    **fit: object,
) -> Planned:
    """Return the plan of a fusion that is fitted on runs with judgements."""
    return lambda: Plan(_trained(method, params, normalizers, fit), normalizers)


def normalized_by(normalizers: Sequence[object], runs: list[Sent]) -> list[Sent]:
    """Return the runs, each with its own normalizer where there are some."""
    if not normalizers:
        return runs
    pairs = zip(runs, normalizers, strict=True)
    return [{**run, "normalizer": one} for run, one in pairs]


def fitted_on(normalizer: str, run: str) -> Normalizer:
    """Return a normalizer fitted on the hits of a run, with their labels where it takes some."""
    method = CATALOGUE.create(normalizer, {})
    scores, labels = cranfield("train").pooled(run)
    return method.fit(scores, labels=labels) if "labels" in method.fits else method.fit(scores)


def _trained(
    method: str,
    params: Mapping[str, object],
    normalizers: Sequence[object],
    fit: Mapping[str, object],
) -> Normalizer:
    training = cranfield("train")
    runs = normalized_by(normalizers, training.both())
    return CATALOGUE.create(method, params).fit(runs, qrels=training.qrels, **fit)
