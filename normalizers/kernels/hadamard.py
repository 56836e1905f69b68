"""Hadamard matrices: entries of one size, rows at right angles; and products with them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array, readonly

# Rows whose temporaries stay in a processor's cache.
BLOCK_ROWS = 512


class Factors(NamedTuple):
    """A Hadamard matrix as the Kronecker product of two smaller ones, not yet scaled.

    Parameters
    ----------
    left, right : array of shape (a, a), (b, b)
        Entries of 1 and -1.
    """

    left: Array
    right: Array


@lru_cache(maxsize=16)
def hadamard_factors(d: int) -> Factors | None:
    """Return the factors of a Hadamard matrix of order `d`, or None where none is known here.

    Powers of 2 by Sylvester, others by Paley's two constructions and Kronecker products.

    Examples
    --------
    >>> from normalizers.kernels.hadamard import hadamard_factors
    >>> [len(part) for part in hadamard_factors(768)]
    [16, 48]
    >>> hadamard_factors(6) is None
    True
    """
    orders = _orders(d)
    if orders is None:
        return None
    left, right = [1], [1]
    # The right side is one product of tall matrices, the left one a small product for every row:
    # about four times as large it takes as long. The largest block first.
    for order in sorted(orders, reverse=True):
        (left if 4 * np.prod(left) <= np.prod(right) else right).append(order)
    return Factors(readonly(_kronecker(left)), readonly(_kronecker(right)))


def rotate(x: Array, factors: Factors, *, back: bool = False) -> Array:
    """Return ``x H / sqrt(d)`` for rows ``x (m, d)``, or with ``back`` times the transpose of H.

    Notes
    -----
    With H the product of A (a, a) and B (b, b), a row as an a x b matrix X becomes A^T X B:
    d (a + b) multiplications in place of d^2.
    """
    left, right = (part.astype(x.dtype) for part in factors)
    if back:
        left, right = left.T, right.T
    a, b = len(left), len(right)
    # Half of the scale at each product, so that no sum of large numbers overflows before it.
    left, right = left / np.sqrt(x.dtype.type(a)), right / np.sqrt(x.dtype.type(b))
    out = np.empty((len(x), a, b), dtype=x.dtype)
    for start in range(0, len(x), BLOCK_ROWS):
        rows = x[start : start + BLOCK_ROWS]
        inner = (rows.reshape(-1, b) @ right).reshape(len(rows), a, b)
        np.matmul(left.T, inner, out=out[start : start + BLOCK_ROWS])
    return out.reshape(len(x), a * b)


def _orders(d: int) -> list[int] | None:
    """Return orders of matrices that are known and whose product is `d`: 2s, and Paley's."""
    if d == 1:
        return []
    if d == 2:
        return [2]
    if d % 4:
        return None
    twos = (d & -d).bit_length() - 1
    if d == 1 << twos:
        return [2] * twos
    for power in range(twos - 2, -1, -1):
        block = d >> power
        if _is_paley(block):
            return [2] * power + [block]
    return _product(d)


def _product(d: int) -> list[int] | None:
    """Return orders of a product of two matrices of which neither is of order 1 or 2."""
    for block in range(12, d // 4 + 1, 4):
        if d % block == 0 and _is_paley(block) and (rest := _orders(d // block)) is not None:
            return [block, *rest]
    return None


def _is_paley(order: int) -> bool:
    return _first_prime(order) is not None or _second_prime(order) is not None


def _first_prime(order: int) -> int | None:
    q = order - 1
    return q if q % 4 == 3 and _is_prime(q) else None


def _second_prime(order: int) -> int | None:
    q = order // 2 - 1
    return q if order % 4 == 0 and q % 4 == 1 and _is_prime(q) else None


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))


def _kronecker(orders: list[int]) -> Array:
    product: Array = np.ones((1, 1))
    for order in orders:
        if order > 1:
            product = np.kron(product, _block(order))
    return product


def _block(order: int) -> Array:
    if order == 2:
        return np.array([[1.0, 1.0], [1.0, -1.0]])
    q = _first_prime(order)
    return _paley_first(q) if q is not None else _paley_second(order // 2 - 1)


def _paley_first(q: int) -> Array:
    """Return I + S of order q + 1, S skew with the Jacobsthal matrix inside."""
    skew = np.ones((q + 1, q + 1))
    skew[0, 0] = 0.0
    skew[1:, 0] = -1.0
    skew[1:, 1:] = _jacobsthal(q)
    return skew + np.eye(q + 1)


def _paley_second(q: int) -> Array:
    """Return the matrix of order 2 (q + 1), from the symmetric conference matrix of order q + 1."""
    conference = np.ones((q + 1, q + 1))
    conference[0, 0] = 0.0
    conference[1:, 1:] = _jacobsthal(q)
    plus = np.array([[1.0, 1.0], [1.0, -1.0]])
    minus = np.array([[1.0, -1.0], [-1.0, -1.0]])
    return np.kron(conference, plus) + np.kron(np.eye(q + 1), minus)


def _jacobsthal(q: int) -> Array:
    """Return chi(i - j): 1 for squares modulo `q`, -1 for others, 0 on the diagonal."""
    character = np.full(q, -1.0)
    character[(np.arange(q, dtype=np.int64) ** 2) % q] = 1.0
    character[0] = 0.0
    places = np.arange(q)
    return np.asarray(character[(places[:, None] - places[None, :]) % q])
