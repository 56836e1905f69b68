"""Log-odds fusion: the weighted sum of the log odds of calibrated scores."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from normalizers.contract import Batch, Example, Notice, Statistics, param, unwrap
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.kernels import segments
from normalizers.kernels.list_order import sorted_lists
from normalizers.kernels.logspace import logit
from normalizers.kernels.segments import broadcast
from normalizers.pipeline.steps import Step
from normalizers.scores.fusion.base.score_fusion import lowest, own_normalizers
from normalizers.scores.fusion.base.summing import SummingFusion
from normalizers.scores.fusion.base.weighted import WeightedFusion
from normalizers.scores.fusion.runs.example import RUNS
from normalizers.scores.fusion.runs.pool import Entries, Pool, Share
from normalizers.scores.fusion.runs.run import Run
from normalizers.scores.fusion.runs.run_normalizer import RunNormalizer
from normalizers.scores.fusion.scores.convex import RunName, place_of_run

RAW = "identity"
# txtai's bounds of a probability and of a dense logit.
SMALLEST, LARGEST_LOGIT = 1e-10, 500.0
TWO_RUNS = 2


class LogOdds(WeightedFusion, SummingFusion):
    """Fuse scored lists: the weighted sum of the log odds of each score.

    ``score = sum w ln(p / (1 - p))`` over the runs, p from a calibrator named as `normalizer`: a
    fitted version of ``platt``, ``logistic``, ... whose log odds are taken without a detour through
    probabilities. Values of other normalizers count as probabilities within 1e-10 of 0 and 1.

    ``variant: txtai`` fuses one dense and one sparse run as txtai does: the dense logit is the
    score less the upper median of the query's positive scores, over their deviation; the sparse
    score is a probability; documents in both runs get ``both_scale``, the root of 2.

    Notes
    -----
    A document that a run lacks counts as `missing` says: with ``auto`` as the run's lowest log
    odds, because 0 would mean an even chance. Without weights each is 1; they are used as given
    unless `normalize_weights`.

    The parts of `explain` add up to the score, or to the score divided by its ``factor``. txtai
    9.14 answers the sigmoid of this score; the log odds keep the best documents apart. In that
    variant a run of weight 0 is left out with its documents.

    References
    ----------
    Sums of log odds: Robertson, "The probability ranking principle in IR", Journal of
    Documentation, 1977. The variant: txtai's hybrid search.

    Examples
    --------
    >>> from normalizers import LogOdds
    >>> dense = {"name": "dense", "ids": ["a", "b", "c"], "scores": [0.8, 0.6, 0.4]}
    >>> sparse = {"name": "sparse", "ids": ["b", "d"], "scores": [0.9, 0.5]}
    >>> answer = LogOdds(variant="txtai").apply_to(runs=[dense, sparse])
    >>> list(zip(answer["ids"].tolist(), answer["scores"].round(4).tolist()))
    [('b', 3.1073), ('a', 1.2247), ('d', 0.0), ('c', -1.2247)]
    """

    name = "log_odds"
    presets = {"txtai": {"variant": "txtai"}}
    example = Example(
        params={"normalizer": {"method": "percentile", "params": {"finite_logs": True}}},
        input=RUNS,
    )

    variant: Literal["calibrated", "txtai"] | None = param(
        default=None,
        default_value="calibrated",
        affects="answer",
        help="log odds of calibrated scores, or txtai's of one dense and one sparse run",
    )
    both_scale: float | None = param(
        default=None,
        resolves="1, the root of 2 with variant txtai",
        affects="answer",
        gt=0,
        help="factor of documents that every run found",
    )
    dense_run: RunName | None = param(
        default=None,
        resolves="the first with variant txtai",
        affects="answer",
        help="which run is dense, by name or place",
    )

    def check(self, path: str) -> None:
        """Refuse parameters of the other variant."""
        if self.is_txtai:
            _check_txtai(self, path)
        elif self.dense_run is not None:
            raise InvalidParams("'dense_run' needs variant 'txtai'", path=f"{path}.dense_run")

    @property
    def standard_normalizer(self) -> str:  # type: ignore[override]
        """What normalizes the runs when nothing is named; the variant takes raw scores."""
        return RAW if self.is_txtai else super().standard_normalizer

    @property
    def is_txtai(self) -> bool:
        """Whether it is the variant."""
        return self.variant == "txtai"

    @property
    def drops_zero_weight(self) -> bool:
        """Whether documents that only runs of weight 0 found are left out."""
        return self.is_txtai or super().drops_zero_weight

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Take the variant's constants."""
        scale = math.sqrt(2.0) if self.is_txtai else 1.0
        variant = {"dense_run": 0, "missing": "skip"} if self.is_txtai else {}
        return {**super().defaults(statistics), "both_scale": scale, **variant}

    def shares(self, pool: Pool, batch: Batch) -> tuple[list[Share], list[Notice]]:
        """Return the log odds of each hit, and of documents that a run lacks."""
        if not self.is_txtai:
            return super().shares(pool, batch)
        if len(pool.runs) != TWO_RUNS or any(own_normalizers(batch)):
            raise InvalidInput(
                "variant 'txtai' fuses the raw scores of two runs, one dense and one sparse",
                path="input.runs",
            )
        named = 0 if self.dense_run is None else self.dense_run
        dense = place_of_run(named, pool.runs, "params.dense_run")
        return [
            _txtai_share(run, weight, is_dense=place == dense)
            for place, (run, weight) in enumerate(zip(pool.runs, pool.weights, strict=True))
        ], []

    def normalized(
        self, normalizer: RunNormalizer, run: Run, path: str
    ) -> tuple[Array, list[Notice]]:
        """Return the log odds of each hit of a run."""
        log_odds = normalizer.log_odds(run, path)
        if log_odds is not None:
            # One certain run would outvote all others: infinite log odds count as those of
            # SMALLEST.
            limit = -float(logit(np.asarray(SMALLEST)))
            return np.where(np.isinf(log_odds), np.sign(log_odds) * limit, log_odds), []
        values, noticed = super().normalized(normalizer, run, path)
        # Values of 0 and 1, which min_max gives, have no finite log odds.
        return logit(np.clip(values, SMALLEST, 1 - SMALLEST)), noticed

    def absent(self, run: Run, values: Array, normalizer: RunNormalizer) -> Array | None:
        """Return by query what a run gives every document that it lacks."""
        if self.missing == "auto":
            return lowest(run, values)
        return super().absent(run, values, normalizer)

    def factor(self, entries: Entries, pool: Pool) -> Array | None:
        """Return the factor of documents that every run found, beside that of ``skip``."""
        own = None if self.is_txtai else super().factor(entries, pool)
        scale = unwrap(self.both_scale)
        if scale == 1:
            return own
        counted = np.count_nonzero(pool.weights > 0) if self.is_txtai else len(pool.runs)
        everywhere = (entries.finders == counted) & (counted > 1)
        factor = np.where(everywhere, scale, 1.0)
        return factor if own is None else factor * own


