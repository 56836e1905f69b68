"""What every layer with imported weights shares: dense windows in, windows of their shape out."""

from __future__ import annotations

from typing import cast

import numpy as np

from normalizers.contract import Batch, Fields, like, optional, series
from normalizers.contract.fields import mask
from normalizers.data.arrays import Array
from normalizers.series.base.series_normalizer import SeriesNormalizer


class WindowLayer(SeriesNormalizer):
    """Base of layers that were trained elsewhere and are applied to windows ``(n, t, c)``.

    Notes
    -----
    The weights are imported, by `fit_weights` from a state dict, by ``normd fit --weights`` from a
    safetensors file, or by ``weights`` in a request: nothing is trained here, for there is no
    target to train towards. They are plain arrays by the names of the layer's own state dict, and
    may carry further axes of length 1. All of them are needed; other names are refused.
    """

    kinds = ("learned",)

    @property
    def takes(self) -> Fields:
        """Windows of one length, and which of their values were observed."""
        return Fields(
            x=series(ragged=False, help="windows of one length"), mask=optional(mask("n t c"))
        )

    @property
    def gives(self) -> Fields:
        """Windows of the same shape."""
        return Fields(y=like("x", series(ragged=False, help="normalized windows")))


def observed_values(batch: Batch) -> Array:
    """Return which values of ``x`` are there, and not hidden by a mask; shape (n, t, c)."""
    there = ~np.isnan(batch.array("x"))
    return there & cast(Array, batch["mask"]) if "mask" in batch else there
