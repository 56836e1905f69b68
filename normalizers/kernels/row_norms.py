"""Lengths of rows: scaled by powers of two, so that squares neither overflow nor underflow."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

from normalizers.data.arrays import Array, namespace

# A difference below this share of the lengths it was taken from is rounding.
ZERO_SHARES = {64: 1e-12, 32: 1e-6}  # by bits of the type


class ScaledRows(NamedTuple):
    """Rows with their largest entry near 1, ``(m, d)``, and the powers of two taken, ``(m,)``."""

    rows: Array
    exponents: Array

    @property
    def norms(self) -> Array:
        """Euclidean lengths of the scaled rows, shape (m,)."""
        xp = namespace(self.rows)
        return cast(Array, xp.sqrt(xp.sum(self.rows * self.rows, axis=1)))


def scaled_rows(x: Array) -> ScaledRows:
    """Return the rows scaled by powers of two; a row with an infinity is left as it is."""
    xp = namespace(x)
    rows = np.asarray(x, order="C") if xp is np else x
    if not rows.shape[1]:
        none = xp.zeros(rows.shape[0], dtype=rows.dtype, device=rows.device)
        return ScaledRows(rows + 0, none)
    largest = xp.max(xp.abs(rows), axis=1)
    ordinary = xp.isfinite(largest) & (largest > 0)
    exponents = xp.floor(xp.log2(xp.where(ordinary, largest, 1.0)))
    return ScaledRows(times_power(rows, -exponents[:, None]), exponents)


def row_norms(x: Array) -> Array:
    """Return the Euclidean norm of each row, shape (n,), in the type of `x`.

    Rows are scaled by a power of two, so that 1e-300 and 1e300 neither underflow nor overflow.
    """
    scaled = scaled_rows(x)
    return times_power(scaled.norms, scaled.exponents)


def unit_rows(x: Array) -> Array:
    """Return each row divided by its norm; a zero row stays zero.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.row_norms import unit_rows
    >>> unit_rows(np.array([[3e300, 4e300], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    scaled = scaled_rows(x)
    norms = scaled.norms
    rows = scaled.rows
    rows /= namespace(x).where(norms == 0, 1.0, norms)[:, None]
    return rows


def centred_rows(scaled: ScaledRows) -> tuple[Array, Array]:
    """Return the scaled rows without their means, and the means of the scaled rows, shape (m,).

    What is left of a row of equal entries is rounding, which no scale may blow up: it is 0.
    """
    xp = namespace(scaled.rows)
    means = xp.mean(scaled.rows, axis=1)
    centred = scaled.rows - means[:, None]
    left = xp.sqrt(xp.sum(centred * centred, axis=1))
    share = ZERO_SHARES[xp.finfo(centred.dtype).bits]
    centred[left < share * scaled.norms] = 0
    return centred, means


def standard_rows(x: Array, eps: float) -> Array:
    """Return ``(x - mean(x)) / sqrt(var_0(x) + eps)`` of each row, in the type of `x`.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.row_norms import standard_rows
    >>> standard_rows(np.array([[1e300, 3e300], [7.0, 7.0]]), 1e-5).tolist()
    [[-1.0, 1.0], [0.0, 0.0]]
    """
    xp = namespace(x)
    scaled = scaled_rows(x)
    centred, _ = centred_rows(scaled)
    divisors = root_mean_squares(centred, scaled.exponents, eps)
    centred /= xp.astype(xp.where(divisors == 0, 1.0, divisors), centred.dtype)[:, None]
    return centred


def root_mean_squares(rows: Array, exponents: Array, eps: float) -> Array:
    """Return ``sqrt(mean(x^2) + eps)`` of ``x = rows 2^exponents``, in units of that power.

    In float64: the power of two that `eps` is divided by may be beyond the range of float32.
    """
    xp = namespace(rows)
    count = max(1, rows.shape[1])
    mean_square = xp.astype(xp.sum(rows * rows, axis=1), xp.float64) / count
    with np.errstate(over="ignore", under="ignore"):
        added = eps**0.5 * 2.0 ** (-xp.astype(exponents, xp.float64))
        return cast(Array, xp.hypot(xp.sqrt(mean_square), added))


def times_power(values: Array, exponents: Array) -> Array:
    """Return ``values 2^exponents``, in two steps since one power alone may be out of range."""
    half = namespace(exponents).floor(exponents / 2)
    scaled = values * _power_of_two(half)
    scaled *= _power_of_two(exponents - half)
    return scaled


def _power_of_two(exponent: Array) -> Array:
    if namespace(exponent) is np:  # exact on every processor, as `power` need not be
        return np.asarray(np.ldexp(np.ones((), exponent.dtype), exponent.astype(np.intc)))
    return cast(Array, 2.0**exponent)
