"""Windows split into their strongest frequencies and the rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    like,
    param,
    series,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.series.base.series_normalizer import SeriesNormalizer


class FanSplit(SeriesNormalizer):
    """Take the strongest frequencies out of windows: ``x = main + residual``.

    ``F = rfft(x)`` over time, channel by channel; main is the inverse transform of the `top_k`
    bins of largest size, of equal ones those of lower frequency, and residual what remains.

    Notes
    -----
    A window's answer depends on that window alone, and early steps on later ones. Missing values
    are refused: a frequency is made of all steps. A constant window is its main part, bin 0. More
    `top_k` than there are bins leaves a residual of 0, within rounding. Cost O(N log t).

    The way back is the sum, with the main part of a forecast where a model of FAN predicts one.

    References
    ----------
    Ye et al., "Frequency Adaptive Normalization for Non-stationary Time Series Forecasting",
    NeurIPS 2024; wayne155/FAN (Apache-2.0), which computes it in float32.

    Examples
    --------
    >>> from normalizers import FanSplit
    >>> answer = FanSplit(top_k=1).apply_to([1.0, 3.0, 2.0, 2.0], layout="T")
    >>> answer["main"].tolist(), answer["residual"].tolist()
    ([2.0, 2.0, 2.0, 2.0], [-1.0, 1.0, 0.0, 0.0])
    """

    name = "fan_split"
    kinds = ("window",)
    example = Example(
        params={"top_k": 2}, input={"x": [[[1.0], [5.0], [2.0], [4.0], [1.5], [4.5]]]}
    )

    nan_policy = None  # a frequency is made of all steps
    inf_policy = None
    top_k: int | None = param(
        default=None,
        default_value=20,
        affects="answer",
        ge=1,
        help="frequencies that are taken out of each channel",
    )

    @property
    def takes(self) -> Fields:
        """Windows of one length."""
        return Fields(x=series(ragged=False, help="windows of one length"))

    @property
    def gives(self) -> Fields:
        """What remains, and what was taken out."""
        return Fields(
            residual=like("x", series(ragged=False, help="what remains")),
            main=like("x", series(ragged=False, help="the strongest frequencies")),
        )

    @property
    def inverse_takes(self) -> Fields:
        """Both parts, of a window or of a forecast."""
        return Fields(
            residual=series("n h c", ragged=False, help="what remains, or a forecast of it"),
            main=series("n h c", ragged=False, help="the main part, or a forecast of it"),
        )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return both parts."""
        x = batch.array("x")
        if not x.size:
            return Answer({"residual": x, "main": x.copy()})
        # Powers of two are exact, and keep the sizes of sums within range.
        exponent = np.frexp(np.abs(x).max(axis=1, keepdims=True))[1]
        spectrum = np.fft.rfft(np.ldexp(x, -exponent), axis=1)
        kept = _strongest(np.abs(spectrum), unwrap(self.top_k))
        main = np.fft.irfft(np.where(kept, spectrum, 0), n=x.shape[1], axis=1)
        main = np.ldexp(main, exponent)
        answer = Answer({"residual": x - main, "main": main})
        # Of each window and channel, the bins that were taken out, strongest or not.
        bins = [[np.flatnonzero(one).tolist() for one in window.T] for window in kept]
        return replace(answer, explain={"bins": bins}) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the sum of both parts."""
        return Answer({"x": batch.array("residual") + batch.array("main")})


def _strongest(sizes: Array, count: int) -> Array:
    """Return which bins are the largest, the lower one of two equal ones."""
    order = np.argsort(-sizes, axis=1, kind="stable")[:, :count]
    kept = np.zeros(sizes.shape, dtype=bool)
    np.put_along_axis(kept, order, True, axis=1)
    return kept
