"""Moment matching: every column gets the mean and the deviation of a reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistic,
    Statistics,
    Traits,
    floats,
    optional,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import FitError, NotEnoughData
from normalizers.kernels.epsilon import effective_scale
from normalizers.kernels.loc_scale import restore, standardize
from normalizers.normalizer import Normalizer
from normalizers.statistics import Moments

CONTENT, REFERENCE = "moments", "moments_reference"


@dataclass(frozen=True)
class ColumnScales:
    """Mean and deviation of each column, and which columns have no spread that could divide.

    Parameters
    ----------
    mean, scale : array of shape (d,)
        The scale is sqrt(variance + eps), 0 where there is none.
    constant, insufficient : bool array of shape (d,)
        Columns of equal values, and of too few.
    """

    mean: Array
    scale: Array
    constant: Array
    insufficient: Array

    def beside(self, reference: Array) -> ColumnScales:
        """Return them with the scale of the reference where there is none: their ratio is 1."""
        own = np.where(reference == 0, 1.0, reference)
        return replace(self, scale=np.where(self.scale == 0, own, self.scale))


class MomentMatching(Normalizer):
    """Move every column to the mean and deviation of a reference.

    y = (x - mu_c) / sqrt(var_c + eps) * sqrt(var_r + eps) + mu_r, by column, c being the content
    and r the reference; with `variant` ``rescale`` y = x * sqrt(var_r + eps) / sqrt(var_c + eps).
    The statistics of the content are those of a fit (`content` ``fitted``) or those of the rows of
    each request (``request``). It shifts the embeddings of a new model to an old index, clips to
    the clip before them, activations of a merged network to those of its parents.

    Notes
    -----
    A fit has two parts, ``x`` and ``reference``, each added up on its own: one observation may hold
    one of them alone. Rows of more axes ``(n, t, c)`` are rows of channels. Missing values are
    refused, or with `nan_policy` ``omit`` left out of the statistics of their column and missing
    in their place. With `mask_zero` zeros are missing in the statistics and stay 0. A content
    column without spread is shifted only, y = x - mu_c + mu_r, and flagged ``constant`` by column,
    or refused with `on_constant` ``error``; columns with too few values for a deviation are refused
    in a fit and are shifted only in a request, flagged ``insufficient``. A reference column without
    spread gives its mean; the way back, which exchanges the roles, then gives the mean of the
    content.
    Ties stay ties. Cost O(n d), of a request's own
    statistics O(n d log n).

    References
    ----------
    AdaCN: "CatV2TON", arXiv 2501.11325 (github.com/Zheng-Chong/CatV2TON); activation repair:
    arXiv 2402.05966 (github.com/XingyuQu/rethink-re-basin); masked pitch statistics: "TriAAN-VC",
    arXiv 2303.09057 (github.com/winddori2002/TriAAN-VC).

    Examples
    --------
    >>> from normalizers import MomentMatching
    >>> matched = MomentMatching().fit([[0.0], [2.0]], reference=[[10.0], [14.0]])
    >>> matched.transform([[1.0], [2.0]]).tolist()
    [[12.0], [14.0]]
    """

    name = "moment_matching"
    family = "embeddings"
    kinds = ("fitted",)
    aliases = {"moment_match": {}, "repair": {}, "ada_cn": {"eps": 1e-5}}
    presets = {"ada_cn": {"eps": 1e-5}}
    takes = Fields(x=floats("m d", flat="either", leading=True, help="rows to move"))
    examples = (
        Example(
            fit={
                "x": [[0.0, 1.0], [2.0, 3.0]],
                "reference": [[10.0, 0.0], [14.0, 1.0], [12.0, 2.0]],
            },
            input={"x": [[1.0, 2.0]]},
        ),
        Example(
            {"content": "request"},
            fit={"reference": [[10.0, 0.0], [14.0, 1.0], [12.0, 2.0]]},
            input={"x": [[1.0, 2.0], [3.0, 5.0]]},
            name="request",
        ),
    )

    content: Literal["fitted", "request"] | None = param(
        default=None,
        default_value="fitted",
        affects="statistics",
        help="whose statistics the content has: those of the fit, or of the rows of a request",
    )
    variant: Literal["rescale_reshift", "rescale"] | None = param(
        default=None,
        default_value="rescale_reshift",
        affects="answer",
        help="mean and deviation, or the deviation alone",
    )
    ddof: int | None = param(
        default=None, default_value=1, ge=0, affects="solution", help="variance = m2 / (n - ddof)"
    )
    eps: float | None = param(
        default=None, default_value=0.0, ge=0, affects="solution", help="added to both variances"
    )
    mask_zero: bool | None = param(
        default=None,
        default_value=False,
        affects="statistics",
        help="zeros are missing in the statistics, and stay 0",
    )
    on_constant: Literal["scale_one", "error"] | None = param(
        default=None,
        default_value="scale_one",
        affects="solution",
        help="a content column without spread: shifted only, or refused",
    )
    nan_policy: Literal["reject", "omit", "propagate"] | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="a missing value: refused, or out of the statistics and missing in its place",
    )
    inf_policy: Literal["as_nan", "reject"] | None = param(
        default=None, default_value="as_nan", affects="answer", help="an infinite value"
    )

    @property
    def traits(self) -> Traits:  # type: ignore[override]
        """Rows depend on each other where the content's statistics are those of the request."""
        return Traits(
            batch_invariant=self.content != "request",
            column_flags=frozenset({"constant", "insufficient"}),
        )

    @property
    def fits(self) -> Fields:
        """A reference, and the content whose statistics are kept."""
        reference = floats("r d", flat="either", leading=True, help="rows whose moments y gets")
        if self.content == "request":
            return Fields(reference=reference)
        x = floats("n d", flat="either", leading=True, help="rows of the content")
        return Fields.in_parts(
            "n r",
            any_of=(("x",), ("reference",)),
            x=optional(x),
            reference=optional(reference),
        )

    @property
    def gives(self) -> Fields:
        """The moved rows; of a request's own statistics also what leads back."""
        y = floats("m d", flat="either", leading=True, help="moved rows")
        return Fields(y=y, **self._sides)

    @property
    def inverse_takes(self) -> Fields:
        """Moved rows, and the statistics of the content where they were the request's own."""
        y = floats("m d", flat="either", leading=True, help="moved rows")
        return Fields(y=y, **self._sides)

    @property
    def _sides(self) -> Fields:
        if self.content != "request":
            return Fields()
        return Fields(
            loc=floats("d", help="mean of each column of the content"),
            scale=floats("d", help="deviation of each column of the content"),
        )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Moments of the reference, and of the content where it is fitted."""
        kept = {REFERENCE: Moments()}
        return kept if self.content == "request" else {CONTENT: Moments(), **kept}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows of the parts that are there, each to its own moments."""
        parts = {"x": CONTENT, "reference": REFERENCE}
        added = {
            kept: cast(Moments, statistics[kept]).update(self._observed(batch.array(name)))
            for name, kept in parts.items()
            if name in batch
        }
        return statistics.replace(**added)

    def solve(self, statistics: Statistics) -> Fitted:
        """Return mean and scale of reference and content."""
        reference = self._fitted_part(statistics, REFERENCE, "reference")
        arrays = {"reference_mean": reference.mean, "reference_scale": reference.scale}
        if self.content != "request":
            content = self._fitted_part(statistics, CONTENT, "x")
            if len(content.mean) != len(reference.mean):
                raise FitError(
                    f"x has {len(content.mean)} columns, the reference has {len(reference.mean)}",
                    path="fit.reference",
                )
            self._refuse_constant(content, "fit.x")
            arrays |= _arrays(content)
        return Fitted(arrays, sizes={"d": len(reference.mean)})

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the moved rows, flagged by column where only the mean is moved."""
        x = batch.array("x")
        if self.content == "request":
            # In ascending order: no bit of the answer depends on that of the rows.
            content = self._scales(Moments().update(np.sort(self._observed(x), axis=0)))
            self._refuse_constant(content, "input.x")
        else:
            content = _content(fitted)
        shifted = content.scale == 0
        content = content.beside(fitted["reference_scale"])
        scale = np.where(shifted, content.scale, fitted["reference_scale"])
        y = self._moved(x, (content.mean, content.scale), (fitted["reference_mean"], scale))
        sides = {"loc": content.mean, "scale": content.scale} if self._sides else {}
        answer = Answer({"y": y, **sides})
        answer = answer.flagged("constant", np.flatnonzero(content.constant))
        answer = answer.flagged("insufficient", np.flatnonzero(content.insufficient))
        return replace(answer, explain=_parts(content, fitted)) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the rows that were moved: the map with the roles exchanged."""
        if self.content == "request":
            content = (batch.array("loc"), batch.array("scale"))
        else:
            known = _content(fitted).beside(fitted["reference_scale"])
            content = (known.mean, known.scale)
        scale = fitted["reference_scale"]
        # A reference without spread cannot divide: its one value leads back to the content's mean.
        reference = (fitted["reference_mean"], np.where(scale == 0, 1.0, scale))
        return Answer({"x": self._moved(batch.array("y"), reference, content)})

    def _moved(self, x: Array, before: tuple[Array, Array], after: tuple[Array, Array]) -> Array:
        """Return rows of one mean and scale as rows of another."""
        if self.variant == "rescale":
            before, after = ((np.zeros_like(mean), scale) for mean, scale in (before, after))
        moved = restore(standardize(x, *before), *after)
        return np.where(x == 0, 0.0, moved) if self.mask_zero else moved

    def _observed(self, x: Array) -> Array:
        return np.where(x == 0, np.nan, x) if self.mask_zero else x

    def _scales(self, moments: Moments) -> ColumnScales:
        variance = moments.variance(unwrap(self.ddof))
        insufficient = np.isnan(variance) if moments.mergeable else np.zeros(len(variance), bool)
        constant = moments.constant & ~insufficient
        std = np.sqrt(np.where(insufficient | constant, 0.0, variance))
        scale = effective_scale(std, unwrap(self.eps), "add_var")
        return ColumnScales(
            moments.mean, np.where(insufficient, 0.0, scale), constant, insufficient
        )

    def _fitted_part(self, statistics: Statistics, kept: str, name: str) -> ColumnScales:
        moments = cast(Moments, statistics[kept])
        if moments.is_empty:
            raise NotEnoughData(f"the fit has no rows of '{name}'", path=f"fit.{name}")
        scales = self._scales(moments)
        if scales.insufficient.any():
            column = int(np.argmax(scales.insufficient))
            raise NotEnoughData(
                f"column {column} of '{name}' has {moments.observed[column]} values; a deviation "
                f"with ddof {self.ddof} needs {unwrap(self.ddof) + 1}",
                path=f"fit.{name}",
            )
        return scales

    def _refuse_constant(self, content: ColumnScales, path: str) -> None:
        if self.on_constant == "error" and content.constant.any():
            column = int(np.argmax(content.constant))
            raise FitError(f"column {column} has no spread, and on_constant is 'error'", path=path)


def _arrays(content: ColumnScales) -> dict[str, Array]:
    return {
        "content_mean": content.mean,
        "content_scale": content.scale,
        "content_constant": content.constant.astype(np.int64),
    }


def _content(fitted: Fitted) -> ColumnScales:
    constant = fitted["content_constant"].astype(bool)
    return ColumnScales(
        fitted["content_mean"], fitted["content_scale"], constant, np.zeros_like(constant)
    )


def _parts(content: ColumnScales, fitted: Fitted) -> dict[str, object]:
    return {
        "content": {"mean": content.mean.tolist(), "scale": content.scale.tolist()},
        "reference": {
            "mean": fitted["reference_mean"].tolist(),
            "scale": fitted["reference_scale"].tolist(),
        },
    }
