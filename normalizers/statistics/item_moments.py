"""Mean and squared deviations of each item's similarities to a bank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, final

import numpy as np

from normalizers.data.arrays import Array
from normalizers.statistics.base import posted
from normalizers.statistics.base.items import (
    ITEM_MEMBERS,
    ItemStatistic,
    read_bank_rows,
    read_items,
)
from normalizers.statistics.base.stacking import freeze
from normalizers.statistics.base.statistic import Members


@final
@dataclass(frozen=True, eq=False)
class ItemMoments(ItemStatistic):
    """Mean and sum of squared deviations of each item over the bank; ``ItemMoments()`` is empty.

    Parameters
    ----------
    mean, m2 : arrays of shape (g,)
        Of the item's similarities to the bank.

    Notes
    -----
    Parts of a bank merge by Chan's rule; other items over the same bank are joined.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import ItemMoments
    >>> part = ItemMoments(n=2, mean=np.array([1.0]), m2=np.array([2.0]))
    >>> part.merge(ItemMoments(n=2, mean=np.array([3.0]), m2=np.array([2.0]))).std().tolist()
    [1.4142135623730951]
    """

    mean: Array = field(default_factory=lambda: np.zeros(0))
    m2: Array = field(default_factory=lambda: np.zeros(0))

    name: ClassVar[str] = "item_moments"

    def __post_init__(self) -> None:
        freeze(self, "mean", "m2")

    @property
    def items(self) -> int:
        """Number of items."""
        return len(self.mean)

    def std(self) -> Array:
        """Return the population deviation of each item, shape (g,)."""
        return np.asarray(np.sqrt(self.m2 / max(self.n, 1)))

    def configuration(self) -> Mapping[str, object]:
        """Return nothing: there is one way to keep them."""
        return {}

    def configured(self, other: Self) -> Self:
        """Return this statistic."""
        return self

    def added(self, other: Self, order: Array | None) -> Self:
        """Return the moments over both banks."""
        mean = other.mean if order is None else other.mean[order]
        m2 = other.m2 if order is None else other.m2[order]
        shift, share = mean - self.mean, other.n / (self.n + other.n)
        # Chan: n_a n_b / n (mean_b - mean_a)^2, divided first.
        together = self.m2 + m2 + np.square(shift) * (self.n * share)
        return replace(self, mean=self.mean + shift * share, m2=together)

    def beside(self, other: Self) -> Self:
        """Return the moments of the items of both parts."""
        mean, m2 = ([self.mean, other.mean], [self.m2, other.m2])
        return replace(self, mean=np.concatenate(mean), m2=np.concatenate(m2))

    def to_arrays(self) -> dict[str, Array]:
        """Return the members of the statistic; {} when wholly empty."""
        return {} if self.is_empty else {**self.item_arrays(), "mean": self.mean, "m2": self.m2}

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the statistic of posted moments."""
        if not members:
            return self.with_values()
        posted.refuse_unknown(members, (*ITEM_MEMBERS, "mean", "m2"), path)
        mean = posted.floats(members, "mean", path, (None,))
        m2 = posted.floats(members, "m2", path, (len(mean),))
        posted.refuse_where(m2 < 0, "a sum of squares is negative", f"{path}.m2")
        n = read_bank_rows(members, path)
        return self.with_values(n=n, mean=mean, m2=m2, **read_items(members, len(mean), path))

    def with_values(self, **values: Any) -> Self:
        """Return a statistic of this configuration with these values."""
        return type(self)(**{"from_embeddings": self.from_embeddings, **values})

    def summary(self) -> dict[str, object]:
        """Return n, the number of items and the range of their means."""
        known = not self.is_empty and self.items > 0
        return {
            "n": self.n,
            "items": self.items,
            "mean_min": float(self.mean.min()) if known else None,
            "mean_max": float(self.mean.max()) if known else None,
        }
