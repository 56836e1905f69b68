"""Logistic regression of relevance on what several runs say of a document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, cast

import numpy as np

from normalizers.contract import Batch, Fields, Fitted, Notice, Statistic, Statistics, param, unwrap
from normalizers.contract.resolution import unfitted
from normalizers.data.arrays import Array, string_array
from normalizers.errors import FitError
from normalizers.kernels.logspace import sigmoid
from normalizers.messages import quoted
from normalizers.scores.fusion.base.normalizer_parameter import NormalizerReference
from normalizers.scores.fusion.base.score_fusion import ScoreFusion
from normalizers.scores.fusion.runs.fused_lists import FusedLists
from normalizers.scores.fusion.runs.pool import Pool, Share
from normalizers.scores.fusion.runs.run_normalizer import read_step_of_run
from normalizers.scores.fusion.training.feature_regression import regressed
from normalizers.scores.fusion.training.score_features import (
    SCORE_PRESENCE,
    TWO_SCALE,
    Block,
    score_presence,
    two_scale,
)
from normalizers.scores.fusion.training.trained_fusion import rows_of
from normalizers.scores.fusion.training.training import (
    RUNS,
    read_training,
    standing_at,
    training_fields,
)
from normalizers.statistics import Counts, Grouped, Sample
from normalizers.statistics.base.posted import refuse_where

Features: TypeAlias = Literal["score_presence", "two_scale"]
Output: TypeAlias = Literal["probability", "linear"]
NAMES: Mapping[str, tuple[str, ...]] = {"score_presence": SCORE_PRESENCE, "two_scale": TWO_SCALE}
FEATURES, LABELS, KEY = "features", "labels", ("run",)
SAMPLE, COUNTS, FIT = "sample", "counts", "fit"


class LogisticFusion(ScoreFusion):
    """Fuse scored lists by a logistic regression; `logistic` is it when it has `features`."""

    kinds = ("fitted",)

    C: float | None = param(default=None, affects="solution", gt=0, help="see logistic")
    features: Features | None = param(default=None, affects="statistics", help="see logistic")
    output: Output | None = param(
        default=None, default_value="probability", affects="answer", help="see logistic"
    )
    normalizer: object | None = param(
        default=None,
        read=read_step_of_run,
        resolves="min_max",
        affects="statistics",
        references=NormalizerReference(),
        help="see logistic",
    )

    @property
    def fits(self) -> Fields:
        """Runs of the training queries with their judgements."""
        return training_fields(self.takes[RUNS])

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """One row a document of a training query, and how many hits each run had."""
        return {SAMPLE: Sample((FEATURES, LABELS)), COUNTS: Grouped(Counts(), KEY)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the documents of training queries, the features of the runs in order of names."""
        training = read_training(self, batch, FIT)
        if not len(training):
            return statistics
        pool = Pool.of(training.runs, np.ones(len(training.runs)))
        with standing_at(FIT):
            blocks, _ = self.blocks(pool, batch)
        order = sorted(range(len(blocks)), key=lambda run: str(pool.runs[run].name))
        rows = np.hstack([blocks[run].of_documents(pool, run) for run in order])
        labels = training.judgements.of(pool.union.ids).values.astype(np.float64)
        kept = cast("Grouped[Counts]", statistics[COUNTS])
        for run in pool.runs:
            counted = kept.update(
                string_array([str(run.name)]), np.ones(1), np.array([len(run.raw)])
            )
            kept = counted if len(run.raw) else kept
        sample = cast(Sample, statistics[SAMPLE]).update(rows, labels)
        return statistics.replace(**{SAMPLE: sample, COUNTS: kept})

    def report(self, batch: Batch, fitted: Fitted) -> dict[str, object]:
        """Return how many queries and judgements there were."""
        return read_training(self, batch, FIT).report()

    def check_statistics(self, statistics: Statistics, path: str) -> None:
        """Refuse posted labels that are not 0 or 1."""
        super().check_statistics(statistics, path)
        sample = cast(Sample, statistics[SAMPLE])
        if sample.n:
            labels = sample[LABELS]
            wrong = (labels != 0) & (labels != 1)
            refuse_where(wrong, "a label is 0 or 1", f"{path}.{SAMPLE}.{LABELS}")

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the coefficients of the standardised features of each run."""
        sample, kept = cast(Sample, statistics[SAMPLE]), cast("Grouped[Counts]", statistics[COUNTS])
        runs, names = [key[0] for key in kept], NAMES[unwrap(self.features)]
        if not sample.n or sample[FEATURES].shape[1] != len(runs) * len(names):
            raise FitError("every training query needs hits of the same runs; it says of none")
        called = [f"'{name}' of run {quoted(run)}" for run in runs for name in names]
        regression = regressed(sample[FEATURES], sample[LABELS], self.C, called)
        own = unfitted(self)
        arrays = {**own.arrays, RUNS: string_array(runs), **regression.arrays(len(runs))}
        told = regression.report(runs, names)
        return Fitted(arrays, own.sizes, told, regression.warnings)

    def blocks(self, pool: Pool, batch: Batch) -> tuple[list[Block], list[Notice]]:
        """Return the features of each run, and what was noticed."""
        if self.features == "two_scale":
            places = (f"input.runs[{index}]" for index in range(len(pool.runs)))
            return list(map(two_scale, pool.runs, places)), []
        shares, notices = super().shares(pool, batch)
        pairs = zip(pool.runs, shares, strict=True)
        return [score_presence(run, share.values) for run, share in pairs], notices

    def shares(self, pool: Pool, batch: Batch) -> tuple[list[Share], list[Notice]]:
        """Return what each run adds to the log odds of its hits, and of documents it lacks."""
        blocks, notices = self.blocks(pool, batch)
        pairs = zip(blocks, rows_of(pool), strict=True)
        # An equal part of the intercept each, so that what the runs add is the log odds.
        level = float(pool.fitted["intercept"]) / len(blocks)
        return [_share(block, pool.fitted, row, level) for block, row in pairs], notices

    def scored(self, lists: FusedLists) -> Array:
        """Return the probability of relevance, or its log odds."""
        log_odds = super().scored(lists)
        return sigmoid(log_odds) if self.output == "probability" else log_odds


def _share(block: Block, fitted: Fitted, row: int, level: float) -> Share:
    """Return the log odds of one run, with its part of the intercept; an empty list is neutral."""

    def log_odds(features: Array) -> Array:
        standard = (features - fitted["means"][row]) / fitted["scales"][row]
        return np.asarray((standard * fitted["coefficients"][row]).sum(axis=1) + level)

    absent = log_odds(block.absent)
    hits = log_odds(block.hits)
    # An empty list tells nothing of any document: no more than its part of the intercept.
    return Share(hits, absent=np.where(np.isnan(absent), level, absent))
