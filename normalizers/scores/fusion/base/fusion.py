"""What every fusion shares: runs in, one list a query out, paged, with the parts of each score."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Fields,
    Fitted,
    Notice,
    Options,
    Traits,
    id_lists,
    lists,
    notice,
    param,
    unwrap,
)
from normalizers.contract.method import Kind
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.kernels import ranking
from normalizers.normalizer import Normalizer
from normalizers.scores.fusion.runs.fused_lists import FusedLists, check_page, cut
from normalizers.scores.fusion.runs.pool import Entries, Pool, Share
from normalizers.scores.fusion.runs.read_runs import read_runs
from normalizers.scores.fusion.runs.run import Duplicates, ReadRules, Run, runs_field


class Fusion(Normalizer):
    """Base of the fusions: the score of a document is an exact sum of what runs contribute."""

    family = "scores"
    kinds: ClassVar[tuple[Kind, ...]] = ("stateless",)
    traits = Traits(options=frozenset({"depth", "top_k", "offset", "min_score"}))

    duplicates: Duplicates | None = param(
        default=None,
        default_value="best",
        affects="answer",
        help="an id twice in a list: its best or first place counts, its places add up, or refused",
    )
    higher_is_better: bool | None = param(
        default=None,
        default_value=True,
        affects="answer",
        help="direction of the scores of runs that do not say theirs",
    )

    @property
    def takes(self) -> Fields:
        """The runs."""
        return Fields(runs=runs_field())

    @property
    def gives(self) -> Fields:
        """One list a query: ids and their scores, best first."""
        return Fields(
            ids=id_lists(help="ids, best first"), scores=lists(help="fused scores, descending")
        )

    @property
    def drops_zero_weight(self) -> bool:
        """Whether documents that only runs of weight 0 found are left out."""
        return False

    def rules(self, options: Options) -> ReadRules:
        """Return how the lists of a run are read."""
        return ReadRules(
            unwrap(self.higher_is_better), unwrap(self.duplicates), "position", options.depth
        )

    def read(self, batch: Batch, options: Options) -> tuple[list[Run], list[Notice]]:
        """Return the runs and what was noticed about them."""
        return read_runs(batch, self.rules(options))

    def run_weights(self, runs: Sequence[Run]) -> Array:
        """Return the weight of each run: 1, unless a method has weights."""
        return np.ones(len(runs))

    @abstractmethod
    def shares(self, pool: Pool, batch: Batch) -> tuple[list[Share], list[Notice]]:
        """Return what each run gives documents, and what was noticed."""

    def contributions(self, entries: Entries, pool: Pool) -> Array:
        """Return what each entry adds to the score of its document."""
        return entries.values.values

    def factor(self, entries: Entries, pool: Pool) -> Array | None:
        """Return what the sum of each document is multiplied by; None for 1."""
        return None

    def scored(self, lists: FusedLists) -> Array:
        """Return the score of each document."""
        return lists.scores()

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the fused lists."""
        check_page(options)
        runs, notices = self.read(batch, options)
        pool = Pool.of(runs, self.run_weights(runs), fitted)
        shares, noticed = self.shares(pool, batch)
        single = batch.form("runs").style == "flat"
        answer = self._ranked(self._fused(pool, shares), shares, options, single=single)
        return answer.warned(*notices, *noticed, *_without_overlap(pool))

    def ranking(self, pool: Pool, batch: Batch) -> Ragged:
        """Return by query the documents of a pool, best first."""
        shares, _ = self.shares(pool, batch)
        lists = self._fused(pool, shares)
        scores = self.scored(lists)
        return lists.ordered(scores, self._counted(lists, scores, None))

    def _fused(self, pool: Pool, shares: Sequence[Share]) -> FusedLists:
        entries = Entries.of(pool, shares)
        valued, has_value = entries.valued()
        contributions = np.zeros(len(has_value))
        contributions[has_value] = self.contributions(valued, pool)
        return FusedLists(pool, entries, contributions, self.factor(valued, pool))

    def _ranked(
        self, lists: FusedLists, shares: Sequence[Share], options: Options, *, single: bool
    ) -> Answer:
        pool = lists.pool
        scores = self.scored(lists)
        ordered = lists.ordered(scores, self._counted(lists, scores, options.min_score))
        page = cut(ordered, options)
        output = {
            "ids": page.with_values(pool.union.ids.values[page.values]),
            "scores": page.with_values(scores[page.values]),
        }
        extra = {"total": ordered.lengths, "depth_used": _depths(pool, options.depth)}
        answer = Answer(
            output,
            report={"weights": _weights(pool)},
            extra={name: _told(numbers, single=single) for name, numbers in extra.items()},
        )
        if not options.explain:
            return answer
        parts = lists.explained(scores, page, shares)
        return replace(answer, explain=parts[0] if single else parts)

    def _counted(self, lists: FusedLists, scores: Array, min_score: float | None) -> Array:
        counted = np.ones(len(scores), dtype=bool)
        if min_score is not None:
            counted &= scores >= min_score
        if self.drops_zero_weight:
            counted &= lists.found_by_weight()
        return counted


class RankFusion(Fusion):
    """Base of the fusions that add up what each run gives a document for its rank.

    Notes
    -----
    Lists with scores are ranked by them in their run's direction, equal scores by id; lists without
    scores, or with a missing one, by position.
    """

    ties: ranking.Ties | None = param(
        default=None,
        default_value="position",
        affects="answer",
        help="ranks of equal scores in a list",
    )

    def rules(self, options: Options) -> ReadRules:
        """Return how the lists of a run are read."""
        return replace(super().rules(options), ties=unwrap(self.ties))

    def shares(self, pool: Pool, batch: Batch) -> tuple[list[Share], list[Notice]]:
        """Return what each run gives its hits for their ranks, and documents that it lacks."""
        pairs = zip(pool.runs, pool.weights.tolist(), strict=True)
        return [
            Share(self.by_rank(run, weight, pool), absent=self.by_absence(run, weight, pool))
            for run, weight in pairs
        ], []

    @abstractmethod
    def by_rank(self, run: Run, weight: float, pool: Pool) -> Array:
        """Return what a run of this weight gives each of its hits."""

    def by_absence(self, run: Run, weight: float, pool: Pool) -> Array | None:
        """Return by query what a run gives every document that it lacks; None for nothing."""
        return None


def _without_overlap(pool: Pool) -> list[Notice]:
    count = pool.queries_without_overlap()
    if not count:
        return []
    message = "several runs found something, but no document is in two of them: are ids the same?"
    return [notice("no_overlap", message, count=count)]


def _depths(pool: Pool, depth: int | None) -> Array:
    longest = np.max([run.lists.lengths for run in pool.runs], axis=0)
    return longest if depth is None else np.full(len(longest), depth)


def _told(numbers: Array, *, single: bool) -> object:
    listed = numbers.tolist()
    return listed[0] if single else listed


def _weights(pool: Pool) -> list[dict[str, object]]:
    return [
        {"run": run.name, "weight": weight}
        for run, weight in zip(pool.runs, pool.weights.tolist(), strict=True)
    ]
