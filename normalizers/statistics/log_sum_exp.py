"""The log-sum-exp of each item's similarities to a bank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, final

import numpy as np

from normalizers.data.arrays import Array, string_array
from normalizers.errors import (
    FitError,
    IncompatibleStatistics,
    InvalidInput,
    NonFiniteError,
    ShapeError,
)
from normalizers.kernels.logspace import log_add, log_sum_exp
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

BLOCK_SIZE = 2**22  # similarities exponentiated at once
# What the rows were normalized by: each bank query's similarities sum to 1 over the gallery.
NORMALIZED = "softmax"


@final
@dataclass(frozen=True, eq=False)
class LogSumExp(ItemStatistic):
    """ln sum over the bank of exp(beta s) for each item; ``LogSumExp(beta=20.0)`` is empty.

    Parameters
    ----------
    beta : float, optional
        Inverse temperature; needed before the first rows.
    normalized : bool
        Whether each bank row is normalized over the gallery first, by its log-softmax: beta s is
        then beta s minus the log-sum-exp of the row. Such sums are those of one gallery.
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
    normalized: bool = False
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

    def configuration(self) -> Mapping[str, object]:
        """Return beta where it is known, and whether rows are normalized."""
        told: dict[str, object] = {} if self.beta is None else {"beta": self.beta}
        return {**told, "row_normalization": NORMALIZED} if self.normalized else told

    def configured(self, other: Self) -> Self:
        """Return this statistic, empty, with the beta of `other` where it has none."""
        return self if self.beta is not None else replace(self, beta=other.beta)

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
        # Rows of one call are of one gallery, wherever it came from.
        total: LogSumExp = replace(self, from_embeddings=False)
        block_rows = max(1, BLOCK_SIZE // max(1, sims.shape[1]))
        for start in range(0, len(sims), block_rows):
            block = total._of_block(sims[start : start + block_rows], item_ids)
            total = total.merge(block)
        return replace(total, from_embeddings=self.from_embeddings)

    def require_mergeable(self, other: Self) -> None:
        """Refuse a posted bias: what it is made of is not known."""
        if not (self.mergeable and other.mergeable):
            raise IncompatibleStatistics(
                "a posted 'item_bias' fits, but it does not merge; post 'n' and 'item_lse'"
            )

    def added(self, other: Self, order: Array | None) -> Self:
        """Return the sums of both banks."""
        theirs = other.item_lse if order is None else other.item_lse[order]
        # ln(e^a + e^b): sums of parts are never exponentiated, so no beta overflows.
        return replace(self, item_lse=log_add(self.item_lse, theirs))

    def beside(self, other: Self) -> Self:
        """Return the sums of the items of both parts."""
        self.require_mergeable(other)
        if self.normalized:
            raise self.refused("each bank row is normalized over its whole gallery", "join")
        return replace(self, item_lse=np.concatenate([self.item_lse, other.item_lse]))

    def to_arrays(self) -> dict[str, Array]:
        """Return the members of the statistic; {} when wholly empty."""
        if self.is_empty:
            return {}
        members = {**self.item_arrays(), "beta": np.asarray(self._known_beta())}
        if self.normalized:
            members["row_normalization"] = string_array([NORMALIZED])
        if self.posted_bias is None:
            return {**members, "item_lse": self.item_lse}
        del members["n"]
        return {**members, "item_bias": self.posted_bias}

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the sums of posted ``n`` and ``item_lse``, or a posted ``item_bias``."""
        if not members:
            return self.with_values()
        known = (*ITEM_MEMBERS, "beta", "item_lse", "item_bias", "row_normalization")
        posted.refuse_unknown(members, known, path)
        form = posted.one_of(members, ("item_lse", "item_bias"), path)
        beta = self._posted_beta(members, path)
        self._check_normalization(members, path)
        values = posted.floats(members, form, path, (None,))
        told = {"beta": beta, **read_items(members, len(values), path)}
        if form == "item_bias":
            return self.with_values(**told, posted_bias=values)
        return self.with_values(**told, n=read_bank_rows(members, path), item_lse=values)

    def with_values(self, **values: Any) -> Self:
        """Return a statistic of this configuration with these values."""
        kept = {name: getattr(self, name) for name in ("beta", "normalized", "from_embeddings")}
        return type(self)(**{**kept, **values})

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

    def _of_block(self, sims: Array, item_ids: Array | None) -> Self:
        with np.errstate(over="ignore"):
            exponents = np.asarray(sims, dtype=np.float64) * self._known_beta()
        if not np.isfinite(exponents).all():
            raise NonFiniteError("a similarity, or beta times it, is missing or infinite")
        if item_ids is not None:
            require_ids(item_ids, exponents.shape[1], "item_ids")
        sums = log_sum_exp(exponents, axis=0)
        return self.with_values(n=len(sims), item_ids=item_ids, item_lse=sums)

    def _posted_beta(self, members: Members, path: str) -> float:
        beta = posted.number(members, "beta", path)
        if beta <= 0:
            raise InvalidInput("beta is not above 0", path=f"{path}.beta")
        if self.beta not in (None, beta):
            raise IncompatibleStatistics(
                f"the statistics have beta {beta}, this fit has {self.beta}", path=f"{path}.beta"
            )
        return beta

    def _check_normalization(self, members: Members, path: str) -> None:
        """Refuse sums that are another method's: their biases would be other ones, in silence."""
        if "item_bias" in members and "row_normalization" not in members:
            return
        expected = [NORMALIZED] if self.normalized else []
        place = f"{path}.row_normalization"
        found: list[str] = []
        if "row_normalization" in members:
            found = posted.texts(members, "row_normalization", path, levels=1).tolist()
        if found == expected:
            return
        if self.normalized:
            raise IncompatibleStatistics(
                f"these are sums of similarities as they are; this method's have rows normalized "
                f"over the gallery and say row_normalization ['{NORMALIZED}']",
                path=place,
            )
        raise IncompatibleStatistics(
            "these are sums of rows normalized over a gallery; this method's are of similarities "
            "as they are",
            path=place,
        )
