"""The documents that several runs found, and what each run gives each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from normalizers.contract import NOT_FITTED, Fitted
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged, offsets_of
from normalizers.errors import InvalidInput
from normalizers.kernels import fuse, segments
from normalizers.scores.fusion.runs.run import Run

NO_HIT = -1
# What runs give documents they lack is written out, one number a run and document: 400 MB.
MOST_ABSENT = 2**24


@dataclass(frozen=True)
class Pool:
    """The runs of a fusion, their weights, and all documents that they found.

    Parameters
    ----------
    runs : list of Run
    weights : array of shape (runs,)
    union : Union
        The ids of each query, and the hits of each document.
    fitted : Fitted
        What a fit learnt of the runs.
    """

    runs: list[Run]
    weights: Array
    union: fuse.Union
    fitted: Fitted = NOT_FITTED

    @classmethod
    def of(cls, runs: list[Run], weights: Array, fitted: Fitted = NOT_FITTED) -> Self:
        """Return the pool of these runs."""
        return cls(runs, weights, fuse.union([run.coded for run in runs]), fitted)

    @property
    def totals(self) -> Array:
        """The number of documents of each query, shape (q,)."""
        return self.union.ids.lengths

    @property
    def starts(self) -> Array:
        """The number of each run's first hit, counted through the runs, and the end."""
        return offsets_of([len(run.lists.values) for run in self.runs])

    def queries_without_overlap(self) -> int:
        """Return in how many queries several runs found something, and no document twice."""
        answering = np.sum([run.lists.lengths > 0 for run in self.runs], axis=0)
        # The hits of a document stand by run: of one run all are where the ends are.
        owners, offsets = self.union.runs, self.union.hits.offsets
        shared = owners[offsets[:-1]] != owners[offsets[1:] - 1]
        return int(
            np.count_nonzero((answering > 1) & (segments.counts(self.union.ids, shared) == 0))
        )


@dataclass(frozen=True)
class Share:
    """What one run gives documents.

    Parameters
    ----------
    values : array of shape (N,)
        By hit; NaN where the run has no value for its own hit.
    normalized : array of shape (N,), optional
        The normalized score of each hit, where the method has one.
    absent : array of shape (q,), optional
        By query, what the run gives every document that it has no value for; NaN for nothing.
    """

    values: Array
    normalized: Array | None = None
    absent: Array | None = None


@dataclass(frozen=True)
class Entries:
    """What the documents get, one entry a run that gives something.

    Parameters
    ----------
    values : Ragged
        One list a document, in order of the runs.
    runs, hits : int64 arrays of shape (E,)
        The run of each entry, and its hit, counted through the runs; -1 for a document it lacks.
    weights : array of shape (E,)
        The weight of the run of each entry.
    """

    values: Ragged
    runs: Array
    hits: Array
    weights: Array

    @classmethod
    def of(cls, pool: Pool, shares: Sequence[Share]) -> Self:
        """Return the entries of all hits, and of the documents that runs lack."""
        union = pool.union
        given = np.concatenate([np.empty(0), *(share.values for share in shares)])
        values = union.hits.with_values(given[union.hits.values])
        entries = cls(values, union.runs, union.hits.values, pool.weights[union.runs])
        lacking = [index for index, share in enumerate(shares) if share.absent is not None]
        if len(lacking) * len(values) > MOST_ABSENT:
            raise InvalidInput(
                f"{len(lacking)} runs give something to each of {len(values)} documents, those "
                "they lack too: too many; send fewer queries at once, or missing: zero",
                path="input.runs",
            )
        return entries._filled(pool, shares, lacking) if lacking else entries

    @property
    def documents(self) -> Array:
        """The document of each entry, shape (E,)."""
        return self.values.part_of_each()

    @property
    def finders(self) -> Array:
        """The number of runs that found each document, shape (u,)."""
        return segments.counts(self.values, self._first_found())

    def finders_weight(self) -> Array:
        """Return the sum of the weights of the runs that found each document, shape (u,)."""
        return self.totals(np.where(self._first_found(), self.weights, 0.0))

    def _first_found(self) -> Array:
        """Return which entries are the first that their run has for a document it found."""
        return np.asarray(first_of_runs(self.values, self.runs) & (self.hits != NO_HIT))

    def valued(self) -> tuple[Self, Array]:
        """Return the entries that have a value, and which ones they are."""
        has_value = ~np.isnan(self.values.values)
        if has_value.all():
            return self, has_value
        kept = replace(
            self,
            values=segments.compress(self.values, has_value),
            runs=self.runs[has_value],
            hits=self.hits[has_value],
            weights=self.weights[has_value],
        )
        return kept, has_value

    def totals(self, numbers: Array) -> Array:
        """Return the exact sum of these numbers, one an entry, by document, shape (u,)."""
        return fuse.fused(self.values.with_values(numbers))

    def spread(self, by_document: Array) -> Array:
        """Return for every entry the number of its document, shape (E,)."""
        return segments.broadcast(by_document, self.values)

    def _filled(self, pool: Pool, shares: Sequence[Share], lacking: Sequence[int]) -> Self:
        documents = self.documents
        query = pool.union.ids.part_of_each()
        has_value = ~np.isnan(self.values.values)
        owners, lacked, fills = [self.runs], [documents], [self.values.values]
        for run in lacking:
            without = np.ones(len(self.values), dtype=bool)
            without[documents[has_value & (self.runs == run)]] = False
            by_query = shares[run].absent
            absent = np.full(len(pool.totals), np.nan) if by_query is None else by_query
            gets = absent[query]
            which = np.flatnonzero(without & ~np.isnan(gets))
            owners.append(np.full(len(which), run))
            lacked.append(which)
            fills.append(gets[which])
        runs, document = np.concatenate(owners), np.concatenate(lacked)
        # One number for document and run: entries stand by document, in it by run, hits as they
        # were.
        order = np.argsort(document * len(shares) + runs, kind="stable")
        hits = np.concatenate([self.hits, np.full(len(runs) - len(self.hits), NO_HIT)])
        values = Ragged(
            np.concatenate(fills)[order],
            offsets_of(np.bincount(document, minlength=len(self.values))),
        )
        return type(self)(values, runs[order], hits[order], pool.weights[runs[order]])


def first_of_runs(lists: Ragged, runs: Array) -> Array:
    """Return which of the ascending `runs` of each list stand there for the first time."""
    first = np.ones(len(runs) + 1, dtype=bool)
    first[1:-1] = runs[1:] != runs[:-1]
    first[lists.offsets] = True
    return first[:-1]
