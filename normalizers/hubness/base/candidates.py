"""Candidate lists: whose items they are, and what may be missing from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array, all_finite
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, position_text
from normalizers.hubness.base.live import UNKNOWN
from normalizers.kernels import segments
from normalizers.kernels.list_order import sorted_lists
from normalizers.validation.labels import first_repeated


def item_positions(item_ids: Array | None, items: int) -> dict[str, int]:
    """Return the position of every item id; without ids a position is its own name."""
    names = map(str, range(items)) if item_ids is None else item_ids.tolist()
    return {name: position for position, name in enumerate(names)}


def found_by_id(candidate_ids: Ragged, positions: Mapping[str, int]) -> Array:
    """Return the position of each candidate's item, -1 where the fit does not know its id."""
    position_of = positions.get
    found = [position_of(name, UNKNOWN) for name in candidate_ids.values.tolist()]
    return np.fromiter(found, np.int64, len(found))


def found_by_position(candidate_positions: Ragged, items: int, path: str) -> Array:
    """Return the position of each candidate's item, -1 where the fit has fewer items.

    Raises
    ------
    InvalidInput
        A negative position: -1 is no item, least of all the last one.
    """
    positions = np.asarray(candidate_positions.values, dtype=np.int64)
    if positions.size and int(positions.min()) < 0:
        place = candidate_positions.position(int(np.argmax(positions < 0)))
        raise InvalidInput(
            "a position is at least 0; leave a missing candidate out",
            path=path + position_text(place),
        )
    if positions.size and int(positions.max()) >= items:
        return np.where(positions < items, positions, UNKNOWN)
    return positions


def require_once(candidates: Ragged, items: Array, path: str) -> None:
    """Refuse a list that holds a candidate twice.

    `candidates` are the ids or positions as they were sent, `items` what the fit knows of them.
    """
    if not len(items):
        return
    if int(items.min()) >= 0 and not _has_repeated(candidates, items):
        return
    for index, names in enumerate(candidates):
        repeated = first_repeated(names.tolist())
        if repeated is not None:
            place = path + position_text((index, repeated))
            raise InvalidInput("the same candidate stands in this list twice", path=place)


def _has_repeated(candidates: Ragged, items: Array) -> bool:
    """Return whether a list holds an item twice: equal ones stand side by side once sorted."""
    lengths, largest = candidates.lengths, int(items.max())
    # Half as wide numbers are sorted in half the time.
    narrow = items.astype(np.int32) if largest < 2**31 else items
    if (lengths == lengths[0]).all():
        ordered = np.sort(narrow.reshape(len(lengths), -1), axis=1)
        return bool((ordered[:, 1:] == ordered[:, :-1]).any())
    # One number for each item of each list.
    ordered = np.sort(candidates.part_of_each() * (largest + 1) + items)
    return bool((ordered[1:] == ordered[:-1]).any())


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
    observed = None if all_finite(adjusted.values) else ~np.isnan(adjusted.values)
    # An item outside the list has a raw score of at most its lowest, so an adjusted one of at most
    # min raw - min bias.
    if observed is None and top_k == 1 and len(raw) == 1 and len(raw.values):
        # One list is served alone, many times: its two ends need no segments.
        ends = float(adjusted.values.max()), float(raw.values.min())
        alone = ends[0] - (ends[1] - lowest_bias)
        whole = bool(complete[0])
        return Certificate([None if whole else alone], [whole or alone > 0])
    outside = segments.minima(raw, observed) - lowest_bias
    margin = _kth_best(adjusted, observed, top_k) - outside
    certified = complete | (margin > 0)
    known = np.where(complete, np.nan, margin).tolist()
    return Certificate([None if m != m else m for m in known], certified.tolist())


def _kth_best(scores: Ragged, observed: Array | None, k: int) -> Array:
    """Return the k-th best score of each list, NaN where it has fewer."""
    if k == 1:
        return segments.maxima(scores, observed)
    ascending = sorted_lists(scores if observed is None else segments.compress(scores, observed))
    enough = ascending.lengths >= k
    best = np.full(len(scores), np.nan)
    best[enough] = ascending.values[ascending.offsets[1:][enough] - k]
    return best
