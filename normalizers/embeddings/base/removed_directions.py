"""Rows without some of their directions: y = x - (x U) U^T."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from normalizers.bases.grouped_fit import GroupedFit
from normalizers.bases.vectors import missing_rows
from normalizers.contract import (
    NORMWISE,
    Batch,
    Field,
    Fields,
    Fitted,
    Statistics,
    Traits,
    floats,
    labels,
    param,
    unwrap,
)
from normalizers.contract.tolerance import agree
from normalizers.data.arrays import Array
from normalizers.data.labels import Labels
from normalizers.normalizer import Normalizer

DIRECTIONS = "directions"


def vectors(rows: str, help: str) -> Field:
    """Return the field of rows that are vectors."""
    return floats(f"{rows} d", flat="row", leading=True, native=True, help=help)


class DirectionRemoval(Normalizer):
    """Base of the methods that take directions away, which no way back can give again.

    Notes
    -----
    Missing values: refused; with ``omit`` a fit leaves the row out, and its answer is a missing
    row. Rows are computed in their own type; one row equals the same row in a batch to 1e-6 of its
    norm in float32, 1e-12 in float64.
    """

    family = "embeddings"
    kinds = ("fitted",)
    traits = Traits(same_bits=False, tolerance=NORMWISE)

    nan_policy: Literal["reject", "omit"] | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="a row with a missing value: refused, or left out and missing in its place",
    )

    @property
    def gives(self) -> Fields:
        """The rows that are left."""
        return Fields(y=vectors("m", "vectors without the directions"))

    def first_difference(
        self, found: Fitted, expected: Fitted, statistics: Statistics | None = None
    ) -> str | None:
        """Compare what directions span: each may have turned within a span that is shared."""
        name = super().first_difference(found, expected, statistics)
        if name != DIRECTIONS or found[DIRECTIONS].shape != expected[DIRECTIONS].shape:
            return name
        here, there = span(found[DIRECTIONS]), span(expected[DIRECTIONS])
        return None if agree(here, there, self.traits.tolerance) else name


class GroupDirectionRemoval(GroupedFit, DirectionRemoval):
    """Base of the removals whose directions come from the groups of the fit's rows."""

    fits = Fields(
        x=vectors("n", "vectors of the groups"),
        groups=labels("n j", help="the group of each row, one label or several"),
    )

    def rows_by_group(self, batch: Batch) -> tuple[Sequence[Array], Labels]:
        """Return the rows that miss nothing, with their groups."""
        x, groups = whole_rows(batch)
        return (x,), unwrap(groups)


def whole_rows(batch: Batch) -> tuple[Array, Labels | None]:
    """Return the rows of a fit that miss nothing, with their groups where there are some."""
    x, groups = batch.array("x"), batch.get("groups")
    given = groups if isinstance(groups, Labels) else None
    missing = missing_rows(x)
    if not len(missing):
        return x, given
    kept = np.ones(len(x), dtype=bool)
    kept[missing] = False
    return x[kept], None if given is None else given.take(kept)


def without(x: Array, directions: Array) -> Array:
    """Return the rows ``x (m, d)`` without the span of orthonormal columns ``(d, r)``.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.embeddings.base.removed_directions import without
    >>> without(np.array([[3.0, 4.0]]), np.array([[1.0], [0.0]])).tolist()
    [[0.0, 4.0]]
    """
    basis = directions.astype(x.dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(x - (x @ basis) @ basis.T)


def span(directions: Array) -> Array:
    """Return the projections on directions, ``U U^T``, of one basis or of one a group."""
    return np.asarray(directions @ directions.swapaxes(-1, -2))
