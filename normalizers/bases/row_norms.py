"""Rows of vectors, each by its own length: y = (x - loc) / scale."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Literal, NamedTuple, cast

import numpy as np

from normalizers.contract.answer import Answer, Options
from normalizers.contract.fields import Fields, floats
from normalizers.contract.fitted import Fitted
from normalizers.contract.parameters import param
from normalizers.contract.traits import Traits
from normalizers.data.arrays import Array, namespace
from normalizers.data.batch import Batch
from normalizers.data.devices import CPU, CUDA
from normalizers.kernels.row_norms import ScaledRows, centred_rows, scaled_rows
from normalizers.normalizer import Normalizer

LARGEST = float(np.finfo(np.float64).max)


class Lengths(NamedTuple):
    """What rows are measured by, each in units of its own power of two.

    Parameters
    ----------
    rows : array of shape (m, d)
        The rows, centred where the method centres, largest entry near 1.
    exponents : array of shape (m,)
        The powers of two.
    norms : float64 array of shape (m,)
        Euclidean lengths of `rows`.
    """

    rows: Array
    exponents: Array
    norms: Array


class RowNormalizer(Normalizer):
    """Base of the methods that divide each row by a length of its own: they write `divisors`.

    Notes
    -----
    A row without a length (zero; for a centred form all entries equal) gives zeros and is flagged
    ``zero_norm``. Rows are scaled by a power of two before they are squared: a finite row of any
    size gives the same answer as one near 1, but for `eps`. A scale beyond the largest float is
    given as that and flagged ``out_of_range``. A row with a missing value is missing. Rows are
    computed in their own type, their scale in float64. Cost O(m d).
    """

    family = "embeddings"
    kinds = ("stateless",)
    traits = Traits(devices=(CPU, CUDA))
    takes = Fields(x=floats("m d", flat="row", leading=True, native=True, help="rows are vectors"))

    nan_policy: Literal["reject", "omit", "propagate"] | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="a row with a missing value: refused, or missing in the answer",
    )

    # Without an annotation: it is no parameter. Whether the mean of each row is subtracted.
    centres = False

    @property
    def gives(self) -> Fields:
        """Rows, and what undoing needs."""
        return _with_loc_scale(
            floats("m d", flat="row", leading=True, native=True, help="rows"), self.centres
        )

    @property
    def inverse_takes(self) -> Fields:
        """Rows with the ``scale`` (and ``loc``) of the answer."""
        return self.gives

    @abstractmethod
    def divisors(self, lengths: Lengths) -> Array:
        """Return what divides the scaled rows, shape (m,), float64; where it is 0, 1 divides."""

    def moved(self, y: Array) -> Array:
        """Return the rows after what the method does to columns (weights, say); overwritten."""
        return y

    def returned(self, y: Array) -> Array:
        """Undo `moved`; the input is not changed."""
        return y

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the rows, each divided by its length."""
        y, loc, scale, zero = batch.device.map_blocks(self._normalized, batch.array("x"))
        beyond = np.isinf(scale)
        output = {"y": y, "scale": np.where(beyond, LARGEST, scale)[:, None]}
        if self.centres:
            output["loc"] = loc[:, None]
        answer = Answer(output).flagged("zero_norm", np.flatnonzero(zero))
        answer = answer.flagged("out_of_range", np.flatnonzero(beyond))
        explain = {name: output[name].tolist() for name in output if name != "y"}
        return replace(answer, explain=explain) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the rows from their answer and their lengths."""
        y = batch.array("y")
        x = self.returned(y.astype(np.float64)) * batch.array("scale")
        if self.centres:
            x = x + batch.array("loc")
        return Answer({"x": x.astype(y.dtype)})

    def _normalized(self, x: Array) -> tuple[Array, Array, Array, Array]:
        xp = namespace(x)
        scaled = scaled_rows(x)
        means = xp.zeros_like(scaled.exponents)
        if self.centres and x.shape[1]:
            rows, means = centred_rows(scaled)
            scaled = ScaledRows(rows, scaled.exponents)
        norms = xp.astype(scaled.norms, xp.float64)
        divisors = self.divisors(Lengths(scaled.rows, scaled.exponents, norms))
        divisors = xp.where(divisors == 0, 1.0, divisors)
        # In place: the scaled rows are ours.
        y = scaled.rows
        y /= xp.astype(divisors, y.dtype)[:, None]
        power = 2.0 ** xp.astype(scaled.exponents, xp.float64)
        with np.errstate(over="ignore"):
            scale = divisors * power
        loc = xp.astype(means, xp.float64) * power
        return self.moved(y), loc, scale, cast(Array, norms == 0)


def _with_loc_scale(rows: object, centres: bool) -> Fields:
    fields = {
        "y": rows,
        "scale": floats("m 1", flat="row", leading=True, help="what divided each row"),
    }
    if centres:
        fields["loc"] = floats(
            "m 1", flat="row", leading=True, help="what was subtracted from each row"
        )
    return Fields(**fields)  # type: ignore[arg-type]
