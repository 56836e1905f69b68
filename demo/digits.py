"""The handwritten digits that come with scikit-learn, split once and for good."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.datasets import load_digits

from normalizers.data.arrays import Array

SPLIT_SEED = 20


@dataclass(frozen=True)
class Digits:
    """Images as vectors of 64 grey values, and which digit each shows.

    Parameters
    ----------
    images : array of shape (n, 64)
    digits : array of shape (n,)
    """

    images: Array
    digits: Array

    def __len__(self) -> int:
        return len(self.digits)

    def shares_digit(self, other: Digits) -> Array:
        """Return which image of `other` shows the same digit, shape (n, m)."""
        return np.equal.outer(self.digits, other.digits)


def split(parts: int) -> list[Digits]:
    """Return all digits in random parts of equal size that share no image."""
    images, digits = load_digits(return_X_y=True)
    order = np.random.default_rng(SPLIT_SEED).permutation(len(digits))
    return [Digits(images[rows], digits[rows]) for rows in np.array_split(order, parts)]


def cosines(rows: Array, others: Array) -> Array:
    """Return the cosine of every row with every other row."""
    return np.asarray(_unit(rows) @ _unit(others).T)


def _unit(rows: Array) -> Array:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))
