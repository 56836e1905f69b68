"""The log-sum-exp of each item's similarities to a bank."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self, final

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import (
    FitError,
    IncompatibleStatistics,
    InvalidInput,
    NonFiniteError,
    ShapeError,
)
from normalizers.kernels.logspace import log_add, log_sum_exp
from normalizers.statistics.base import posted
from normalizers.statistics.base.stacking import freeze
from normalizers.statistics.base.statistic import Members, Statistic

BLOCK_SIZE = 2**22  # similarities exponentiated at once


@final
@dataclass(frozen=True, eq=False)
class LogSumExp(Statistic):
    """ln sum over the bank of exp(beta s) for each item; ``LogSumExp(beta)`` is empty.

    Parameters
    ----------
    beta : float, optional
        Inverse temperature; needed before the first rows.
    from_embeddings : bool
        Whether the similarities are computed from embeddings. Such parts merge only by item
        ids, since a position says nothing about another gallery.
    n : int
        Bank rows seen.
    item_ids : object array of str, shape (g,), optional
        The items, in the order of the first fit.
    item_lse : array of shape (g,)
        The log-sum-exp of each item.
    posted_bias : array of shape (g,), optional
        The bias, where it was posted in place of ``item_lse``: it fits, it does not merge.

    Notes
    -----
    The running maximum is subtracted before exponentiating, so nothing overflows at any beta;
    blocks of rows are added in logarithms. Rows cannot be subtracted. Cost O(b g).

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import LogSumExp
    >>> part = LogSumExp(beta=2.0).update(np.array([[500.0, 0.0], [500.0, 0.0]]))
    >>> part.item_lse.round(6).tolist()
    [1000.693147, 0.693147]
    """

    beta: float | None = None
    from_embeddings: bool = False
    n: int = 0
    item_ids: Array | None = None
    item_lse: Array = field(default_factory=lambda: np.zeros(0))
    posted_bias: Array | None = None

    name: ClassVar[str] = "log_sum_exp"

    def __post_init__(self) -> None:
        freeze(self, "item_lse")

    @property
    def items(self) -> int:
        """Number of items."""
        return len(self.item_lse if self.posted_bias is None else self.posted_bias)

    @property
    def is_empty(self) -> bool:
        """Whether no bank row was seen."""
        return self.n == 0 and self.mergeable

    @property
    def mergeable(self) -> bool:
        """Whether the sums are known, not only the bias."""
        return self.posted_bias is None

    @property
    def bias(self) -> Array:
        """Bias of each item, ``item_lse / beta``, shape (g,)."""
        if self.posted_bias is not None:
            return self.posted_bias
        return self.item_lse / self._known_beta()

    def identity(self) -> Mapping[str, object]:
        """Return beta where it is known and, when not empty, the items: count and digest."""
        known: dict[str, object] = {} if self.beta is None else {"beta": self.beta}
        if self.is_empty:
            return known
        return {**known, "items": self.items, "item_set": _digest(self.item_ids)}

    def update(self, sims: Array, item_ids: Array | None = None) -> Self:
        """Return the sums with the bank rows of ``sims (b, g)`` added, over the same items.

        Raises
        ------
        FitError
            No beta was given.
        NonFiniteError
            A similarity, or beta times it, is not finite.
        """
        if sims.ndim != 2:
            raise ShapeError(f"similarities are one row a bank query, (b, g), not {sims.shape}")
        total: LogSumExp = self
        block_rows = max(1, BLOCK_SIZE // max(1, sims.shape[1]))
        for start in range(0, len(sims), block_rows):
            block = self._of_block(sims[start : start + block_rows], item_ids)
            total = total._added(block, by_position=item_ids is None)
        return total

    def merge(self, other: Self) -> Self:
        """Return the sums of both parts together, items aligned by id.

        Raises
        ------
        IncompatibleStatistics
            Another beta, other items, or parts whose items are not known to be the same.
        """
        return self._added(other, by_position=not (self.from_embeddings or other.from_embeddings))

    def to_arrays(self) -> dict[str, Array]:
        """Return the members of the statistic; {} when wholly empty."""
        if self.is_empty:
            return {}
        members = {"beta": np.asarray(self._known_beta())}
        if self.item_ids is not None:
            members["item_ids"] = self.item_ids
        if self.posted_bias is not None:
            return {**members, "item_bias": self.posted_bias}
        return {"n": np.asarray(self.n, dtype=np.int64), **members, "item_lse": self.item_lse}

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the sums of posted ``n`` and ``item_lse``, or a posted ``item_bias``."""
        if not members:
            return LogSumExp(self.beta, self.from_embeddings)
        posted.refuse_unknown(members, ("n", "beta", "item_ids", "item_lse", "item_bias"), path)
        form = posted.one_of(members, ("item_lse", "item_bias"), path)
        beta = self._posted_beta(members, path)
        values = posted.floats(members, form, path, (None,))
        item_ids = _posted_ids(members, len(values), path)
        if form == "item_bias":
            return replace(self, beta=beta, item_ids=item_ids, posted_bias=values)
        n = posted.count(members, "n", path)
        if n == 0:
            raise InvalidInput("n is 0; an empty statistic is {}", path=f"{path}.n")
        return LogSumExp(beta, self.from_embeddings, n, item_ids, values)

    def summary(self) -> dict[str, object]:
        """Return n, beta, the number of items and the range of their bias."""
        known = not self.is_empty and self.items > 0
        return {
            "n": self.n if self.mergeable else None,
            "beta": self.beta,
            "items": self.items,
            "bias_min": float(self.bias.min()) if known else None,
            "bias_max": float(self.bias.max()) if known else None,
        }

    def _known_beta(self) -> float:
        if self.beta is None:
            raise FitError("a log-sum-exp needs a number for 'beta'")
        return self.beta

    def _of_block(self, sims: Array, item_ids: Array | None) -> LogSumExp:
        with np.errstate(over="ignore"):
            exponents = np.asarray(sims, dtype=np.float64) * self._known_beta()
        if not np.isfinite(exponents).all():
            raise NonFiniteError("a similarity, or beta times it, is missing or infinite")
        if item_ids is not None:
            _require_ids(item_ids, exponents.shape[1], "item_ids")
        sums = log_sum_exp(exponents, axis=0)
        return LogSumExp(self.beta, self.from_embeddings, len(sims), item_ids, sums)

    def _added(self, other: LogSumExp, *, by_position: bool) -> LogSumExp:
        self._require_same_beta(other)
        if other.is_empty:
            return self if self.beta is not None else replace(self, beta=other.beta)
        if self.is_empty:
            return other
        if not (self.mergeable and other.mergeable):
            raise IncompatibleStatistics(
                "a posted 'item_bias' fits, but it does not merge; post 'n' and 'item_lse'"
            )
        # ln(e^a + e^b): sums of parts are never exponentiated, so no beta overflows.
        sums = log_add(self.item_lse, _aligned(self, other, by_position=by_position))
        return replace(self, n=self.n + other.n, item_lse=sums)

    def _require_same_beta(self, other: LogSumExp) -> None:
        if None not in (self.beta, other.beta) and self.beta != other.beta:
            raise IncompatibleStatistics(
                f"'{self.name}' statistics do not merge: beta is {self.beta} here and "
                f"{other.beta} there"
            )

    def _posted_beta(self, members: Members, path: str) -> float:
        beta = posted.number(members, "beta", path)
        if beta <= 0:
            raise InvalidInput("beta is not above 0", path=f"{path}.beta")
        if self.beta not in (None, beta):
            raise IncompatibleStatistics(
                f"the statistics have beta {beta}, this fit has {self.beta}", path=f"{path}.beta"
            )
        return beta


