"""Rows of systems and groups as a table of means, one cell a system and group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.labels import Labels

# Sums of clusters and cells that are held at once: 128 MB.
MOST_SUMS = 2**24


class Cells(NamedTuple):
    """Which cell each row is in.

    Parameters
    ----------
    systems, groups : Labels
        Of ``m`` rows.
    x : array of shape (m, c)
        NaN is missing.
    """

    systems: Labels
    groups: Labels
    x: Array

    @property
    def size(self) -> tuple[int, int]:
        """Systems and groups."""
        return len(self.systems.keys), len(self.groups.keys)

    def means(self, weights: Array | None = None) -> Array:
        """Return the mean of each cell, of shape (s, g, c), NaN where it has no value.

        Parameters
        ----------
        weights : array of shape (m,), optional
            How often each row counts.
        """
        systems, groups = self.size
        cell = self.systems.codes * groups + self.groups.codes
        found = [self._column(cell, column, weights) for column in self.x.T]
        return np.stack(found, axis=-1).reshape(systems, groups, self.x.shape[1])

    def resampled_means(self, clusters: Labels, drawn: Array) -> Iterator[Array]:
        """Yield the means of the cells, (s, g, c), for each draw of the clusters, (b, clusters).

        Where all sums of a cluster and cell fit into memory, one product gives all draws.
        """
        if len(clusters.keys) * int(np.prod(self.size)) > MOST_SUMS:
            yield from (self.means(times[clusters.codes]) for times in drawn)
            return
        columns = [self._resampled_column(clusters, drawn, column) for column in self.x.T]
        for draw in zip(*columns, strict=True):
            yield np.stack(draw, axis=-1).reshape(*self.size, self.x.shape[1])

    def _resampled_column(self, clusters: Labels, drawn: Array, x: Array) -> Array:
        """Return the mean of each cell, (b, cells), for each draw."""
        size = int(np.prod(self.size))
        cell = self.systems.codes * self.size[1] + self.groups.codes
        known = ~np.isnan(x)
        # About the mean of the cell: sums of large values would lose the digits of differences.
        centre = np.nan_to_num(self._column(cell, x, None))
        place = clusters.codes[known] * size + cell[known]
        shape = (len(clusters.keys), size)
        length = shape[0] * size
        counts = np.bincount(place, minlength=length).reshape(shape).astype(np.float64)
        sums = np.bincount(place, x[known] - centre[cell[known]], length).reshape(shape)
        times = drawn.astype(np.float64)
        often = times @ counts
        apart = (times @ sums) / np.where(often > 0, often, 1.0)
        return np.where(often > 0, centre + apart, np.nan)

    def _column(self, cell: Array, x: Array, weights: Array | None) -> Array:
        size = int(np.prod(self.size))
        known = ~np.isnan(x)
        place, value = cell[known], x[known]
        times = None if weights is None else weights[known].astype(np.float64)
        count = np.bincount(place, times, minlength=size)
        filled = np.maximum(count, 1)
        # Centred on a first mean: sums of large values would lose the digits of small differences.
        rough = np.bincount(place, value if times is None else value * times, size) / filled
        rest = value - rough[place]
        mean = rough + np.bincount(place, rest if times is None else rest * times, size) / filled
        return np.where(count > 0, mean, np.nan)


def weighted_means(cells: Array, weights: Array) -> Array:
    """Return the weighted mean of the cells that are there along the groups, shape (s, c).

    Parameters
    ----------
    cells : array of shape (s, g, c)
        NaN where there is none.
    weights : array of shape (g,)
        None below 0.

    Returns
    -------
    array of shape (s, c)
        NaN where no cell with a weight is there.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.metrics.base.cells import weighted_means
    >>> weighted_means(np.array([[[1.0], [np.nan], [4.0]]]), np.array([1.0, 5.0, 2.0])).tolist()
    [[3.0]]
    """
    there = ~np.isnan(cells) * weights[:, None]
    total = there.sum(axis=1)
    sums = (np.nan_to_num(cells) * there).sum(axis=1)
    return np.where(total > 0, sums / np.where(total > 0, total, 1.0), np.nan)
