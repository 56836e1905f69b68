"""Candidate lists: whose items they are, and what may be missing from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, position_text
from normalizers.kernels import segments
from normalizers.kernels.list_order import sorted_lists
from normalizers.validation.labels import first_repeated


def item_positions(item_ids: Array | None, items: int) -> dict[str, int]:
    """Return the position of every item id; without ids a position is its own name."""
    names = map(str, range(items)) if item_ids is None else item_ids.tolist()
    return {name: position for position, name in enumerate(names)}


def located(candidate_ids: Ragged, positions: Mapping[str, int], path: str) -> Array:
    """Return the position of each candidate's item, -1 where the fit does not know it.

    Raises
    ------
    InvalidInput
        The same id twice in one list.
    """
    for index, ids in enumerate(candidate_ids):
        repeated = first_repeated(ids.tolist())
        if repeated is not None:
            place = path + position_text((index, repeated))
            raise InvalidInput("the same candidate stands in this list twice", path=place)
    found = (positions.get(name, -1) for name in candidate_ids.values.tolist())
    return np.fromiter(found, dtype=np.int64, count=len(candidate_ids.values))


class Certificate(NamedTuple):
    """Whether the best candidates of each list are the best of the whole gallery.

    Parameters
    ----------
    min_margin : list of float or None
        By how much the last of the best exceeds what an item outside the list could reach;
        None where the list has too few candidates, or no item is outside.
    certified : list of bool
        Whether that is above 0, or no item is outside.
    """

    min_margin: list[float | None]
    certified: list[bool]


def certificate(
    raw: Ragged, adjusted: Ragged, lowest_bias: float, top_k: int, complete: Array
) -> Certificate:
    """Return what is certain about lists that hold the best raw scores of their query.

    An item outside the list has at most the list's worst raw score, so after the correction at
    most that minus the lowest bias of the gallery.

    Parameters
    ----------
    raw, adjusted : Ragged
        Scores before and after; NaN is missing.
    lowest_bias : float
        Smallest bias of the gallery, strength included.
    top_k : int
        How many of the best are meant.
    complete : boolean array of shape (q,)
        Lists that hold the whole gallery.
    """
    observed = ~np.isnan(adjusted.values)
    ascending = sorted_lists(segments.compress(adjusted, observed))
    enough = ascending.lengths >= top_k
    last = np.full(len(raw), np.nan)
    last[enough] = ascending.values[ascending.offsets[1:][enough] - top_k]
    # An item outside the list has a raw score of at most its lowest, so an adjusted one of at most
    # min raw - min bias.
    margin = last - (segments.minima(raw, observed) - lowest_bias)
    certified = complete | (margin > 0)
    known = np.where(complete, np.nan, margin)
    return Certificate([None if np.isnan(m) else float(m) for m in known], certified.tolist())
