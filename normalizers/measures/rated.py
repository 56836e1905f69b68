"""Scores beside the qualities of the same rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.labels import Labels


@dataclass(frozen=True, eq=False)
class Rated:
    """Scores beside the qualities of the same rows; made by :meth:`of`.

    Parameters
    ----------
    scores, qualities : arrays of shape (n,)
        Finite; more is better.
    units : int64 array of shape (n,)
        The cluster of each row.
    size : int
        Number of clusters, those without a complete row among them.
    weights : array of shape (n,)
        How often each row counts.
    groups : int64 array of shape (n,), or None
        The group of each row.
    keys : tuple
        What the groups are called.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.agreement import pearson
    >>> from normalizers.measures.rated import Rated
    >>> pearson(Rated.of(np.array([1.0, 2.0, 4.0]), np.array([2.0, 4.0, 8.0])))
    1.0
    """

    scores: Array
    qualities: Array
    units: Array
    size: int
    weights: Array
    groups: Array | None = None
    keys: tuple[object, ...] = ()

    @classmethod
    def of(
        cls,
        scores: Array,
        qualities: Array,
        groups: Array | Labels | None = None,
        clusters: Array | Labels | None = None,
    ) -> Rated:
        """Return the complete rows; NaN in either value leaves a row out.

        Each row is its own unit unless `clusters`, labels of shape (n,), say otherwise; `groups`
        are labels of shape (n,) or (n, j).
        """
        complete = ~(np.isnan(scores) | np.isnan(qualities))
        units, size = np.arange(len(scores)), len(scores)
        if clusters is not None:
            known = _labels(clusters)
            units, size = known.codes, len(known.keys)
        whole = cls(scores, qualities, units, size, np.ones(len(scores)))
        if groups is not None:
            labels = _labels(groups)
            names = tuple(map(_key, labels.keys.tolist()))
            whole = replace(whole, groups=labels.codes, keys=names)
        return whole.where(complete)

    def __len__(self) -> int:
        return self.size

    @property
    def rows(self) -> int:
        """Number of complete rows."""
        return len(self.scores)

    def weighted(self, units: Array) -> Rated:
        """Return the rows with the weights of their units, shape (size,)."""
        return replace(self, weights=units[self.units].astype(np.float64))

    def where(self, chosen: Array) -> Rated:
        """Return some of the rows, of the same units and groups."""
        return replace(
            self,
            scores=self.scores[chosen],
            qualities=self.qualities[chosen],
            units=self.units[chosen],
            weights=self.weights[chosen],
            groups=None if self.groups is None else self.groups[chosen],
        )

    def by_group(self) -> list[Rated]:
        """Return the rows of each group, in the order of the keys; none without groups."""
        if self.groups is None:
            return []
        return [self.where(self.groups == index) for index in range(len(self.keys))]

    @property
    def constant(self) -> bool:
        """Whether the rows that count have one score, or one quality, or are fewer than two."""
        drawn = self.weights > 0
        if not drawn.any():
            return True
        parts = (self.scores[drawn], self.qualities[drawn])
        return any(bool(part.min() == part.max()) for part in parts)


def _labels(labels: Array | Labels) -> Labels:
    return labels if isinstance(labels, Labels) else Labels.of(labels)


def _key(row: list[str]) -> object:
    return row if len(row) > 1 else row[0]
