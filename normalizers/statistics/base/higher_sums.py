"""Third and fourth moments of rows about their mean, which shrinkage asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from normalizers.data.arrays import Array, readonly
from normalizers.errors import InvalidInput
from normalizers.statistics.base import posted as reading
from normalizers.statistics.base.statistic import Members

HIGHER = ("third", "fourth")
# Fourth powers of values beyond these are no ordinary float64.
TOO_LARGE = "third and fourth moments take values below 1e70 in size"


@dataclass(frozen=True, eq=False)
class HigherSums:
    """T = sum |z|^2 z, shape (d,), and Q = sum |z|^4, with z = x - mean.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics.base.higher_sums import HigherSums
    >>> sums = HigherSums.of_rows(np.array([[0.0], [0.0], [3.0]]), np.array([1.0]))
    >>> sums.third.tolist(), float(sums.fourth)
    ([6.0], 18.0)
    """

    third: Array
    fourth: Array

    def __post_init__(self) -> None:
        for name in HIGHER:
            object.__setattr__(self, name, readonly(np.asarray(getattr(self, name))))

    @classmethod
    def zeros(cls, d: int) -> Self:
        """Return the sums of no row."""
        return cls(np.zeros(d), np.zeros(()))

    @classmethod
    def of_rows(cls, x: Array, mean: Array) -> Self:
        """Return the sums of rows about their mean.

        Raises
        ------
        InvalidInput
            A fourth power that overflows.
        """
        z = np.asarray(x, dtype=np.float64) - mean
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            squares = np.einsum("ij,ij->i", z, z)
            sums = cls(squares @ z, np.asarray(squares @ squares))
        if not (np.isfinite(sums.fourth) and np.isfinite(sums.third).all()):
            raise InvalidInput(TOO_LARGE)
        return sums

    def about(self, shift: Array, n: int, scatter: Array) -> Self:
        """Return the sums about a mean that lies `shift` before the rows' own.

        With e the shift and the old S, T and Q: T + tr(S) e + 2 S e + n |e|^2 e, and
        Q + 4 e S e + n |e|^4 + 4 e T + 2 tr(S) |e|^2.
        """
        trace, pull, square = np.trace(scatter), scatter @ shift, shift @ shift
        third = self.third + trace * shift + 2 * pull + n * square * shift
        bound = n * square * square + 4 * (shift @ self.third) + 2 * trace * square
        return type(self)(third, self.fourth + 4 * (shift @ pull) + bound)

    def plus(self, other: HigherSums) -> Self:
        """Return both sums about one mean, added."""
        return type(self)(self.third + other.third, self.fourth + other.fourth)

    def minus(self, other: HigherSums) -> Self:
        """Return what remains about one mean; a fourth moment is not negative."""
        fourth = np.maximum(self.fourth - other.fourth, 0.0)
        return type(self)(self.third - other.third, fourth)

    def arrays(self) -> dict[str, Array]:
        """Return the members."""
        return {"third": self.third, "fourth": self.fourth}

    @classmethod
    def read(cls, members: Members, d: int, path: str) -> Self:
        """Return posted sums."""
        for name in HIGHER:
            reading.require(members, name, path)
        third = reading.floats(members, "third", path, (d,))
        fourth = reading.floats(members, "fourth", path, ())
        reading.refuse_where(fourth < 0, "a sum of fourth powers is negative", f"{path}.fourth")
        return cls(third, fourth)
