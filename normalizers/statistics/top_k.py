"""The largest similarities of each item to a bank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, final

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import FitError, InvalidInput, NonFiniteError, ShapeError
from normalizers.kernels.largest import Largest
from normalizers.statistics.base import posted
from normalizers.statistics.base.items import (
    ITEM_MEMBERS,
    ItemStatistic,
    read_bank_rows,
    read_items,
    require_ids,
)
from normalizers.statistics.base.stacking import freeze
from normalizers.statistics.base.statistic import Members


@final
@dataclass(frozen=True, eq=False)
class TopK(ItemStatistic):
    """The k largest similarities of each item to the bank; ``TopK(k=10)`` is empty.

    Parameters
    ----------
    k : int, optional
        How many are kept; needed before the first rows.
    values : array of shape (g, min(k, n))
        Similarities, the largest first, in the type they came in: float32 or float64.

    Notes
    -----
    Exact: the largest of two banks are among the largest of each. Rows cannot be subtracted,
    since what they pushed out is gone. Cost O(b g).

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import TopK
    >>> part = TopK(k=2).update(np.array([[0.1, 0.9], [0.7, 0.2], [0.3, 0.4]]))
    >>> part.values.tolist()
    [[0.7, 0.3], [0.9, 0.4]]
    >>> part.merge(TopK(k=2).update(np.array([[0.5, 0.0]]))).values.tolist()
    [[0.7, 0.5], [0.9, 0.4]]
    """

    k: int | None = None
    values: Array = field(default_factory=lambda: np.zeros((0, 0)))

    name: ClassVar[str] = "top_k"

    def __post_init__(self) -> None:
        freeze(self, "values")

    @property
    def items(self) -> int:
        """Number of items."""
        return len(self.values)

    @property
    def k_effective(self) -> int:
        """How many similarities each item has: k, or fewer of a smaller bank."""
        return int(self.values.shape[1])

    @property
    def means(self) -> Array:
        """The mean of what is kept of each item, shape (g,)."""
        return np.asarray(np.mean(self.values, axis=1, dtype=np.float64))

    def configuration(self) -> Mapping[str, object]:
        """Return k where it is known."""
        return {} if self.k is None else {"k": self.k}

    def configured(self, other: Self) -> Self:
        """Return this statistic, empty, with the k of `other` where it has none."""
        return self if self.k is not None else replace(self, k=other.k)

    def update(self, sims: Array, item_ids: Array | None = None) -> Self:
        """Return the statistic with the bank rows of ``sims (b, g)`` added, over the same items.

        Raises
        ------
        FitError
            No k was given.
        NonFiniteError
            A similarity is not finite.
        """
        if sims.ndim != 2:
            raise ShapeError(f"similarities are one row a bank query, (b, g), not {sims.shape}")
        if not np.isfinite(sims).all():
            raise NonFiniteError("a similarity is missing or infinite")
        if item_ids is not None:
            require_ids(item_ids, sims.shape[1], "item_ids")
        kept = Largest(sims.shape[1], self._known_k())
        kept.add(np.ascontiguousarray(sims.T))
        # Rows of one call are of one gallery, wherever it came from.
        plain: TopK = replace(self, from_embeddings=False)
        part = plain.with_values(n=len(sims), item_ids=item_ids, values=kept.descending())
        return replace(plain.merge(part), from_embeddings=self.from_embeddings)

    def added(self, other: Self, order: Array | None) -> Self:
        """Return the largest of both banks."""
        theirs = other.values if order is None else other.values[order]
        kept = Largest(self.items, self._known_k())
        kept.add(np.concatenate([self.values, theirs], axis=1))
        return replace(self, values=kept.descending())

    def beside(self, other: Self) -> Self:
        """Return the largest of the items of both parts."""
        return replace(self, values=np.concatenate([self.values, other.values]))

    def to_arrays(self) -> dict[str, Array]:
        """Return the members of the statistic; {} when wholly empty."""
        return {} if self.is_empty else {**self.item_arrays(), "values": self.values}

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the statistic of posted values, one row an item, the largest first."""
        if not members:
            return self.with_values()
        posted.refuse_unknown(members, (*ITEM_MEMBERS, "values"), path)
        values = _posted_values(members, path)
        n = read_bank_rows(members, path)
        width, place = values.shape[1], f"{path}.values"
        expected = min(n, self.k if self.k is not None else max(1, width))
        if width != expected and len(values):
            raise InvalidInput(
                f"each item has {width} similarities; of {n} bank rows {expected} are kept",
                path=place,
            )
        posted.refuse_where(np.diff(values, axis=1) > 0, "the similarities rise", place)
        k = width if self.k is None else self.k
        return self.with_values(k=k, n=n, values=values, **read_items(members, len(values), path))

    def with_values(self, **values: Any) -> Self:
        """Return a statistic of this configuration with these values."""
        return type(self)(**{"k": self.k, "from_embeddings": self.from_embeddings, **values})

    def summary(self) -> dict[str, object]:
        """Return n, how many similarities are kept, the number of items and the range of means."""
        known = not self.is_empty and self.items > 0
        return {
            "n": self.n,
            "k_effective": self.k_effective if known else None,
            "items": self.items,
            "mean_min": float(self.means.min()) if known else None,
            "mean_max": float(self.means.max()) if known else None,
        }

    def _known_k(self) -> int:
        if self.k is None:
            raise FitError("the largest similarities need a number for 'k'")
        return self.k


def _posted_values(members: Members, path: str) -> Array:
    values = posted.require(members, "values", path)
    if isinstance(values, np.ndarray) and values.dtype == np.float32:
        posted.require_shape(values, (None, None), f"{path}.values")
        posted.require_finite(values, f"{path}.values", missing=False)
        return values
    if not posted.numbers(values, f"{path}.values").size:
        return np.zeros((0, 0))
    return posted.floats(members, "values", path, (None, None))
