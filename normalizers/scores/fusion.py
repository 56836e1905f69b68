"""What every rank fusion shares: runs in, one list out, paged, with the parts of each score."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from normalizers.answer import Answer, Options
from normalizers.arrays import Array
from normalizers.batch import Batch
from normalizers.errors import InvalidParams
from normalizers.fields import Fields, id_lists, lists
from normalizers.fitted import Fitted
from normalizers.kernels import fuse, ranking
from normalizers.normalizer import Normalizer
from normalizers.parameters import known, param
from normalizers.ragged import Ragged
from normalizers.scores.runs import Duplicates, Rules, Run, read_runs, runs_field

Hit = dict[str, object]


@dataclass(frozen=True)
class Contributors:
    """The runs of a fusion with what they give.

    Parameters
    ----------
    runs : list of Run
    weights : array of shape (runs,)
    given : list of arrays
        For every run what each of its ids gets, of the shape of its ranks.
    """

    runs: list[Run]
    weights: Array
    given: list[Array]


@dataclass(frozen=True)
class FusedList:
    """The fused list of one query.

    Parameters
    ----------
    union : Union
        The ids of all runs, and where each run's ids stand among them.
    scores : array of shape (u,)
        The score of each of these ids.
    order : int64 array
        Indices of the hits that count, best first.
    """

    union: fuse.Union
    scores: Array
    order: Array

    def page(self, options: Options) -> Array:
        """Return the indices of the slice that was asked for."""
        start = options.offset or 0
        stop = None if options.top_k is None else start + options.top_k
        return self.order[start:stop]


class RankFusion(Normalizer):
    """Base of the fusions that add up what each run gives a document for its rank."""

    family = "scores"
    kinds = ("stateless",)
    answers_options = frozenset({"depth", "top_k", "offset", "min_score"})

    duplicates: Duplicates | None = param(
        default=None,
        standard="best",
        affects="answer",
        help="an id twice in a list: its best or first place counts, its places add up, or refused",
    )
    ties: ranking.Ties | None = param(
        default=None, standard="position", affects="answer", help="ranks of equal scores in a list"
    )
    drop_zero_weight: bool | None = param(
        default=None,
        standard=False,
        affects="answer",
        help="leave out documents that only runs of weight 0 found",
    )
    higher_is_better: bool | None = param(
        default=None,
        standard=True,
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

    @abstractmethod
    def run_weights(self, runs: Sequence[Run]) -> Array:
        """Return the weight of each run."""

    @abstractmethod
    def contributions(self, run: Run, weight: float, weights: Array) -> Array:
        """Return what a run of this weight gives each of its ids."""

    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        """Return the fused lists."""
        check_page(options)
        rules = Rules(
            known(self.higher_is_better), known(self.duplicates), known(self.ties), options.depth
        )
        runs, notices = read_runs(given, rules)
        weights = self.run_weights(runs)
        paid = [
            self.contributions(run, weight, weights)
            for run, weight in zip(runs, weights.tolist(), strict=True)
        ]
        contributors = Contributors(runs, weights, paid)
        single = given.form("runs").style == "flat"
        answer = self._ranked(contributors, options, single=single)
        return answer.warned(*notices)

    def _ranked(self, contributors: Contributors, options: Options, *, single: bool) -> Answer:
        queries = range(len(contributors.runs[0].ids))
        fused = [self._fused(contributors, query, options.min_score) for query in queries]
        pages = [one.page(options) for one in fused]
        both = list(zip(fused, pages, strict=True))
        output = {
            "ids": Ragged.of([one.union.ids[page] for one, page in both], object),
            "scores": Ragged.of([one.scores[page] for one, page in both]),
        }
        totals = [len(one.order) for one in fused]
        depths = [options.depth or _longest(contributors.runs, query) for query in queries]
        extra: dict[str, object] = {
            "total": totals[0] if single else totals,
            "depth_used": depths[0] if single else depths,
        }
        used = [
            {"run": run.name, "weight": weight}
            for run, weight in zip(contributors.runs, contributors.weights.tolist(), strict=True)
        ]
        answer = Answer(output, report={"weights": used}, extra=extra)
        if not options.explain:
            return answer
        parts = [_explained(contributors, query, *pair) for query, pair in enumerate(both)]
        return replace(answer, explain=parts[0] if single else parts)

    def _fused(self, contributors: Contributors, query: int, min_score: float | None) -> FusedList:
        parts = [run.query(query) for run in contributors.runs]
        together = fuse.union(
            [run.ids.values[part] for run, part in zip(contributors.runs, parts, strict=True)]
        )
        given = [paid[part] for paid, part in zip(contributors.given, parts, strict=True)]
        values = fuse.contributions(together.positions, given, len(together.ids)).values
        scores = fuse.fused(values)
        counted = np.ones(len(scores), dtype=bool)
        if min_score is not None:
            counted &= scores >= min_score
        if self.drop_zero_weight:
            counted &= together.presence()[contributors.weights > 0].any(axis=0)
        order = ranking.order_positions(scores)
        return FusedList(together, scores, order[counted[order]])


def check_page(options: Options) -> None:
    """Refuse a page that lies beyond the depth."""
    needed = (options.offset or 0) + (options.top_k or 0)
    if options.depth is not None and options.top_k is not None and options.depth < needed:
        raise InvalidParams(
            f"depth {options.depth} is less than offset + top_k, {needed}", path="options.depth"
        )


def _longest(runs: Sequence[Run], query: int) -> int:
    return max(int(run.ids.lengths[query]) for run in runs)


def _explained(contributors: Contributors, query: int, fused: FusedList, page: Array) -> list[Hit]:
    """Return for each hit its parts by run, in the order of the runs in the request."""
    places = [_places(positions) for positions in fused.union.positions]
    return [
        {
            "id": fused.union.ids[hit],
            "score": float(fused.scores[hit]),
            "parts": [
                part
                for index in range(len(places))
                for part in _parts(contributors, index, query, places[index].get(hit, []))
            ],
        }
        for hit in page.tolist()
    ]


def _places(positions: Array) -> dict[int, list[int]]:
    """Return for each id of the union where a run has it."""
    places: dict[int, list[int]] = {}
    for place, position in enumerate(positions.tolist()):
        places.setdefault(position, []).append(place)
    return places


def _parts(contributors: Contributors, index: int, query: int, places: Sequence[int]) -> list[Hit]:
    run, weight = contributors.runs[index], float(contributors.weights[index])
    absent: Hit = {"run": run.name, "rank": None, "raw": None, "normalized": None,
                   "weight": weight, "contribution": 0.0}  # fmt: skip
    start = run.query(query).start
    return [
        {
            **absent,
            "rank": run.ranks[start + place].item(),
            "raw": None if np.isnan(raw := run.raw[start + place]) else float(raw),
            "contribution": float(contributors.given[index][start + place]),
        }
        for place in places
    ] or [absent]
