"""Order and ranks: score first, then id by code point or the lowest index."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged, offsets_of
from normalizers.errors import InvalidParams
from normalizers.kernels.list_order import order_ascending
from normalizers.kernels.segments import broadcast
from normalizers.messages import did_you_mean

Ties: TypeAlias = Literal["position", "average", "min"]


def order(scores: Array, ids: Array, higher_is_better: bool = True) -> Array:
    """Return the indices that put the best score first, equal scores by id ascending.

    Parameters
    ----------
    scores : array of shape (k,)
        NaN comes after every other score.
    ids : object array of str, shape (k,)
        Compared by code point; or numbers that are ordered as the ids are.
    higher_is_better : bool
        Direction of the scores.

    Returns
    -------
    int64 array of shape (k,)

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.data.arrays import string_array
    >>> from normalizers.kernels.ranking import order
    >>> order(np.array([0.5, 0.9, 0.5]), string_array(["b", "c", "a"])).tolist()
    [1, 2, 0]
    """
    return order_lists(Ragged(scores, offsets_of([len(scores)])), ids, higher_is_better)


def order_lists(lists: Ragged, ids: Array, higher_is_better: bool = True) -> Array:
    """Return the flat indices that order every list on its own, shape (N,); see :func:`order`."""
    keys = -lists.values if higher_is_better else lists.values
    best_first = order_ascending(lists.with_values(keys))
    bounds = _runs(lists.with_values(keys[best_first]))
    # Strings are compared within ties only: most scores have none, and numbers sort faster.
    for run in np.flatnonzero(np.diff(bounds) > 1):
        tied = slice(bounds[run], bounds[run + 1])
        best_first[tied] = sorted(best_first[tied].tolist(), key=ids.__getitem__)
    return best_first


def order_as_trec(lists: Ragged, ids: Array) -> Array:
    """Return the flat indices that order every list as trec_eval does, shape (N,).

    Descending scores in single precision, in which it holds them; equal ones by id descending.
    """
    with np.errstate(over="ignore"):
        single = lists.values.astype(np.float32)
    return np.lexsort((-ids, -single, lists.part_of_each()))


def order_positions(scores: Array) -> Array:
    """Return descending order along the last axis; equal scores by lowest index, NaN last."""
    return np.argsort(-scores, axis=-1, kind="stable")


def order_stable(lists: Ragged) -> Array:
    """Return the flat indices that order every list descending, equal values as they stand."""
    return order_ascending(lists.with_values(-lists.values))


def ranks(ordered: Array, ties: Ties = "position") -> Array:
    """Return the ranks, from 1, of scores that stand in their order; shape (k,).

    Parameters
    ----------
    ordered : array of shape (k,)
        Scores, best first.
    ties : {"position", "average", "min"}
        What equal scores get: their place, its mean, or the best of their places.

    Returns
    -------
    array of shape (k,)
        int64; float64 for ``average``.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.ranking import ranks
    >>> ranks(np.array([9.0, 5.0, 5.0, 1.0]), "average").tolist()
    [1.0, 2.5, 2.5, 4.0]
    """
    return rank_lists(Ragged(ordered, offsets_of([len(ordered)])), ties)


def rank_lists(ordered: Ragged, ties: Ties = "position") -> Array:
    """Return the ranks within every list, shape (N,); see :func:`ranks`."""
    if ties not in get_args(Ties):
        known = get_args(Ties)
        raise InvalidParams(
            f"ties '{ties}' is not one of {', '.join(known)}{did_you_mean(ties, known)}",
            path="ties",
        )
    first_place = broadcast(ordered.offsets[:-1], ordered) - 1
    if ties == "position":
        return np.asarray(np.arange(len(ordered.values)) - first_place)
    bounds = _runs(ordered)
    lengths = np.diff(bounds)
    best = np.repeat(bounds[:-1], lengths) - first_place
    # The ranks best .. best + length - 1 have the mean best + (length - 1) / 2.
    return np.asarray(best if ties == "min" else best + (np.repeat(lengths, lengths) - 1) / 2)


def _runs(ordered: Ragged) -> Array:
    """Return where runs of equal values within a list start, and the end; NaN equals NaN."""
    values = ordered.values
    begins = np.ones(len(values) + 1, dtype=bool)
    begins[1:-1] = values[1:] != values[:-1]
    # NaN differs from NaN, yet missing scores share their rank.
    missing = np.isnan(values)
    if missing.any():
        begins[1:-1] &= ~(missing[1:] & missing[:-1])
    begins[ordered.offsets] = True
    return np.flatnonzero(begins) if len(values) else np.zeros(1, dtype=np.int64)
