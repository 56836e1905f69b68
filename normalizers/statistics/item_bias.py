"""A number of each item that one whole bank gives: it has no parts to add."""

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
class ItemBias(ItemStatistic):
    """The bias of each item, as a whole bank gave it; ``ItemBias()`` is empty.

    Parameters
    ----------
    item_bias : array of shape (g,)
        In units of the similarities.

    Notes
    -----
    Many rounds over a bank leave nothing that could be added up: parts of a bank are refused,
    other items over the same bank are joined.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import ItemBias
    >>> ItemBias(n=3, item_bias=np.array([0.1, 0.4])).items
    2
    """

    item_bias: Array = field(default_factory=lambda: np.zeros(0))

    name: ClassVar[str] = "item_bias"

    def __post_init__(self) -> None:
        freeze(self, "item_bias")

    @property
    def items(self) -> int:
        """Number of items."""
        return len(self.item_bias)

    def configuration(self) -> Mapping[str, object]:
        """Return nothing: parameters say how it was found."""
        return {}

    def configured(self, other: Self) -> Self:
        """Return this statistic."""
        return self

    def require_mergeable(self, other: Self) -> None:
        """Refuse parts of a bank."""
        raise self.refused("all rounds need the whole bank at once; fit it again")

    def added(self, other: Self, order: Array | None) -> Self:
        """Return nothing: parts of a bank were refused before."""
        raise self.refused("all rounds need the whole bank at once")

    def beside(self, other: Self) -> Self:
        """Return the bias of the items of both parts."""
        return replace(self, item_bias=np.concatenate([self.item_bias, other.item_bias]))

    def to_arrays(self) -> dict[str, Array]:
        """Return the members of the statistic; {} when wholly empty."""
        return {} if self.is_empty else {**self.item_arrays(), "item_bias": self.item_bias}

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the statistic of a posted bias."""
        if not members:
            return self.with_values()
        posted.refuse_unknown(members, (*ITEM_MEMBERS, "item_bias"), path)
        bias = posted.floats(members, "item_bias", path, (None,))
        n = read_bank_rows(members, path)
        return self.with_values(n=n, item_bias=bias, **read_items(members, len(bias), path))

    def with_values(self, **values: Any) -> Self:
        """Return a statistic of this configuration with these values."""
        return type(self)(**{"from_embeddings": self.from_embeddings, **values})

    def summary(self) -> dict[str, object]:
        """Return n and the number of items."""
        return {"n": self.n, "items": self.items}
