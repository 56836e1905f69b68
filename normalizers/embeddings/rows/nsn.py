"""Normalize, shift, normalize: rows of one length, moved by their mean, of one length again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, ClassVar, Literal, cast

import numpy as np
from annotated_types import Gt

from normalizers.bases.row_norms import LARGEST
from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Example,
    Field,
    Fields,
    Fitted,
    Options,
    Statistic,
    Statistics,
    Traits,
    floats,
    param,
)
from normalizers.contract.method import Kind
from normalizers.data.arrays import Array
from normalizers.embeddings.base.removed_directions import whole_rows
from normalizers.errors import InvalidInput
from normalizers.kernels.hadamard import hadamard_factors, rotate
from normalizers.kernels.row_norms import ZERO_SHARES, row_norms, unit_rows
from normalizers.normalizer import Normalizer
from normalizers.statistics import Moments

ROWS = {"x": [[3.0, 4.0], [0.0, 2.0], [1.0, 1.0]]}


class Nsn(Normalizer):
    """Normalize, shift, normalize: a = x / s1, b = a - o, y = b / s2.

    s1 = ||x|| / t and s2 = ||b|| / t, so that rows have the length t, `target_norm`, twice; o is
    the mean of a over the rows of the fit, or with `shift` ``request`` over those sent. With
    `rotation` ``hadamard`` the rows are then turned by an orthonormal Hadamard matrix.

    Notes
    -----
    Missing values: refused; with ``omit`` a fit leaves the row out, and its answer is a missing
    row. A zero row stays zero after the first step. A row that is the mean, as a chunk of one row
    or of equal rows is, gives zeros, and is flagged ``zero_norm``; it comes back all the same, for
    the way back is x = s1 (s2 y + o), turned back first. Ties need no rule. Cost O(m d).

    See Also
    --------
    centering : subtracts the mean of rows of any length.

    References
    ----------
    NSNQuant: a double normalization approach for calibration-free low-bit vector quantization of
    KV cache, 2025 (the three steps of its abstract, with t = sqrt(d)).

    Examples
    --------
    >>> from normalizers import Nsn
    >>> method = Nsn(target_norm=1.0).fit([[2.0, 0.0], [0.0, 5.0]])
    >>> method.fitted_["shift"].tolist(), method.transform([[9.0, 0.0]]).round(4).tolist()
    ([0.5, 0.5], [[0.7071, -0.7071]])
    """

    name = "nsn"
    family = "embeddings"
    kinds: ClassVar[tuple[Kind, ...]] = ("stateless", "fitted")
    aliases = {"normalize_shift_normalize": {}}
    examples = (
        Example(fit=ROWS, input={"x": [[3.0, 4.0]]}),
        Example(params={"shift": "request"}, input=ROWS, name="request"),
    )

    target_norm: Literal["sqrt_d"] | Annotated[float, Gt(0)] | None = param(
        default=None,
        default_value="sqrt_d",
        affects="solution",
        help="the length of the rows, a number or the root of their dims",
    )
    shift: Literal["fitted", "request"] | None = param(
        default=None,
        default_value="fitted",
        fits_when=lambda shift: shift != "request",
        affects="statistics",
        help="whose mean is subtracted: that of the fit, or of the rows sent",
    )
    rotation: Literal["none", "hadamard"] | None = param(
        default=None,
        default_value="none",
        affects="answer",
        help="what the rows are turned by in the end, so that no dim stands out",
    )
    nan_policy: Literal["reject", "omit"] | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="a row with a missing value: refused, or left out and missing in its place",
    )

    @property
    def by_request(self) -> bool:
        """Whether the mean is that of the rows sent."""
        return self.shift == "request"

    @property
    def traits(self) -> Traits:  # type: ignore[override]
        """Rows depend on each other only by the mean of those sent."""
        turned = self.rotation == "hadamard"
        return Traits(
            batch_invariant=not self.by_request, preserves_columns=not turned, same_bits=not turned
        )

    @property
    def fits(self) -> Fields:
        """Rows to take the mean of."""
        return NO_FIELDS if self.by_request else Fields(x=_rows("n", "vectors"))

    @property
    def takes(self) -> Fields:
        """Rows."""
        return Fields(x=_rows("m", "vectors"))

    @property
    def gives(self) -> Fields:
        """Rows of one length, and what undoing needs."""
        scale = floats("m 1", flat="row", leading=True, help="what divided each row")
        given = {"y": _rows("m", "vectors of one length"), "s1": scale, "s2": scale}
        if self.by_request:
            given["shift"] = floats("d", help="what was subtracted between the two")
        return Fields(**given)

    @property
    def inverse_takes(self) -> Fields:
        """What the transform gave."""
        return self.gives

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The moments of unit rows."""
        return {"moments": Moments()}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the directions of the rows."""
        rows, _ = whole_rows(batch)
        moments = cast(Moments, statistics["moments"])
        return statistics.replace(moments=moments.update(unit_rows(rows)))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the mean of rows of one length."""
        mean = cast(Moments, statistics["moments"]).mean
        return Fitted({"shift": mean * self._length(len(mean))}, {"d": len(mean)})

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return rows of one length, and what divided them."""
        x = batch.array("x")
        if not len(x):
            x = np.zeros((0, fitted.sizes.get("d", x.shape[1])), dtype=x.dtype)
        length = self._length(x.shape[1])
        unit = unit_rows(x)
        shift = _mean(unit) * length if self.by_request else fitted["shift"]
        moved = unit * length - shift
        sizes = row_norms(moved)
        # What is left of a row that is the mean is rounding, which must not become a direction.
        with np.errstate(invalid="ignore"):
            zero = sizes <= ZERO_SHARES[64] * (length + float(np.linalg.norm(shift)))
        moved[zero] = 0.0
        first = row_norms(x) / length
        beyond = np.isinf(first)
        output = {
            "y": self._turned(unit_rows(moved) * length),
            "s1": np.where(beyond, LARGEST, first)[:, np.newaxis],
            "s2": np.where(zero, 0.0, sizes / length)[:, np.newaxis],
            **({"shift": shift} if self.by_request else {}),
        }
        answer = Answer(output).flagged("zero_norm", np.flatnonzero(zero))
        answer = answer.flagged("out_of_range", np.flatnonzero(beyond))
        parts = {"shift": shift.tolist(), "length": length}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the rows behind those of one length."""
        shift = batch.array("shift") if self.by_request else fitted["shift"]
        moved = self._turned(batch.array("y"), back=True) * batch.array("s2") + shift
        return Answer({"x": moved * batch.array("s1")})

    def _turned(self, y: Array, *, back: bool = False) -> Array:
        """Return the rows turned by a Hadamard matrix, where that is asked."""
        if self.rotation != "hadamard":
            return y
        factors = hadamard_factors(y.shape[1])
        if factors is None:
            raise InvalidInput(
                f"no Hadamard matrix of {y.shape[1]} dims is known; rotation 'none' needs none"
            )
        return rotate(y, factors, back=back)

    def _length(self, dims: int) -> float:
        if isinstance(self.target_norm, float | int):
            return float(self.target_norm)
        return float(np.sqrt(dims))


def _rows(symbol: str, help: str) -> Field:
    return floats(f"{symbol} d", flat="row", leading=True, help=help)


def _mean(unit: Array) -> Array:
    """Return the mean of rows that miss nothing; no bit depends on their order."""
    whole = unit[~np.isnan(unit).any(axis=1)]
    if not len(whole):
        return np.zeros(unit.shape[1])
    return np.asarray(np.sort(whole, axis=0).mean(axis=0))
