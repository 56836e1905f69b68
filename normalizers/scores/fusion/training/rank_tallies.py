"""Relevant hits by the rank they stand at and the length of their list, as exact counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.kernels import segments
from normalizers.measures.judged import Judged
from normalizers.statistics import Counts
from normalizers.statistics.base.posted import refuse_where

# Lists this long have codes that a float64 holds.
LONGEST_LIST = 2**26


@dataclass(frozen=True)
class RankTallies:
    """Lists by their length, and their relevant hits by length and rank.

    Parameters
    ----------
    list_lengths, lists : int64 arrays of shape (k,)
        Each length that a list had, and how many lists had it.
    lengths, ranks, relevant : int64 arrays of shape (m,)
        How many relevant hits lists of a length have at a rank, where they have any.
    """

    list_lengths: Array
    lists: Array
    lengths: Array
    ranks: Array
    relevant: Array

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """Return the tallies whose codes were counted."""
        lengths, ranks = _decoded(counts.bins)
        hit = ranks > 0
        return cls(lengths[~hit], counts.counts[~hit], lengths[hit], ranks[hit], counts.counts[hit])

    @property
    def queries(self) -> int:
        """Number of lists, one a query."""
        return int(self.lists.sum())

    @property
    def depth(self) -> int:
        """Length of the longest list."""
        return int(self.list_lengths.max(initial=0))

    def reaching(self) -> Array:
        """Return how many lists reach each rank, shape (depth,)."""
        by_length = np.bincount(self.list_lengths, self.lists, self.depth + 1)
        # Every list of length l reaches the ranks 1..l: sums from the longest on.
        return np.cumsum(by_length[::-1])[::-1][1:]

    def by_rank(self) -> Array:
        """Return the relevant hits at each rank, shape (depth,)."""
        return np.bincount(self.ranks, self.relevant, self.depth + 1)[1:]


def tallied(judged: Judged) -> tuple[Array, Array]:
    """Return codes of a run's lists and of their relevant hits, and how often each occurs."""
    lengths = judged.relevance.lengths
    if lengths.max(initial=0) > LONGEST_LIST:
        raise InvalidInput(f"a list of more than {LONGEST_LIST} hits is too long to train on")
    hit = judged.relevance.values.astype(bool)
    of_hits = _coded(segments.broadcast(lengths, judged.relevance)[hit], judged.ranks[hit])
    codes = np.concatenate([_coded(lengths, np.zeros_like(lengths)), of_hits])
    values, counts = np.unique(codes, return_counts=True)
    return values.astype(np.float64), counts


def check_tallies(counts: Counts, path: str) -> None:
    """Refuse counts that are not those of lists and their relevant hits."""
    bins = counts.bins
    refuse_where((bins < 0) | (bins != np.floor(bins)), "a bin is no code of a rank", path)
    refuse_where(bins > _coded(LONGEST_LIST, LONGEST_LIST), "a bin is no code of a rank", path)
    tallies = RankTallies.of(counts)
    lists = Counts(tallies.list_lengths.astype(np.float64), tallies.lists)
    more = tallies.relevant > lists.at(tallies.lengths)
    refuse_where(more, "more relevant hits at a rank than lists that have it", path)


def _coded(lengths: Array | int, ranks: Array | int) -> Array:
    """Return one number for a length and a rank from 0 to that length."""
    length = np.asarray(lengths, dtype=np.int64)
    # Cantor's triangle: length l takes the l + 1 codes from l (l + 1) / 2 on.
    return np.asarray(length * (length + 1) // 2 + ranks)


def _decoded(codes: Array) -> tuple[Array, Array]:
    code = codes.astype(np.int64)
    lengths = ((np.sqrt(8.0 * code + 1) - 1) / 2).astype(np.int64)
    # The root of a large code is rounded and may be one off, either way.
    lengths -= _coded(lengths, 0) > code
    lengths += _coded(lengths + 1, 0) <= code
    return lengths, code - _coded(lengths, 0)