def _aligned(mine: LogSumExp, theirs: LogSumExp, *, by_position: bool) -> Array:
    """Return the sums of `theirs` in the order of the items of `mine`."""
    if mine.item_ids is None or theirs.item_ids is None:
        _require_positions(mine, theirs, by_position=by_position)
        return theirs.item_lse
    if np.array_equal(mine.item_ids, theirs.item_ids):
        return theirs.item_lse
    position = {item: index for index, item in enumerate(theirs.item_ids)}
    strangers = set(mine.item_ids) ^ position.keys()
    if strangers:
        raise IncompatibleStatistics(
            f"'{mine.name}' statistics do not merge: item '{min(strangers)}' is in one part only"
        )
    return theirs.item_lse[[position[item] for item in mine.item_ids]]


def _require_positions(mine: LogSumExp, theirs: LogSumExp, *, by_position: bool) -> None:
    if mine.items != theirs.items:
        raise IncompatibleStatistics(
            f"'{mine.name}' statistics do not merge: {mine.items} items here and "
            f"{theirs.items} there"
        )
    if (mine.item_ids is None) != (theirs.item_ids is None):
        raise IncompatibleStatistics(
            f"'{mine.name}' statistics do not merge: only one part names its items"
        )
    if not by_position:
        raise IncompatibleStatistics(
            f"'{mine.name}' statistics from embeddings do not merge without item ids; name the "
            "gallery in every fit"
        )


def _posted_ids(members: Members, items: int, path: str) -> Array | None:
    if "item_ids" not in members:
        return None
    item_ids = posted.texts(members, "item_ids", path)
    _require_ids(item_ids, items, f"{path}.item_ids")
    return item_ids


def _require_ids(item_ids: Array, items: int, path: str) -> None:
    posted.require_shape(item_ids, (items,), path)
    posted.refuse_where(item_ids == "", "an item id is empty", path)
    if len(set(item_ids.tolist())) < items:
        raise InvalidInput("an item id occurs twice", path=path)


def _digest(item_ids: Array | None) -> str | None:
    if item_ids is None:
        return None
    digest = hashlib.sha256()
    for item in sorted(item_ids.tolist()):
        encoded = item.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()
