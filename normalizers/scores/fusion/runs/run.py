"""A run as it takes part in a fusion, and the rules by which its lists are read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal, TypeAlias

from normalizers.contract import Field, id_lists, lists, optional, records, text
from normalizers.contract.fields import boolean
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.kernels import ranking, segments
from normalizers.kernels.factorize import FactorizedIds

Duplicates: TypeAlias = Literal["best", "first", "sum", "error"]
RunNanPolicy: TypeAlias = Literal["position", "reject", "omit", "last"]
TieOrder: TypeAlias = Literal["id", "trec"]


@dataclass(frozen=True)
class ReadRules:
    """How the lists of a run are read.

    Parameters
    ----------
    higher_is_better : bool
        Direction of runs that do not say theirs.
    duplicates : {'best', 'first', 'sum', 'error'}
        What counts where a list holds an id twice.
    ties : {'position', 'average', 'min'}
        Ranks of equal scores.
    depth : int or None
        How many of each list take part; None for all.
    nan_policy : {'position', 'reject', 'omit', 'last'}
        A list that lacks a score is ranked by its order; or the score is refused, its hit dropped,
        or put last without a score.
    order : {'id', 'trec'}
        Equal scores stand by id ascending, or as trec_eval sorts.
    """

    higher_is_better: bool
    duplicates: Duplicates
    ties: ranking.Ties
    depth: int | None
    nan_policy: RunNanPolicy = "position"
    order: TieOrder = "id"


@dataclass(frozen=True)
class Run:
    """One retriever's lists, one a query, best first.

    Parameters
    ----------
    name : str or int
        Its name, or its place in the request.
    coded : Coded
        Its ids, coded with those of the other runs; an id stands twice in a list only where
        duplicates add up.
    raw : array of shape (N,)
        Scores as they were sent, NaN where there is none.
    ranks : array of shape (N,)
        From 1 for the best.
    higher_is_better : bool
        Direction of its scores.
    similarity : str or None
        Which similarity made its scores, where it says so.
    """

    name: str | int
    coded: FactorizedIds
    raw: Array
    ranks: Array
    higher_is_better: bool = True
    similarity: str | None = None

    @property
    def ids(self) -> Ragged:
        """Object values of ``str``."""
        return self.coded.ids

    @cached_property
    def lists(self) -> Ragged:
        """One list a query, of numbers that stand for ids."""
        return self.coded.codes

    @property
    def lengths(self) -> Array:
        """Length of the list that each id stands in, shape (N,)."""
        return segments.broadcast(self.lists.lengths, self.lists)

    def query(self, index: int) -> slice:
        """Return where the list of a query stands."""
        return slice(int(self.lists.offsets[index]), int(self.lists.offsets[index + 1]))


@cache
def runs_field() -> Field:
    """Return the declared field of runs."""
    return records(
        help="one retriever's lists each, the same queries in the same order",
        ids=id_lists(help="ids, best first unless scores say otherwise"),
        scores=optional(lists(screened=False, help="their scores; null is no score")),
        name=optional(text(help="name of the run")),
        higher_is_better=optional(boolean(help="direction of the scores")),
        similarity=optional(text(help="which similarity made the scores, in place of a direction")),
    )
