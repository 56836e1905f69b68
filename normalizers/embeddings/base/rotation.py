"""Rows of vectors through a map that the parameters alone say: their base."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Field,
    Fields,
    Fitted,
    Notice,
    Options,
    Traits,
    floats,
    param,
)
from normalizers.data.arrays import Array
from normalizers.normalizer import Normalizer


class FixedMap(Normalizer):
    """Base of the maps of vectors without a fit: they write `forward`, and `backward` to invert.

    Notes
    -----
    Missing values: refused, or with ``omit`` a row with one is missing. Constants and ties need no
    rule. Rows are computed in their own type; one row equals the same row in a batch to 1e-6 of its
    norm in float32, 1e-12 in float64.
    """

    family = "embeddings"
    kinds = ("stateless",)
    traits = Traits(same_bits=False, preserves_columns=False)

    nan_policy: Literal["reject", "omit"] | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="a row with a missing value: refused, or missing",
    )

    @property
    def takes(self) -> Fields:
        """The rows."""
        return Fields(x=vectors("m d", "rows are vectors"))

    @property
    def gives(self) -> Fields:
        """Their images, of the same width."""
        return Fields(y=vectors("m d", "rotated vectors"))

    @property
    def inverse_takes(self) -> Fields:
        """What the transform gave."""
        return self.gives

    @abstractmethod
    def forward(self, x: Array) -> Array:
        """Return the images of the rows ``x (m, d)``."""

    def backward(self, y: Array) -> Array:
        """Return the rows that give these."""
        raise NotImplementedError

    def warnings(self, d: int) -> tuple[Notice, ...]:
        """Return what a caller with `d` dims should know."""
        return ()

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the images of the rows."""
        x = batch.array("x")
        d = x.shape[1]
        answer = Answer({"y": _through(self.forward, x)}, warnings=self.warnings(d))
        parts = {"dims": d, **self.explicit_params}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the rows that give these."""
        return Answer({"x": _through(self.backward, batch.array("y"))})


def vectors(shape: str, help: str) -> Field:
    """Return the field of rows that are vectors."""
    return floats(shape, flat="row", leading=True, native=True, help=help)


def _through(mapped: Callable[[Array], Array], rows: Array) -> Array:
    # What overflows becomes infinite, and is refused with the answer.
    with np.errstate(over="ignore", invalid="ignore"):
        found = mapped(rows)
    missing = np.asarray(np.isnan(rows).any(axis=1))
    return np.where(missing[:, None], np.nan, found) if missing.any() else found
