"""Methods whose value depends on the rank of a score in its list alone."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

import numpy as np

from normalizers.contract import Answer, Batch, Fields, Fitted, Options, Traits, like, lists, param
from normalizers.data.arrays import Array
from normalizers.data.batch import InputForm
from normalizers.data.ragged import Ragged
from normalizers.errors import NonFiniteError, position_text
from normalizers.kernels import ranking, segments
from normalizers.scores.base.score_method import NanPolicy, ScoreMethod, in_place


class RankList(ScoreMethod):
    """Base of the methods that replace a score by a function of its rank, 1 for the best."""

    kinds = ("stateless",)
    traits = Traits(monotone=True)

    ties: ranking.Ties | None = param(
        default=None,
        default_value="position",
        affects="answer",
        help="ranks of equal scores: their places, the mean or the best of their places",
    )
    nan_policy: NanPolicy | None = param(
        default=None,
        resolves="a list with a missing score is ranked by its places",
        affects="answer",
        help="a missing score: refused, left out and missing in its place, or passed on",
    )

    @property
    def takes(self) -> Fields:
        """Lists of scores; without a policy a missing score is no score, and places count."""
        screened = self.nan_policy is not None
        return Fields(scores=lists(screened=screened, help="lists of scores; null is no score"))

    @property
    def gives(self) -> Fields:
        """One value a score."""
        return Fields(values=like("scores", lists(help="normalized scores")))

    @abstractmethod
    def of_ranks(self, ranks: Array, lengths: Array) -> Array:
        """Return the value of each rank; `lengths` are those of the lists, by score."""

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return a value for every score; an infinite one has no rank."""
        _require_no_infinity(batch.ragged("scores"), batch.form("scores"))
        return super().apply(fitted, batch, options)

    def normalized(self, fitted: Fitted, scores: Ragged, options: Options) -> Answer:
        """Return the value of every score."""
        by_place = self.nan_policy is None
        observed = np.full(len(scores.values), True) if by_place else ~np.isnan(scores.values)
        kept = segments.compress(self.directed(scores), observed)
        ranks = self._ranks(_by_place_where_missing(kept) if by_place else kept)
        values = self.of_ranks(ranks, segments.broadcast(kept.lengths, kept))
        answer = Answer({"values": scores.with_values(in_place(values, observed))})
        if not options.explain:
            return answer
        return replace(answer, explain=_parts(scores, in_place(ranks, observed)))

    def _ranks(self, scores: Ragged) -> Array:
        """Return the ranks of directed scores in their own order; ties stand as they were sent."""
        # lexsort is stable: equal scores stay as they were sent.
        best_first = np.lexsort((-scores.values, scores.part_of_each()))
        ordered = ranking.rank_lists(
            scores.with_values(scores.values[best_first]), self.ties or "position"
        )
        ranks = np.empty(len(ordered))
        ranks[best_first] = ordered
        return ranks


def _by_place_where_missing(scores: Ragged) -> Ragged:
    """Return the lists; one with a missing score has falling numbers in their place."""
    lost = segments.broadcast(segments.counts(scores, np.isnan(scores.values)) > 0, scores)
    place = np.arange(len(scores.values)) - segments.broadcast(scores.offsets[:-1], scores)
    return scores.with_values(np.where(lost, -place, scores.values))


def _require_no_infinity(scores: Ragged, form: InputForm) -> None:
    infinite = scores.positions(np.flatnonzero(np.isinf(scores.values))).tolist()
    if infinite:
        place = "input.scores" + position_text(form.as_written(infinite[0]))
        raise NonFiniteError(f"the score at {place} is infinite", path=place, positions=infinite)


def _parts(scores: Ragged, ranks: Array) -> list[dict[str, object]]:
    """Return by list its length and the rank of each score, null where it has none."""
    return [
        {"n": len(part), "ranks": [None if np.isnan(rank) else rank for rank in part.tolist()]}
        for part in scores.with_values(ranks)
    ]