def _check_txtai(method: LogOdds, path: str) -> None:
    """Refuse what the variant says itself: it takes raw scores, and skips what is missing."""
    normalizer = method.normalizer
    if isinstance(normalizer, Step) and normalizer.method.name != RAW:
        raise InvalidParams("variant 'txtai' takes raw scores", path=f"{path}.normalizer")
    if method.missing not in (None, "skip"):
        raise InvalidParams("variant 'txtai' skips missing documents", path=f"{path}.missing")


def _txtai_share(run: Run, weight: float, *, is_dense: bool) -> Share:
    """Return txtai's logits of a run's hits; a run of weight 0 is left out."""
    if weight == 0:
        return Share(np.full(len(run.raw), np.nan))
    if not is_dense:
        logits = logit(np.clip(run.raw, SMALLEST, 1 - SMALLEST))
        return Share(logits, logits)
    positive = run.raw > 0
    scores = sorted_lists(segments.compress(run.lists.with_values(run.raw), positive))
    scale = np.nan_to_num(segments.centred_moments(scores).std())
    scale[scale == 0] = 1.0
    centred = run.raw - broadcast(_upper_medians(scores), run.lists)
    logits = np.clip(centred / broadcast(scale, run.lists), -LARGEST_LOGIT, LARGEST_LOGIT)
    return Share(logits, logits)


def _upper_medians(ascending: Ragged) -> Array:
    """Return the middle value of each list, the upper one of two; 0 of an empty list."""
    medians = np.zeros(len(ascending))
    filled = ascending.lengths > 0
    places = ascending.offsets[:-1] + ascending.lengths // 2
    medians[filled] = ascending.values[places[filled]]
    return medians
