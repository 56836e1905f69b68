"""Rows of vectors: what a fit leaves out, unit lengths, zero rows, average cosine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias, cast

import numpy as np

from normalizers.bases.affine_maps import LinearMap
from normalizers.data.arrays import Array, namespace
from normalizers.errors import NonFiniteError
from normalizers.kernels.row_norms import ZERO_SHARES, row_norms, standard_rows, unit_rows
from normalizers.statistics.base.centred_products import span_rows

Step: TypeAlias = Literal["none", "l2", "layer_norm"]
BLOCK_ROWS = 1024
NEAR_BYTES = 2**19
LAYER_NORM_EPS = 1e-5  # the layers' own
MARGIN = 10.0  # twice the length of the mean, and what the product itself rounds
# Squares of norms between these are ordinary float32 numbers.
SMALLEST_NORM, LARGEST_NORM = 1e-15, 1e15
# Squares of norms between these are ordinary float64 numbers.
SMALLEST_DIVISOR, LARGEST_DIVISOR = 1e-150, 1e150


def fit_rows(x: Array, omit: bool) -> Iterator[Array]:
    """Yield the rows of a fit in blocks, without those that miss a value if `omit`.

    Raises
    ------
    NonFiniteError
        A value is missing and `omit` is False.
    """
    rows_at_once = span_rows(x.shape[1])
    for start in range(0, len(x), rows_at_once):
        block = x[start : start + rows_at_once]
        missing = missing_rows(block)
        if len(missing) and not omit:
            raise _missing_value(block, int(missing[0]), start)
        yield np.delete(block, missing, axis=0) if len(missing) else block


def missing_rows(x: Array) -> Array:
    """Return the indices of the rows that miss a value, ascending.

    A row times zero tells in one fast product: only what is no number then can miss a value.
    """
    with np.errstate(invalid="ignore"):
        # An infinity times 0 is NaN as well, hence the second look.
        suspects = np.flatnonzero(np.isnan(x @ np.zeros(x.shape[1], dtype=x.dtype)))
    return np.asarray(suspects[np.isnan(x[suspects]).any(axis=1)])


def _missing_value(block: Array, row: int, start: int) -> NonFiniteError:
    column = int(np.argmax(np.isnan(block[row])))
    path = f"fit.x[{start + row}][{column}]"
    return NonFiniteError(
        f"a missing value at {path}; nan_policy 'omit' leaves its row out of the fit",
        path=path,
        positions=[(start + row, column)],
    )


def zero_rows(x: Array) -> Array:
    """Return which rows are zero throughout, boolean of shape (n,)."""
    return cast(Array, ~namespace(x).any(x != 0, axis=1))


def prepared(x: Array, pre: Step) -> Array:
    """Return the rows after the step that goes before a map; the rows themselves without one."""
    if pre == "l2":
        return unit_rows(x)
    return standard_rows(x, LAYER_NORM_EPS) if pre == "layer_norm" else x


class Images(NamedTuple):
    """Images of rows, ``(m, k)``; which rows have no direction, and whose images are finite."""

    y: Array
    zero: Array
    finite: Array


def map_rows(there: LinearMap, x: Array, *, pre: Step, unit_after: bool) -> Images:
    """Return the images of the rows ``x (m, d)``, and which of the rows have none.

    Parameters
    ----------
    there : LinearMap
        For rows of this type and on their device.
    x : array of shape (m, d)
        The rows.
    pre : {'none', 'l2', 'layer_norm'}
        What is done to the rows first.
    unit_after : bool
        Whether the images are brought to length 1.
    """
    xp = namespace(x)
    rows = prepared(x, pre)
    # One product for all rows, since each has the matrix laid out anew; what follows it is done
    # while a block of its rows is near.
    y = there.product(rows)
    zero = zero_rows(rows) if pre != "none" else xp.zeros_like(y[:, 0], dtype=xp.bool)
    finite = xp.zeros_like(zero)
    for span in _near(y):
        part = y[span]
        finite[span] = there.complete(part, rows[span])
        if unit_after:
            unit_about(part, rows[span], there.centre, there.norm_bound)
            # Few rows begin with 0: only they can be zero throughout.
            places = xp.nonzero(part[:, 0] == 0)[0]
            zero[span][places] |= zero_rows(part[places])
    return Images(y, zero, finite)


def _near(y: Array) -> Iterator[slice]:
    """Yield blocks of rows that stay in a core's own cache; a device takes all at once."""
    near = isinstance(y, np.ndarray)
    size = max(1, NEAR_BYTES // max(1, y.shape[1] * y.itemsize)) if near else max(1, len(y))
    for start in range(0, len(y), size):
        yield slice(start, start + size)


def unit_about(y: Array, x: Array, centre: Array, reach: float) -> Array:
    """Scale the rows of `y` to length 1 in place; where `x` is the centre they become zero.

    Parameters
    ----------
    y : array of shape (m, k)
        Images of the rows of `x` about the centre; overwritten.
    x : array of shape (m, d)
        The rows; one is the centre where their difference is rounding.
    centre : array of shape (d,)
        Of the type of `x`.
    reach : float
        Length of the centre times that of the matrix. A row that is the centre is as long as it,
        so its image is not longer than this times the rounding, and only such images are looked at.
    """
    xp = namespace(y)
    with np.errstate(over="ignore", under="ignore"):
        # One product for all rows; the few whose squares leave the range are scaled on their own
        # below.
        norms = xp.sqrt(xp.vecdot(y, y))
    odd = xp.nonzero(~((norms > SMALLEST_NORM) & (norms < LARGEST_NORM)))[0]
    scaled = y[odd]
    if len(odd):
        norms[odd], scaled = row_norms(scaled), unit_rows(scaled)
    share = ZERO_SHARES[xp.finfo(x.dtype).bits]
    # |(x - mean) W| <= share (|x| + |mean|) |W| for a row that is the centre but for rounding,
    # about 2 share reach: only rows this short are looked at.
    short = xp.nonzero(norms <= MARGIN * share * reach)[0]
    if len(odd):
        norms[odd] = 1
    y /= norms[:, None]
    if len(odd):
        y[odd] = scaled
    if len(short):
        y[short[_at(x[short], centre, share)]] = 0
    return y


def _at(x: Array, centre: Array, share: float) -> Array:
    lengths = row_norms(x) + row_norms(centre[None, :])
    return cast(Array, row_norms(x - centre) < share * lengths)


def _small_blocks(x: Array) -> Iterator[Array]:
    """Yield the rows that miss nothing, in float64 and few enough at once to stay near."""
    for rows in fit_rows(x, omit=True):
        for start in range(0, len(rows), BLOCK_ROWS):
            yield np.asarray(rows[start : start + BLOCK_ROWS], dtype=np.float64)


def average_cosine(x: Array) -> float | None:
    """Return the mean cosine over pairs of distinct rows that miss nothing, None below two.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.bases.vectors import average_cosine
    >>> average_cosine(np.array([[2.0, 0.0], [5.0, 0.0], [0.0, 1.0]])).__round__(6)
    0.333333
    """
    total, nonzero, n = np.zeros(x.shape[1]), 0, 0
    for rows in _small_blocks(x):
        with np.errstate(over="ignore", under="ignore"):
            norms = np.sqrt(np.vecdot(rows, rows))
        ordinary = (norms > SMALLEST_DIVISOR) & (norms < LARGEST_DIVISOR)
        lost = rows[~ordinary]
        # A weighted sum of the rows as they are: no copy of them at length 1.
        total += np.divide(1, norms, where=ordinary, out=np.zeros(len(rows))) @ rows
        total += unit_rows(lost).sum(axis=0)
        nonzero += int(np.count_nonzero(ordinary)) + int(np.count_nonzero(lost.any(axis=1)))
        n += len(rows)
    # |sum of unit rows|^2 holds every pair twice and each row's own square of 1 once.
    return None if n < 2 else float((total @ total - nonzero) / (n * (n - 1)))
