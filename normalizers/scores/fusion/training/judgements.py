"""Relevance judgements: how relevant ids are to each query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from normalizers.contract import Batch, Fields, id_lists, labels, lists, optional
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged, offsets_of
from normalizers.errors import InvalidInput, ShapeError
from normalizers.measures.judged import Judged
from normalizers.messages import quoted

JUDGED = Fields(
    ids=id_lists(help="judged ids: one list a query, or one flat list beside query_ids"),
    judgements=optional(lists(help="of each id: above 0 is relevant; left out, all are 1")),
    query_ids=optional(labels("n 1", help="the query of each id, where ids are one flat list")),
)


@dataclass(frozen=True)
class Judgements:
    """What was judged of each query.

    Parameters
    ----------
    grades : tuple of mappings from str to float
        The judgement of each judged id, one mapping a query, in the order of the queries.
    unknown_queries : int
        Queries among the judgements that are none of these.
    """

    grades: tuple[Mapping[str, float], ...]
    unknown_queries: int = 0

    @cached_property
    def relevant(self) -> tuple[frozenset[str], ...]:
        """The ids of each query whose judgement is above 0."""
        return tuple(
            frozenset(name for name, grade in grades.items() if grade > 0) for grades in self.grades
        )

    @property
    def judged(self) -> int:
        """Number of judgements of these queries, relevant or not."""
        return sum(map(len, self.grades))

    @property
    def counts(self) -> Array:
        """Number of relevant ids of each query, int64 of shape (q,)."""
        return np.array([len(ids) for ids in self.relevant], dtype=np.int64)

    @cached_property
    def pool(self) -> Ragged:
        """All judgements of each query."""
        values = [grade for grades in self.grades for grade in grades.values()]
        lengths = np.array([len(grades) for grades in self.grades], dtype=np.int64)
        return Ragged(np.array(values, dtype=np.float64), offsets_of(lengths))

    def grades_of(self, ids: Ragged) -> Ragged:
        """Return the judgement of every id in each query's list, NaN for one without."""
        found = [
            grades.get(name, np.nan)
            for grades, part in zip(self.grades, ids, strict=True)
            for name in part.tolist()
        ]
        return ids.with_values(np.array(found, dtype=np.float64))

    def of(self, ids: Ragged) -> Ragged:
        """Return which ids of each query's list are relevant to it, booleans."""
        grades = self.grades_of(ids)
        return grades.with_values(grades.values > 0)

    def judge(self, ids: Ragged) -> Judged:
        """Return ranked lists of ids with what these judgements say of them."""
        return Judged.graded(self.grades_of(ids), self.pool)


def read_judgements(
    batch: Batch, queries: int, path: str, names: Array | None = None
) -> Judgements:
    """Return the judgements of `queries` queries.

    Parameters
    ----------
    batch : Batch
        The fields `JUDGED`.
    queries : int
        Number of queries of the runs.
    path : str
        Where the judgements stand.
    names : object array of str, optional
        Ids of the queries; judgements that name their query need them.

    Raises
    ------
    InvalidInput
        An id that is judged twice for a query, or queries that are named on one side only.
    ShapeError
        Another number of lists than of queries, or of query ids than of ids.
    """
    ids = batch.ragged("ids")
    values = (
        batch.ragged("judgements").values if "judgements" in batch else np.ones(len(ids.values))
    )
    if "query_ids" in batch:
        owners = _owners(batch, names, path)
        known = owners >= 0
        unknown = len(set(batch.array("query_ids")[~known, 0].tolist()))
    else:
        _require_lists(ids, queries, path)
        owners, unknown = ids.part_of_each(), 0
        known = np.ones(len(owners), dtype=bool)
    by_query = np.argsort(np.where(known, owners, queries), kind="stable")[: int(known.sum())]
    grouped = Ragged(by_query, offsets_of(np.bincount(owners[known], minlength=queries)))
    return Judgements(tuple(_grades(grouped, ids.values, values, path)), unknown)


def _grades(grouped: Ragged, ids: Array, values: Array, path: str) -> Iterator[dict[str, float]]:
    for places in grouped:
        names: Sequence[str] = ids[places].tolist()
        if len(set(names)) < len(names):
            repeated = next(name for index, name in enumerate(names) if name in names[:index])
            raise InvalidInput(
                f"the id {quoted(repeated)} is judged twice for one query", path=f"{path}.ids"
            )
        yield dict(zip(names, values[places].tolist(), strict=True))


def _owners(batch: Batch, names: Array | None, path: str) -> Array:
    """Return the index of the query of each judgement, -1 for one that is not asked."""
    if names is None:
        raise InvalidInput(
            "these judgements name their queries: send query_ids beside the runs too",
            path="query_ids",
        )
    own = batch.array("query_ids")[:, 0]
    size = len(batch.ragged("ids").values)
    if batch.form("ids").style != "flat" and size:
        raise ShapeError("ids are one flat list beside query_ids", path=f"{path}.ids")
    if len(own) != size:
        raise ShapeError(f"{len(own)} query ids for {size} ids", path=f"{path}.query_ids")
    index = {name: position for position, name in enumerate(names.tolist())}
    return np.array([index.get(name, -1) for name in own.tolist()], dtype=np.int64)


def _require_lists(ids: Ragged, queries: int, path: str) -> None:
    if len(ids) != queries:
        raise ShapeError(
            f"judgements of {len(ids)} queries, but the runs have {queries}", path=f"{path}.ids"
        )
