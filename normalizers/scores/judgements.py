"""Relevance judgements: which ids are relevant to each query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from normalizers.arrays import Array
from normalizers.batch import Batch
from normalizers.errors import InvalidInput, ShapeError
from normalizers.fields import Fields, id_lists, labels, lists, optional
from normalizers.ragged import Ragged, offsets_of
from normalizers.spelling import quoted

JUDGED = Fields(
    ids=id_lists(help="judged ids: one list a query, or one flat list beside query_ids"),
    judgements=optional(lists(help="of each id: above 0 is relevant; left out, all are")),
    query_ids=optional(labels("n 1", help="the query of each id, where ids are one flat list")),
)


@dataclass(frozen=True)
class Judgements:
    """The relevant ids of each query.

    Parameters
    ----------
    relevant : tuple of frozenset of str
        One set a query, in the order of the queries.
    judged : int
        Judgements of these queries, relevant or not.
    unknown_queries : int
        Queries among the judgements that are none of these.
    """

    relevant: tuple[frozenset[str], ...]
    judged: int
    unknown_queries: int = 0

    @property
    def counts(self) -> Array:
        """Number of relevant ids of each query, int64 of shape (q,)."""
        return np.array([len(ids) for ids in self.relevant], dtype=np.int64)

    def of(self, ids: Ragged) -> Ragged:
        """Return which ids of each query's list are relevant to it, booleans."""
        found = [
            name in relevant
            for relevant, part in zip(self.relevant, ids, strict=True)
            for name in part.tolist()
        ]
        return ids.with_values(np.array(found, dtype=bool))


def read_judgements(
    given: Batch, queries: int, path: str, names: Array | None = None
) -> Judgements:
    """Return the judgements of `queries` queries.

    Parameters
    ----------
    given : Batch
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
    ids = given.ragged("ids")
    values = (
        given.ragged("judgements").values if "judgements" in given else np.ones(len(ids.values))
    )
    if "query_ids" in given:
        owners = _owners(given, names, path)
        known = owners >= 0
        unknown = len(set(given.array("query_ids")[~known, 0].tolist()))
    else:
        _require_lists(ids, queries, path)
        owners, unknown = ids.part_of_each(), 0
        known = np.ones(len(owners), dtype=bool)
    by_query = np.argsort(np.where(known, owners, queries), kind="stable")[: int(known.sum())]
    grouped = Ragged(by_query, offsets_of(np.bincount(owners[known], minlength=queries)))
    relevant = tuple(_relevant(grouped, ids.values, values, path))
    return Judgements(relevant, len(by_query), unknown)


def _relevant(grouped: Ragged, ids: Array, values: Array, path: str) -> Iterator[frozenset[str]]:
    for places in grouped:
        names: Sequence[str] = ids[places].tolist()
        if len(set(names)) < len(names):
            repeated = next(name for index, name in enumerate(names) if name in names[:index])
            raise InvalidInput(
                f"the id {quoted(repeated)} is judged twice for one query", path=f"{path}.ids"
            )
        yield frozenset(ids[places[values[places] > 0]].tolist())


def _owners(given: Batch, names: Array | None, path: str) -> Array:
    """Return the index of the query of each judgement, -1 for one that is not asked."""
    if names is None:
        raise InvalidInput(
            "these judgements name their queries: send query_ids beside the runs too",
            path="query_ids",
        )
    own = given.array("query_ids")[:, 0]
    size = len(given.ragged("ids").values)
    if given.form("ids").style != "flat" and size:
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
