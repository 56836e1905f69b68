"""How good each fusion is: nDCG@10 and recall@100 on both collections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.retrieval.collection import Collection, Sent, cacm, cranfield
from benchmarks.retrieval.plan import Planned, by_run, fitted_runs, plain, trained
from normalizers.evaluation import evaluate
from normalizers.evaluation.result import Result

RANKING, FOUND = "ndcg@10", "recall@100"
HEAD = (
    "fusion", "learns", "Cranfield nDCG@10", "beside `rrf` [95 %]", "Cranfield recall@100",
    "CACM nDCG@10", "CACM recall@100",
)  # fmt: skip
DEPTHS = (5, 10, 20, 50, 100)
STEP = 0.05
TMM = [{"method": "tmm", "params": {"theoretical_min": low}} for low in (0.0, -1.0)]
BASE = plain("rrf")
TWO_SCALES = trained("logistic", {"features": "two_scale", "C": 0.1})

ALONE = {"BM25 alone": "bm25", "dense alone": "dense"}
UNTRAINED: Mapping[str, Planned] = {
    "`rrf`, k 60 (advised for ranks)": BASE,
    "`rrf`, k 10": plain("rrf", k=10.0),
    "`wsum` of `min_max` (advised for scores)": plain("wsum"),
    "`wsum` of `max`": plain("wsum", normalizer="max"),
    "`wsum` of `sum`": plain("wsum", normalizer="sum"),
    "`wsum` of `l2`": plain("wsum", normalizer="l2"),
    "`wsum` of `dbsf`": plain("wsum", normalizer="dbsf"),
    "`wsum` of `tmm`": by_run(TMM, "wsum"),
    "`wsum` of `banded_min_max`": plain("wsum", normalizer="banded_min_max"),
    "`wsum` of `z_score`, missing as lowest": plain("wsum", normalizer="z_score"),
    "`wsum` of `z_score`, missing as 0": plain("wsum", normalizer="z_score", missing="zero"),
    "`wsum` of raw scores": plain("wsum", normalizer="identity"),
    "`combmnz` of `min_max`": plain("combmnz", normalizer="min_max"),
    "`combmax` of `min_max`": plain("combmax", normalizer="min_max"),
    "`combmin` of `min_max`": plain("combmin", normalizer="min_max"),
    "`bordafuse`": plain("bordafuse"),
    "`condorcet`": plain("condorcet"),
    "`isr`": plain("isr"),
    "`rbc`, phi 0.95": plain("rbc", phi=0.95),
}
TRAINED: Mapping[str, Planned] = {
    "`convex` of `min_max`, alpha searched": trained(
        "convex", {"alpha_run": "dense"}, measure=RANKING, grid=STEP
    ),
    "`wsum` of fitted `percentile`": fitted_runs("percentile", "wsum"),
    "`log_odds` of `platt`": fitted_runs("platt", "log_odds"),
    "`wsum` of `isotonic`": fitted_runs("isotonic", "wsum"),
    "`logistic`, score and presence of `tmm`": trained(
        "logistic", {"features": "score_presence", "C": 1.0}, TMM
    ),
    "`logistic`, two scales": TWO_SCALES,
    "`mapfuse`": trained("mapfuse", {}),
    "`posfuse`": trained("posfuse", {}),
    "`bayesfuse`": trained("bayesfuse", {}),
    "`segfuse`": trained("segfuse", {}),
    "`slidefuse`, w 6": trained("slidefuse", {"w": 6}),
    "`probfuse`, 25 segments": trained("probfuse", {"n_segments": 25}),
}
LABELS = (*ALONE, *UNTRAINED, *TRAINED)
BY_DEPTH = {"`rrf`": BASE, "`wsum` of `min_max`": plain("wsum")}


@dataclass(frozen=True)
class Measured:
    """One row: the measures of both collections, and the distance from `rrf` on Cranfield."""

    ranking: Result
    found: Result
    abroad: tuple[float, float]

    def cells(self) -> list[str]:
        """Return the numbers as the table shows them."""
        return [
            _rounded(self.ranking.value),
            self._beside(),
            _rounded(self.found.value),
            *map(_rounded, self.abroad),
        ]

    def _beside(self) -> str:
        compared = self.ranking.comparison
        if compared is None or compared.interval.lower == compared.interval.upper == 0:
            return ""
        ends = compared.interval.lower, compared.interval.upper
        return "{:+.3f} [{:+.3f}, {:+.3f}]".format(compared.difference, *ends)


def rows(labels: Sequence[str] = LABELS) -> Iterator[list[str]]:
    """Yield the rows of the table of fusions."""
    test, abroad = cranfield("test"), cacm()
    base = {**BASE().fused(test), "name": "base"}
    for label in labels:
        learns = "yes" if label in TRAINED else ""
        run, other = _lists(label, (test, abroad))
        yield [label, learns, *_measured(run, base, other).cells()]


def depth_rows(depths: Sequence[int] = DEPTHS) -> Iterator[list[str]]:
    """Yield nDCG@10 on Cranfield with lists that were cut before the fusion."""
    test = cranfield("test")
    for depth in depths:
        fused = [planned().fused(test, depth) for planned in BY_DEPTH.values()]
        yield [str(depth), *(_rounded(_ranking(run, test)) for run in fused)]


def _lists(label: str, collections: Sequence[Collection]) -> list[Sent]:
    if label in ALONE:
        return [one.run(ALONE[label]) for one in collections]
    plan = {**UNTRAINED, **TRAINED}[label]()
    return [plan.fused(one) for one in collections]


def _measured(run: Sent, base: Sent, abroad: Sent) -> Measured:
    told = evaluate(
        [RANKING, FOUND], runs=[run, base], qrels=cranfield("test").qrels, baseline="base"
    )
    ranking, _, found, _ = told.results
    other = evaluate([RANKING, FOUND], runs=[abroad], qrels=cacm().qrels)
    return Measured(ranking, found, (other[RANKING], other[FOUND]))


def _ranking(run: Sent, collection: Collection) -> float:
    return evaluate([RANKING], runs=[run], qrels=collection.qrels)[RANKING]


def _rounded(value: float) -> str:
    return f"{value:.3f}"
