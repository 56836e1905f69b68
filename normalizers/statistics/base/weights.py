"""Weights of rows: their sums, what they divide by, and that parts of one kind merge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Self, TypeAlias

import numpy as np

from normalizers.data.arrays import Array, readonly
from normalizers.errors import IncompatibleStatistics, InvalidInput
from normalizers.statistics.base import posted as reading
from normalizers.statistics.base.magnitude import LARGEST, MACHINE_EPSILON, SMALLEST
from normalizers.statistics.base.statistic import Members

WeightKind: TypeAlias = Literal["none", "frequency", "reliability"]
SUMS = ("sum_w", "sum_w2")
# Sums of squares of posted weights were rounded apart from the square of their sum.
PRINTED = 1e-9
LARGEST_COUNT = 2.0**53


@dataclass(frozen=True, eq=False)
class WeightSums:
    """Sums of the weights and of their squares; of kind ``none`` every row counts once.

    Parameters
    ----------
    kind : {'none', 'frequency', 'reliability'}
        What a weight says: how often a row occurs, or how far it is to be trusted.
    sum_w, sum_w2 : array of shape (c,) or ()
        By column, or of all rows.
    """

    kind: WeightKind = "none"
    sum_w: Array = field(default_factory=lambda: np.zeros(0))
    sum_w2: Array = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        for name in SUMS:
            object.__setattr__(self, name, readonly(np.asarray(getattr(self, name))))

    @property
    def is_weighted(self) -> bool:
        """Whether rows have weights."""
        return self.kind != "none"

    def of(self, sum_w: Array, sum_w2: Array) -> Self:
        """Return sums of this kind."""
        return type(self)(self.kind, sum_w, sum_w2)

    def zeros(self, shape: tuple[int, ...]) -> Self:
        """Return the sums of no row."""
        return self.of(np.zeros(shape), np.zeros(shape)) if self.is_weighted else self

    def columns(self, places: Array) -> Self:
        """Return the sums of some columns, in this order; of -1 there are none."""
        if not self.is_weighted:
            return self
        sums = [np.where(places >= 0, part[places], 0.0) for part in (self.sum_w, self.sum_w2)]
        return self.of(*sums)

    def mass(self, observed: Array) -> Array:
        """Return what a mean divides by: the rows, or their weights."""
        return self.sum_w if self.is_weighted else observed

    def freedom(self, observed: Array, ddof: int) -> Array:
        """Return what a variance divides by; 0 or less where there is too little.

        W - ddof where weights are counts; W - ddof W2 / W where they are trust, which n equal
        weights make (n - ddof) of them.
        """
        if not self.is_weighted:
            return observed - ddof
        if self.kind == "frequency":
            return self.sum_w - ddof
        total = np.where(self.sum_w > 0, self.sum_w, 1.0)
        # w - w^2 / w of one row is rounding, not freedom.
        return np.where(observed > ddof, self.sum_w - ddof * self.sum_w2 / total, 0.0)

    def require_same(self, other: WeightSums, name: str) -> None:
        """Refuse to add up parts of which one has weights, or others."""
        if self.kind != other.kind:
            raise IncompatibleStatistics(
                f"'{name}' statistics do not merge: weight_kind is '{self.kind}' here and "
                f"'{other.kind}' there"
            )

    def plus(self, other: WeightSums) -> Self:
        """Return the sums of both parts."""
        if not self.is_weighted:
            return self
        return self.of(self.sum_w + other.sum_w, self.sum_w2 + other.sum_w2)

    def minus(self, other: WeightSums, observed: Array) -> Self:
        """Return the sums of what remains; without a row nothing does."""
        if not self.is_weighted:
            return self
        left = (self.sum_w - other.sum_w, self.sum_w2 - other.sum_w2)
        sums = [np.where(observed > 0, np.maximum(part, 0.0), 0.0) for part in left]
        return self.of(*sums)

    def arrays(self) -> dict[str, Array]:
        """Return the members; none where there are no weights."""
        return {"sum_w": self.sum_w, "sum_w2": self.sum_w2} if self.is_weighted else {}

    def read(self, members: Members, observed: Array, path: str) -> Self:
        """Return the posted sums of this kind; refuse those of another, or impossible ones."""
        sent = [name for name in SUMS if name in members]
        if not self.is_weighted:
            if sent:
                raise InvalidInput(
                    f"'{sent[0]}' is of weighted rows; name weight_kind", path=f"{path}.{sent[0]}"
                )
            return self
        sums = [reading.floats(members, name, path, observed.shape) for name in SUMS]
        _require_possible(observed, sums[0], sums[1], path)
        return self.of(*sums)


NO_WEIGHTS = WeightSums()


def stacked(parts: Sequence[WeightSums]) -> WeightSums:
    """Return the sums of several parts on a first axis; of one kind and shape, at least one."""
    first = parts[0]
    if not first.is_weighted:
        return first
    sums = [np.stack([getattr(part, name) for part in parts]) for name in SUMS]
    return first.of(*sums)


def weighted_rows(kind: WeightSums, rows: Sequence[Array]) -> tuple[Array, Array | None]:
    """Return rows and their weights, shape (n,); of weight 0 is no row.

    Raises
    ------
    IncompatibleStatistics
        Rows with weights where none are kept, or without where they are.
    InvalidInput
        A weight that is negative, not finite, or too large or small for its square.
    """
    x, *rest = rows
    if kind.is_weighted != bool(rest):
        told = "with weights" if rest else "without weights"
        raise IncompatibleStatistics(f"rows {told}, and weight_kind is '{kind.kind}'")
    if not rest:
        return x, None
    weights = checked_weights(rest[0])
    kept = weights > 0
    return (x, weights) if kept.all() else (x[kept], weights[kept])


def seen_rows(rows: Sequence[Array]) -> Array:
    """Return the rows that have a weight above 0; all where none has a weight."""
    x, *rest = rows
    return x if not rest else x[checked_weights(rest[0]) > 0]


def counted_rows(rows: Sequence[Array]) -> tuple[Array, Array | None]:
    """Return rows and how often each counts; None where each does once.

    Raises
    ------
    InvalidInput
        A weight that is no whole number: a value occurs, or it does not.
    """
    x, *rest = rows
    if not rest:
        return x, None
    weights = checked_weights(rest[0])
    fractional = (weights != np.floor(weights)) | (weights > LARGEST_COUNT)
    if fractional.any():
        row = int(np.argmax(fractional))
        raise InvalidInput(
            f"counted values take whole weights (weight_kind: frequency); that of row {row} is not",
            path=f"fit.sample_weights[{row}]",
        )
    kept = weights > 0
    return x[kept], weights[kept].astype(np.int64)


def checked_weights(rest: Array) -> Array:
    """Return weights, shape (n,).

    Raises
    ------
    InvalidInput
        A weight that is missing, negative, not finite, or too large or small for its square.
    """
    weights = np.ravel(np.asarray(rest, dtype=np.float64))
    usable = (weights == 0) | ((weights >= SMALLEST) & (weights <= LARGEST))
    if not usable.all():
        row = int(np.argmin(usable))
        raise InvalidInput(
            f"a weight is 0 or between 1e-140 and 1e140; that of row {row} is not",
            path=f"fit.sample_weights[{row}]",
        )
    return weights


def _require_possible(observed: Array, sum_w: Array, sum_w2: Array, path: str) -> None:
    for name, sums in zip(SUMS, (sum_w, sum_w2), strict=True):
        place = f"{path}.{name}"
        reading.refuse_where(sums < 0, "a sum of weights is negative", place)
        reading.refuse_where((sums > 0) != (observed > 0), "n and the weights disagree", place)
    # 1 / n <= W2 / W^2 <= 1, by Cauchy and Schwarz.
    square = sum_w * sum_w
    slack = 1 + PRINTED + observed * MACHINE_EPSILON
    impossible = (sum_w2 > square * slack) | (sum_w2 * observed * slack < square)
    reading.refuse_where(impossible, "no weights have these sums", f"{path}.sum_w2")
