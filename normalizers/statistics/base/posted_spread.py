"""A spread that was posted without the number of rows: it fits, it does not merge."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import FitError
from normalizers.statistics.base import posted
from normalizers.statistics.base.statistic import Members


class PostedSpread(NamedTuple):
    """Deviations of columns or a covariance matrix, of an unknown number of rows.

    Parameters
    ----------
    values : array
        As they were posted, deviations not squared.
    ddof : int or None
        Their divisor is n - ddof; None where it was not said, and then counts as any.
    """

    values: Array
    ddof: int | None

    @classmethod
    def read(cls, values: Array, members: Members, path: str) -> Self:
        """Return the values with the ``ddof`` that was posted beside them."""
        return cls(values, posted.count(members, "ddof", path) if "ddof" in members else None)

    def arrays(self, name: str) -> dict[str, Array]:
        """Return the values by their name, and ``ddof`` where it is known."""
        if self.ddof is None:
            return {name: self.values}
        return {name: self.values, "ddof": np.asarray(self.ddof, dtype=np.int64)}

    def require_ddof(self, ddof: int, called: str) -> Array:
        """Return the values; those of another `ddof` do not give what is asked for.

        Raises
        ------
        FitError
            Names the two, and what to post.
        """
        if self.ddof in (None, ddof):
            return self.values
        raise FitError(
            f"a {called} posted without 'n' and with ddof {self.ddof} does not give the one with "
            f"ddof {ddof}; post 'n' too"
        )
