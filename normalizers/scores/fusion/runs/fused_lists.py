"""Fused lists: ordered, cut to the page that was asked for, with the parts of each score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from normalizers.contract import Options
from normalizers.data.arrays import Array, allow_overflow
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.kernels import ranking, segments
from normalizers.scores.fusion.runs.pool import NO_HIT, Entries, Pool, Share

Part = dict[str, object]


@dataclass(frozen=True)
class FusedLists:
    """The score of every document, and what it is made of.

    Parameters
    ----------
    pool : Pool
        The runs and the documents.
    entries : Entries
        What the documents get.
    contributions : array of shape (E,)
        What each entry adds to the score.
    factor : array of shape (u,), optional
        What the sum of the contributions of each document is multiplied by.
    """

    pool: Pool
    entries: Entries
    contributions: Array
    factor: Array | None = None

    def scores(self) -> Array:
        """Return the score of each document, shape (u,).

        Raises
        ------
        InvalidInput
            A score that no float64 holds, with its query.
        """
        try:
            totals = self.entries.totals(self.contributions)
        except InvalidInput as error:
            raise self._beyond(error.positions[0][0]) from None
        if self.factor is None:
            return totals
        with allow_overflow():
            scores = np.asarray(totals * self.factor + 0.0)
        wrong = np.flatnonzero(~np.isfinite(scores))
        if len(wrong):
            raise self._beyond(int(wrong[0]))
        return scores

    def _beyond(self, document: int) -> InvalidInput:
        """Return the refusal of a score that is not finite, naming its query among several."""
        ids = self.pool.union.ids
        query = int(ids.part_of_each()[document])
        whose = f" of query {query}" if len(ids) > 1 else ""
        return InvalidInput(
            f"the score of a document{whose} is too large for a float64; rescale the scores",
            path="input.runs",
            positions=[(query,)],
        )

    def ordered(self, scores: Array, counted: Array) -> Ragged:
        """Return by query the documents that are `count`, best first, ties by id ascending."""
        lists = self.pool.union.ids.with_values(scores)
        order = ranking.order_stable(lists)
        ordered = lists.with_values(order)
        return ordered if counted.all() else segments.compress(ordered, counted[order])

    def found_by_weight(self) -> Array:
        """Return which documents a run of positive weight found, booleans of shape (u,)."""
        hits, runs = self.pool.union.hits, self.pool.union.runs
        return segments.counts(hits, self.pool.weights[runs] > 0) > 0

    def explained(self, scores: Array, page: Ragged, shares: Sequence[Share]) -> list[list[Part]]:
        """Return for each query and hit its parts by run, in the order of the request."""
        hits = _Hits(self.pool, shares)
        return [[self._explained(hits, scores, hit) for hit in part.tolist()] for part in page]

    def _explained(self, hits: _Hits, scores: Array, document: int) -> Part:
        place = slice(*self.entries.values.offsets[document : document + 2].tolist())
        by_run: dict[int, list[tuple[int, float]]] = {}
        triples = zip(
            self.entries.runs[place].tolist(),
            self.entries.hits[place].tolist(),
            self.contributions[place].tolist(),
            strict=True,
        )
        for run, hit, contribution in triples:
            by_run.setdefault(run, []).append((hit, contribution))
        told: Part = {
            "id": self.pool.union.ids.values[document],
            "score": float(scores[document]),
        }
        if self.factor is not None:
            told["factor"] = float(self.factor[document])
        runs = range(len(self.pool.runs))
        parts = [part for run in runs for part in hits.parts(run, by_run.get(run, []))]
        return {**told, "parts": parts}


class _Hits:
    """Looks up what the parts of an explanation say of hits."""

    def __init__(self, pool: Pool, shares: Sequence[Share]) -> None:
        self._pool, self._shares = pool, shares
        self._starts = pool.starts.tolist()

    def parts(self, run: int, given: Sequence[tuple[int, float]]) -> Iterator[Part]:
        """Yield what a run gives a document: one part a hit, or one for a document it lacks.

        A hit without a value of its own has what the run gives to documents it lacks.
        """
        absent = sum(contribution for hit, contribution in given if hit == NO_HIT)
        found = [(hit, contribution) for hit, contribution in given if hit != NO_HIT]
        if not found:
            yield self._part(run, None, absent)
        for index, (hit, contribution) in enumerate(found):
            yield self._part(run, hit - self._starts[run], contribution if index else
                             contribution + absent)  # fmt: skip

    def _part(self, run: int, hit: int | None, contribution: float) -> Part:
        source, normalized = self._pool.runs[run], self._shares[run].normalized
        return {
            "run": source.name,
            "rank": None if hit is None else source.ranks[hit].item(),
            "raw": None if hit is None else _number(source.raw[hit]),
            "normalized": None if hit is None or normalized is None else _number(normalized[hit]),
            "weight": float(self._pool.weights[run]),
            "contribution": contribution,
        }


def cut(ordered: Ragged, options: Options) -> Ragged:
    """Return of each ordered list the slice that was asked for."""
    if options.offset is None and options.top_k is None:
        return ordered
    place = np.arange(len(ordered.values)) - segments.broadcast(ordered.offsets[:-1], ordered)
    start = options.offset or 0
    inside = place >= start
    if options.top_k is not None:
        inside &= place < start + options.top_k
    return segments.compress(ordered, inside)


def check_page(options: Options) -> None:
    """Refuse a page that lies beyond the depth."""
    needed = (options.offset or 0) + (options.top_k or 0)
    if options.depth is not None and options.top_k is not None and options.depth < needed:
        raise InvalidParams(
            f"depth {options.depth} is less than offset + top_k, {needed}", path="options.depth"
        )


def _number(value: np.floating) -> float | None:
    return None if np.isnan(value) else float(value)
