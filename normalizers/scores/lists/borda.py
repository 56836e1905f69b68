"""Borda: ranks of several runs as values, with the documents that a run did not return."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Traits,
    id_lists,
    lists,
    optional,
    param,
    records,
    text,
    unwrap,
)
from normalizers.data.arrays import Array, string_array
from normalizers.data.batch import Style, Value
from normalizers.data.ragged import Ragged
from normalizers.kernels.ranking import Ties
from normalizers.kernels.segments import broadcast
from normalizers.scores.fusion.runs.pooled import PooledNormalizer
from normalizers.scores.fusion.runs.read_runs import read_runs
from normalizers.scores.fusion.runs.run import ReadRules, Run, runs_field

Points = dict[str, float]


class Borda(PooledNormalizer):
    """Replace the scores of runs by Borda values, documents that a run did not return included.

    With C distinct documents in all runs of a query, a run's list of n hits gives its document of
    rank r ``1 - (r - 1) / C``, and each of the C - n others ``1/2 - (n - 1) / (2 C)``, the mean of
    the values it did not give. Runs come back as they were named, best document first.

    Notes
    -----
    Lists with scores are ranked by them in their run's direction, equal scores by id; lists
    without scores, or with a missing one, by position. The documents that are added follow in the
    order of their ids. An empty list stays empty: the run has no opinion. Equal scores have the
    ranks of their places unless `ties` is ``average`` or ``min``. Cost O(N log N + C m) for N
    hits of m runs.

    References
    ----------
    Aslam and Montague, "Models for metasearch", SIGIR 2001; the normalizer ``borda`` of ranx.

    Examples
    --------
    >>> from normalizers import Borda
    >>> runs = Borda().apply_to(runs=[{"ids": ["a", "b"]}, {"ids": ["c"]}])["runs"]
    >>> [(run["ids"].tolist(), run["scores"].round(4).tolist()) for run in runs]
    [(['a', 'b', 'c'], [1.0, 0.6667, 0.3333]), (['c', 'a', 'b'], [1.0, 0.5, 0.5])]
    """

    name = "borda"
    family = "scores"
    kinds = ("stateless",)
    traits = Traits(options=frozenset({"depth"}))
    example = Example(
        input={
            "runs": [
                {"name": "bm25", "ids": ["a", "b"], "scores": [12.1, 7.0]},
                {"name": "dense", "ids": ["c", "a"], "scores": [0.83, 0.62]},
            ]
        }
    )

    duplicates: Literal["best", "first", "error"] | None = param(
        default=None,
        default_value="best",
        affects="answer",
        help="an id twice in a list: its best or first place counts, or refused",
    )
    ties: Ties | None = param(
        default=None,
        default_value="position",
        affects="answer",
        help="ranks of equal scores in a list",
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
        """The runs with a value for every document of the query."""
        return Fields(
            runs=records(
                help="the runs in the order of the request",
                name=optional(text(help="name of the run")),
                ids=id_lists(help="all documents of the query, best first"),
                scores=lists(help="their values, 0..1"),
            )
        )

    def normalize_in_pool(self, run: Run, totals: Array) -> tuple[Array, Array]:
        """Return the value of each hit of a run, and by query that of documents it lacks."""
        lengths = run.lists.lengths
        documents = broadcast(totals, run.lists)
        # (C - n + 1) / (2 C), the mean of the points that the hits left over.
        absent = 0.5 - (lengths - 1) / (2 * np.maximum(totals, 1))
        return 1 - (run.ranks - 1) / documents, np.where(lengths > 0, absent, np.nan)

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the runs with their values."""
        rules = ReadRules(
            unwrap(self.higher_is_better), unwrap(self.duplicates), unwrap(self.ties), options.depth
        )
        runs, notices = read_runs(batch, rules)
        pools = [_documents(runs, query) for query in range(len(runs[0].lists))]
        valued = [list(_valued(run, pools)) for run in runs]
        style = batch.form("runs").style
        answer = Answer(
            {
                "runs": tuple(
                    _record(run, lists, style) for run, lists in zip(runs, valued, strict=True)
                )
            }
        ).warned(*notices)
        return replace(answer, explain=_parts(runs, pools)) if options.explain else answer


def _documents(runs: Sequence[Run], query: int) -> list[str]:
    """Return the distinct documents of a query in the order of their ids."""
    found = {name for run in runs for name in run.ids.values[run.query(query)].tolist()}
    return sorted(found)


def _valued(run: Run, pools: Sequence[Sequence[str]]) -> Iterator[Points]:
    """Yield for every query the value of each document, best first."""
    for query, pool in enumerate(pools):
        ids = run.ids.values[run.query(query)].tolist()
        ranks = run.ranks[run.query(query)].tolist()
        c, n = len(pool), len(ids)
        points = {name: (c - rank + 1) / c for name, rank in zip(ids, ranks, strict=True)}
        if n:
            points |= {name: (c - n + 1) / (2 * c) for name in pool if name not in points}
        yield points


def _record(run: Run, lists: Sequence[Points], style: Style) -> Batch:
    """Return a run in the form of the request."""
    ids = Ragged.of([string_array(list(points)) for points in lists], object)
    scores = Ragged.of([np.array(list(points.values()), dtype=np.float64) for points in lists])
    name: dict[str, Value] = {"name": run.name} if isinstance(run.name, str) else {}
    if style == "nested":
        return Batch({**name, "ids": ids, "scores": scores})
    offsets: dict[str, Value] = {"offsets": ids.offsets} if style == "offsets" else {}
    return Batch({**name, "ids": ids.values, "scores": scores.values, **offsets})


def _parts(runs: Sequence[Run], pools: Sequence[Sequence[str]]) -> list[dict[str, object]]:
    """Return by query the number of documents, and by run that of its hits."""
    lengths = [run.lists.lengths.tolist() for run in runs]
    return [
        {"documents": len(pool), "hits": [of_run[query] for of_run in lengths]}
        for query, pool in enumerate(pools)
    ]
