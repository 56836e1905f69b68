"""Corrections of lists of candidates out of a million items, beside a dictionary of their names."""

from __future__ import annotations

from functools import cache

import numpy as np

from benchmarks.figure import Effort, Measured
from benchmarks.pairs import alternate, timed, typical
from benchmarks.rows import SEED
from normalizers import Csls
from normalizers.data.arrays import Array
from normalizers.normalizer import Normalizer

GALLERY = 1_000_000
LISTS, CANDIDATES = 1_000, 100
PAIRS = 15
BURST = 200


def by_id(effort: Effort) -> Measured:
    """Correct lists of candidates that have names, against looking the names up."""
    method, ids, _, scores = _served()
    return alternate(
        lambda: timed(lambda: method.apply_to(candidate_ids=ids, candidate_scores=scores)),
        lambda: timed(lambda: _looked_up(ids)),
        effort.of(PAIRS),
    )


def by_position(effort: Effort) -> Measured:
    """Correct lists of candidates that have positions, against looking their names up."""
    method, ids, positions, scores = _served()
    return alternate(
        lambda: timed(
            lambda: method.apply_to(candidate_positions=positions, candidate_scores=scores)
        ),
        lambda: timed(lambda: _looked_up(ids)),
        effort.of(PAIRS),
    )


def one_list(effort: Effort) -> Measured:
    """Correct one list of candidates that have names, against looking its names up."""
    method, ids, _, scores = _served()
    first = scores[0].tolist()
    # A list that was just looked up is in the caches: both walk through the lists.
    turns = [iter(range(10**9)), iter(range(10**9))]

    def ours() -> object:
        names = ids[next(turns[0]) % LISTS]
        return method.apply_to(candidate_ids=names, candidate_scores=first)

    def reference() -> object:
        return _looked_up([ids[(next(turns[1]) + LISTS // 2) % LISTS]])

    return alternate(
        lambda: typical(ours, BURST), lambda: typical(reference, BURST), effort.of(PAIRS)
    ).in_microseconds()


@cache
def _served() -> tuple[Normalizer, list[list[str]], Array, Array]:
    """Return a fit of a large gallery, and lists of its candidates by name and by position."""
    generator = np.random.default_rng(SEED)
    method = Csls(k=1).fit(bank_sims=generator.random((2, GALLERY)), gallery_ids=_names())
    positions = np.stack(
        [generator.choice(GALLERY, CANDIDATES, replace=False) for _ in range(LISTS)]
    )
    # Strings of their own, as a request has them, not those that the fit holds.
    ids = [[f"item-{place}" for place in row] for row in positions.tolist()]
    scores = -np.sort(-generator.random((LISTS, CANDIDATES)), axis=1)
    return method, ids, positions, scores


@cache
def _names() -> list[str]:
    return [f"item-{place}" for place in range(GALLERY)]


@cache
def _dictionary() -> dict[str, int]:
    return {name: place for place, name in enumerate(_names())}


def _looked_up(ids: list[list[str]]) -> list[list[int]]:
    position_of = _dictionary()
    return [[position_of[name] for name in names] for names in ids]
