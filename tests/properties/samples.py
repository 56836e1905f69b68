"""Numbers that laws are tried on: a grid on which sums are exact, and how many examples."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from tests.effort import examples

EXAMPLES = settings(max_examples=examples(40), deadline=None, derandomize=True)

# Eighths of moderate size: their sums, differences and doublings are exact in float64.
GRID = st.integers(-8000, 8000).map(lambda number: number / 8)
GAPPY_GRID = st.one_of(GRID, st.just(math.nan))
SHIFTS = st.integers(-(10**6), 10**6).map(float)
POWERS = st.sampled_from([2.0**-900, 2.0**-3, 2.0, 2.0**900])
FACTORS = st.sampled_from([1e-200, 1e-3, 3.0, 1e7, 1e200])
SEEDS = st.integers(0, 2**32 - 1)
SCORES = st.lists(GRID, min_size=1, max_size=12)


def same_bits(one: object, other: object) -> bool:
    """Whether two arrays hold the same bits; zeros of either sign are one."""
    mine, theirs = (np.asarray(array) + 0.0 for array in (one, other))
    return mine.shape == theirs.shape and mine.tobytes() == theirs.tobytes()


def rotation(rng: np.random.Generator, dims: int) -> np.ndarray:
    """Return a random orthogonal matrix."""
    return np.linalg.qr(rng.normal(size=(dims, dims)))[0]
