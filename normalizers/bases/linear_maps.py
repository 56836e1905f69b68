"""Rows of vectors through one linear map: y = post((pre(x) - mean) W), and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, cast

import numpy as np

from normalizers.bases.affine_maps import AffineMaps
from normalizers.bases.exported_maps import exported_map
from normalizers.bases.vectors import Step, map_rows
from normalizers.contract.answer import Answer, Options
from normalizers.contract.exports import FAISS, NPZ, ONNX, Export
from normalizers.contract.fields import NO_FIELDS, Fields, floats
from normalizers.contract.fitted import Fitted
from normalizers.contract.parameters import param
from normalizers.contract.tolerance import NORMWISE
from normalizers.contract.traits import Traits
from normalizers.data.batch import Batch, Notice, notice
from normalizers.data.devices import CPU, CUDA
from normalizers.normalizer import Normalizer


class LinearMapNormalizer(Normalizer):
    """Base of the methods that map vectors by one matrix: a method writes `solve` alone.

    Their fitted arrays hold ``mean (d,)``, ``W (d, k)``, ``W_inverse (k, d)`` where there is a
    way back, and ``eigenvalues`` where they are known; their sizes are ``d`` and ``k``.

    Notes
    -----
    The order is `pre`, centring, the product, `truncate_to`, `post`. A row equal to the mean gives
    zeros, and is flagged ``zero_norm`` where `post` is ``l2``, which has no inverse; with a `pre`
    the inverse gives the rows after it. Rows are computed in their own type; one row equals the
    same row in a batch to 1e-6 of its norm in float32, 1e-12 in float64. Another device gives
    what NumPy gives to the same shares of the length of a row times that of W.
    """

    family = "embeddings"
    traits = Traits(devices=(CPU, CUDA), same_bits=False, tolerance=NORMWISE)
    takes = Fields(x=floats("m d", flat="row", leading=True, native=True, help="rows are vectors"))
    gives = Fields(y=floats("m k", flat="row", leading=True, native=True, help="mapped vectors"))

    pre: Step | None = param(
        default=None, default_value="none", affects="statistics", help="step before centring"
    )
    truncate_to: int | None = param(
        default=None,
        resolves="all columns",
        ge=1,
        affects="answer",
        help="how many of the first columns are given, before `post`",
    )
    post: Literal["none", "l2"] | None = param(
        default=None, default_value="none", affects="answer", help="step after the product"
    )
    nan_policy: Literal["reject", "omit", "propagate"] | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="a row with a missing value: refused, left out and missing, or passed on",
    )

    @property
    def inverse_takes(self) -> Fields:
        """Mapped vectors; none after ``post: l2``, which forgets their lengths."""
        return NO_FIELDS if self.post == "l2" else self.gives

    @property
    def exports(self) -> tuple[str, ...]:
        """The arrays, an ONNX model, and a transform of faiss where nothing stands beside it."""
        alone = self.pre in (None, "none") and self.post in (None, "none")
        return (NPZ, ONNX, FAISS) if alone else (NPZ, ONNX)

    def export(self, fitted: Fitted, name: str) -> Export:
        """Return the map of a fit for another engine, in float32 but for the arrays."""
        if name == NPZ:
            return super().export(fitted, name)
        k, unit = self._given_width(fitted), self.post == "l2"
        return exported_map(self.maps(fitted), name, k, pre=cast(Step, self.pre), unit=unit)

    def output_sizes(self, fitted: Fitted) -> Mapping[str, int]:
        """Return the sizes of the fit, with the columns that are given in place of all."""
        return {**fitted.sizes, "k": self._given_width(fitted)}

    def spread(self, fitted: Fitted) -> float:
        """Return the root of the summed variance of the rows of the fit."""
        eigenvalues = fitted.get("eigenvalues")
        return np.inf if eigenvalues is None else float(np.sqrt(np.sum(eigenvalues)))

    def maps(self, fitted: Fitted) -> AffineMaps:
        """Return the map of a fit and its way back, made ready once."""
        return fitted.once(
            "maps",
            lambda: AffineMaps(
                fitted["mean"], fitted["W"], fitted.get("W_inverse"), self.spread(fitted)
            ),
        )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the images of the rows."""
        x, k = batch.array("x"), self._given_width(fitted)
        if not len(x):
            return Answer({"y": np.zeros((0, k), dtype=x.dtype)})
        there = self.maps(fitted).forward(x.dtype, batch.device, k)
        pre, unit_after = cast(Step, self.pre), self.post == "l2"
        y, zero, finite = batch.device.map_blocks(
            lambda rows: map_rows(there, rows, pre=pre, unit_after=unit_after), x
        )
        answer = Answer({"y": y}, is_finite=bool(finite.all()))
        answer = answer.flagged("zero_norm", np.flatnonzero(zero))
        answer = answer.warned(*self._clamped(fitted))
        return replace(answer, explain=parts(fitted)) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the vectors that give these, or their projection on the kept directions."""
        y = batch.array("y")
        if not len(y):
            return Answer({"x": np.zeros((0, fitted.sizes["d"]), dtype=y.dtype)})
        back = self.maps(fitted).inverse(y.dtype, batch.device, y.shape[1])
        (x,) = batch.device.map_blocks(lambda rows: (back(rows),), y)
        return Answer({"x": x})

    def _given_width(self, fitted: Fitted) -> int:
        k = fitted.sizes["k"]
        return k if self.truncate_to is None else min(k, self.truncate_to)

    def _clamped(self, fitted: Fitted) -> tuple[Notice, ...]:
        k, wanted = fitted.sizes["k"], self.truncate_to
        if wanted is None or wanted <= k:
            return ()
        message = "truncate_to is above the number of columns"
        return (notice("truncate_to_clamped", message, wanted=wanted, columns=k),)


def parts(fitted: Fitted) -> dict[str, object]:
    """Return the parts behind every answer."""
    known = (name for name in ("mean", "eigenvalues") if fitted.get(name) is not None)
    return {name: fitted[name].tolist() for name in known}
