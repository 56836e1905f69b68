"""Mean and spread from sums and sums of squares, where the difference keeps enough digits."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput, position_text
from normalizers.statistics.base.magnitude import MACHINE_EPSILON

# Of the sum of squares: below it fewer than three digits of a spread are left.
UNITS_OF_ROUNDING = 1e3


def centred(n: Array | int, sums: Array, squares: Array, path: str) -> tuple[Array, Array]:
    """Return the mean, and the sums of products about it, from the sums of rows.

    Parameters
    ----------
    n : int, or int64 array of shape (c,)
        Rows.
    sums : array of shape (c,)
        Sums of the columns.
    squares : array of shape (c,) or (c, c)
        Sums of squares, or of outer products.
    path : str
        Where the squares stand.

    Raises
    ------
    InvalidInput
        Mean and spread are too unlike in size: the difference holds no digits of the spread.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics.base.raw_sums import centred
    >>> mean, m2 = centred(2, np.array([4.0]), np.array([10.0]), "sum_squares")
    >>> mean.tolist(), m2.tolist()
    ([2.0], [2.0])
    """
    rows = np.maximum(n, 1)
    mean = sums / rows
    explained = np.outer(mean, sums) if squares.ndim == 2 else mean * sums
    left = squares - explained
    own, whole = (np.diagonal(part) if part.ndim == 2 else part for part in (left, squares))
    lost = (own < UNITS_OF_ROUNDING * rows * MACHINE_EPSILON * whole) & (whole > 0) & (rows > 1)
    if lost.any():
        where = position_text(np.argwhere(lost)[0])
        raise InvalidInput(
            f"the sums cancel at {where}: they hold too few digits of the spread beside a mean of "
            "this size; post the mean and the sum of squared deviations",
            path=path + where,
        )
    return mean, left
