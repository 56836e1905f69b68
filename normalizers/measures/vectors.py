"""Measures of vectors: how evenly their directions are used, and what their cosines say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from pydantic import Field

from normalizers.data.arrays import LARGEST_INTEGER, Array
from normalizers.kernels.row_norms import row_norms, unit_rows
from normalizers.measures.measure import CutOff, Function, Measure

BLOCK_ROWS = 1024
NEIGHBOURS = 10
ROUNDING = 1e-14  # of a mean, as a share of the largest number


@dataclass(frozen=True, eq=False)
class Vectors:
    """Rows that are vectors, each as often as it was drawn; with classes where they have some.

    Parameters
    ----------
    rows_of : array of shape (n, d)
        Float64, finite.
    weights : array of shape (n,)
        How often each row counts.
    classes : int64 array of shape (n,), or None
        The class of each row.
    """

    rows_of: Array
    weights: Array
    classes: Array | None = None

    def __len__(self) -> int:
        return len(self.rows_of)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self)

    def weighted(self, units: Array) -> Vectors:
        """Return the rows with these weights."""
        return replace(self, weights=np.asarray(units, dtype=np.float64))


@dataclass(frozen=True, eq=False)
class Pairs:
    """Cosines of pairs of vectors beside known similarities.

    Parameters
    ----------
    cosines, qualities : arrays of shape (p,)
        Finite.
    weights : array of shape (p,)
        How often each pair counts.
    """

    cosines: Array
    qualities: Array
    weights: Array

    def __len__(self) -> int:
        return len(self.cosines)

    @property
    def rows(self) -> int:
        """Number of pairs."""
        return len(self)

    def weighted(self, units: Array) -> Pairs:
        """Return the pairs with these weights."""
        return replace(self, weights=np.asarray(units, dtype=np.float64))


def average_cosine(evidence: Vectors) -> float:
    """Return the mean cosine over pairs of distinct rows.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.vectors import Vectors, average_cosine
    >>> rows = np.array([[2.0, 0.0], [5.0, 0.0], [0.0, 1.0]])
    >>> round(average_cosine(Vectors(rows, np.ones(3))), 6)
    0.333333
    """
    unit, weights = unit_rows(evidence.rows_of), evidence.weights
    n, total = float(weights.sum()), weights @ unit
    own = float(weights @ (unit * unit).sum(axis=1))
    return float((total @ total - own) / (n * (n - 1))) if n > 1 else np.nan


def participation_ratio(evidence: Vectors) -> float:
    """Return (sum l)^2 / sum l^2 of the eigenvalues of the covariance: directions in use."""
    drawn = evidence.weights > 0
    x, weights = evidence.rows_of[drawn], evidence.weights[drawn]
    n = float(weights.sum())
    if n < 2:
        return np.nan
    centred = x - weights @ (x / n)
    # What is left of rows that are all one row is the rounding of their mean.
    if np.max(np.abs(centred)) <= ROUNDING * np.max(np.abs(x)):
        return np.nan
    centred = _scaled(centred)
    scatter = (centred * weights[:, None]).T @ centred
    return float(np.trace(scatter) ** 2 / np.sum(scatter * scatter))


def isoscore(evidence: Vectors) -> float:
    """Return (PR - 1) / (d - 1): 0 for one direction, 1 for equal ones."""
    d = evidence.rows_of.shape[1]
    return (participation_ratio(evidence) - 1) / (d - 1) if d > 1 else np.nan


def mean_energy(evidence: Vectors) -> float:
    """Return the squared length of the mean over the mean squared length."""
    x, weights = _scaled(evidence.rows_of), evidence.weights
    n = float(weights.sum())
    square = float(weights @ (x * x).sum(axis=1))
    mean = weights @ x
    return float(mean @ mean / n / square) if n and square else np.nan


def class_precision(evidence: Vectors) -> Array:
    """Return for each row the average precision of its class, other rows ranked by cosine.

    Ties go to the lowest index; undefined for a row that is alone in its class.
    """
    found = np.full(len(evidence), np.nan)
    for place, right in _same_class(evidence):
        ranks = np.flatnonzero(right) + 1.0
        if len(ranks):
            found[place] = float(np.mean(np.arange(1, len(ranks) + 1) / ranks))
    return found


def neighbour_recall(evidence: Vectors, k: int | None = NEIGHBOURS) -> Array:
    """Return for each row how much of its class stands among its `k` nearest by cosine.

    The rows of its class there, over as many as there could be: the smaller of `k` and the size of
    the class without the row. Ties go to the lowest index; undefined for a row that is alone.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.vectors import Vectors, neighbour_recall
    >>> rows = np.array([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0]])
    >>> neighbour_recall(Vectors(rows, np.ones(4), np.array([0, 0, 0, 1])), 1).tolist()
    [1.0, 1.0, 0.0, nan]
    """
    found = np.full(len(evidence), np.nan)
    for place, right in _same_class(evidence):
        possible = int(np.count_nonzero(right))
        if possible:
            cut = len(right) if k is None else k
            found[place] = np.count_nonzero(right[:cut]) / min(cut, possible)
    return found


def _same_class(evidence: Vectors) -> Iterator[tuple[int, Array]]:
    """Yield for each row whether the others, ranked by cosine, are of its class."""
    unit, classes = unit_rows(evidence.rows_of), evidence.classes
    if classes is None:
        return
    for start in range(0, len(unit), BLOCK_ROWS):
        block = unit[start : start + BLOCK_ROWS] @ unit.T
        for place, cosines in enumerate(block, start=start):
            order = np.argsort(-cosines, kind="stable")
            yield place, np.asarray(classes[order[order != place]] == classes[place])


def cosine_spearman(evidence: Pairs) -> float:
    """Return the rank correlation of cosines with known similarities; ties have average ranks."""
    drawn = np.repeat(np.arange(len(evidence)), evidence.weights.astype(np.int64))
    ranks = [_average_ranks(part[drawn]) for part in (evidence.cosines, evidence.qualities)]
    first, second = (part - part.mean() if len(part) else part for part in ranks)
    lengths = float(np.sqrt((first @ first) * (second @ second)))
    return float(first @ second / lengths) if lengths else np.nan


def _average_ranks(values: Array) -> Array:
    """Return ranks from 1; equal values share the mean of theirs."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[places])


