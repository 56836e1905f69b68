"""Small calls written by hand in NumPy: the same checks, values and flags, for one form of input.

What a team writes for itself where it needs one method, one way: types, finite numbers, sizes and
sets without spread are looked at, and what was found is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from normalizers.data.arrays import Array

Flags: TypeAlias = Mapping[str, list[int]]
NUMBERS = {int, float}
TIES_IN_HALF = 0.5


class Told(NamedTuple):
    """Values, and the places of what a reader should know of."""

    values: Array
    flags: Flags


class Sample(NamedTuple):
    """Distinct scores in order, and how many lie at or below each."""

    scores: Array
    upto: Array


class Map(NamedTuple):
    """A linear map of centred rows."""

    mean: Array
    matrix: Array


class Groups(NamedTuple):
    """A location and a scale of each group by its place."""

    places: Mapping[str, int]
    loc: Array
    scale: Array
    lowest: Array
    highest: Array


def min_max(scores: object) -> Told:
    """Return one list between its own ends."""
    values = _listed(scores)
    if not len(values):
        return Told(values, {})
    low, high = values.min(), values.max()
    if low == high:
        return Told(np.ones(len(values)), {"constant": [0]})
    return Told((values - low) / (high - low), {})


def read_lists(lists: object) -> Array:
    """Return the numbers of lists of one length as NumPy reads them, and no more."""
    return np.array(lists, dtype=np.float64)


def percentile(scores: object, sample: Sample) -> Told:
    """Return the share of a stored sample below each score of a list, half of its equals too."""
    values = _listed(scores)
    beyond = (values < sample.scores[0]) | (values > sample.scores[-1])
    return Told(mean_ranks(values, sample) / sample.upto[-1], _flagged("out_of_range", beyond))


def mean_ranks(scores: Array, sample: Sample) -> Array:
    """Return the mean of how many of a sample lie below each score, and how many not above."""
    below = np.searchsorted(sample.scores, scores, side="left")
    not_above = np.searchsorted(sample.scores, scores, side="right")
    return (sample.upto[below] + sample.upto[not_above]) * TIES_IN_HALF


def whitened(row: Array, fitted: Map) -> Told:
    """Return one vector, centred and mapped."""
    if not isinstance(row, np.ndarray) or row.dtype.kind != "f" or row.ndim != 1:
        raise TypeError("a vector of floats is expected")
    if len(row) != len(fitted.mean):
        raise ValueError(f"{len(row)} dims, not {len(fitted.mean)}")
    if not np.isfinite(row).all():
        raise ValueError("a number is missing or infinite")
    return Told((row - fitted.mean) @ fitted.matrix, {})


def group_z_score(scores: object, labels: object, fitted: Groups) -> Told:
    """Return scores in deviations from the mean of their groups."""
    values = _listed(scores)
    if not isinstance(labels, list) or set(map(type, labels)) != {str}:
        raise TypeError("a list of strings is expected")
    if len(labels) != len(values):
        raise ValueError(f"{len(labels)} labels for {len(values)} scores")
    try:
        places = np.array([fitted.places[label] for label in labels])
    except KeyError as unknown:
        raise ValueError(f"nothing is known of the group {unknown}") from None
    beyond = (values < fitted.lowest[places]) | (values > fitted.highest[places])
    standardized = (values - fitted.loc[places]) / fitted.scale[places]
    return Told(standardized, _flagged("out_of_range", beyond))


def window_z_score(window: Array) -> Told:
    """Return one window in deviations from its mean."""
    if not isinstance(window, np.ndarray) or window.dtype.kind != "f" or window.ndim != 1:
        raise TypeError("a window of floats is expected")
    if not np.isfinite(window).all():
        raise ValueError("a number is missing or infinite")
    if window.min() == window.max():
        return Told(np.zeros(len(window)), {"constant": [0]})
    centred = window - window.mean()
    return Told(centred / np.sqrt(np.dot(centred, centred) / len(window)), {})


def _listed(scores: object) -> Array:
    if not isinstance(scores, list) or not set(map(type, scores)) <= NUMBERS:
        raise TypeError("a list of numbers is expected")
    values = np.array(scores, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError("a score is missing or infinite")
    return values


def _flagged(name: str, where: Array) -> Flags:
    found: Sequence[int] = np.flatnonzero(where).tolist()
    return {name: list(found)} if found else {}