def pair_cosines(x: Array, first: Array, second: Array) -> Array:
    """Return the cosines of pairs of rows; a zero row has cosine 0 to every row."""
    unit = unit_rows(x)
    return np.asarray(np.einsum("ij,ij->i", unit[first], unit[second]))


def _scaled(x: Array) -> Array:
    """Return rows in units of a power of two, so that their squares stay ordinary."""
    largest = float(np.max(row_norms(x), initial=0.0))
    return np.ldexp(x, -int(np.frexp(largest)[1])) if largest else x


class NeighbourCutOff(CutOff):
    """How many neighbours count."""

    k: int | None = Field(
        default=NEIGHBOURS, ge=1, le=LARGEST_INTEGER, description="nearest rows that count"
    )


FEW = "there are fewer than two rows, or they do not differ"


def _measure(name: str, function: Function, text: str, *, better: bool = True) -> Measure:
    return Measure(name, "vectors", function, text, FEW, higher_is_better=better)


MEASURES = (
    _measure("average_cosine", average_cosine, "mean cosine of pairs of rows", better=False),
    _measure("participation_ratio", participation_ratio, "directions that hold the variance"),
    _measure("isoscore", isoscore, "how evenly directions hold the variance, 0 to 1"),
    _measure("mean_energy", mean_energy, "share of the mean in the squared length", better=False),
    Measure(
        "class_precision",
        "labelled_vectors",
        class_precision,
        "average precision of rows of one class, ranked by cosine",
        "every row is alone in its class",
        by_unit=True,
    ),
    Measure(
        "neighbour_recall",
        "labelled_vectors",
        neighbour_recall,
        "rows of a class among the nearest by cosine, of those that could be there",
        "every row is alone in its class",
        parameters=NeighbourCutOff,
        by_unit=True,
    ),
    Measure(
        "cosine_spearman",
        "vector_pairs",
        cosine_spearman,
        "rank correlation of cosines of pairs with known similarities",
        "cosines or similarities are all equal",
    ),
)
