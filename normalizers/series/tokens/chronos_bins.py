"""The tokens of Chronos: values in units of their mean size, by the bin they fall into."""

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
    integers,
    like,
    optional,
    param,
    series,
    unwrap,
)
from normalizers.contract.fields import mask
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.kernels import segments
from normalizers.series.base.layouts import Windows
from normalizers.series.base.series_normalizer import SeriesNormalizer


class ChronosBins(SeriesNormalizer):
    """Turn windows into tokens of Chronos: the bin of ``x / scale``, ``scale = mean |x|``.

    ``n_tokens - n_special_tokens - 1`` centres lie evenly on low..high; a token is the number of
    the bin around its centre and `n_special_tokens`. The scale is 1 where ``mean |x|`` is not
    above 0. A missing value is `pad_token_id`; `append_eos` adds `eos_token_id` as a last step.

    Notes
    -----
    Missing and masked values are left out of the scale. Values beyond low..high in units of the
    scale are in the outer bins, and flag their window and channel ``clipped``; a series far from 0
    with little spread loses it to the bins. Centres are those of float32, scales are float64,
    where the model's own are float32. Ties stay ties; a constant is a bin like any other. Cost
    O(N log tokens).

    The way back gives the centres times the scale; what is no token of a value, padding among
    them, comes back as missing.

    References
    ----------
    Ansari et al., "Chronos: Learning the Language of Time Series", TMLR 2024;
    amazon-science/chronos-forecasting (Apache-2.0), ``MeanScaleUniformBins``.

    Examples
    --------
    >>> from normalizers import ChronosBins
    >>> method = ChronosBins()
    >>> answer = method.apply_to([1.0, 2.0, None, 6.0], layout="T")
    >>> answer["token_ids"].tolist(), answer["scale"].tolist()
    ([2094, 2140, 0, 2322], [3.0])
    >>> back = method.inverse_to(answer["token_ids"], scale=answer["scale"], layout="T")
    >>> back["x"].round(2).tolist()
    [0.99, 2.0, nan, 6.0]
    """

    name = "chronos_bins"
    kinds = ("window",)
    traits = replace(SeriesNormalizer.traits, way_back="quantized", way_back_bound=0.01)
    example = Example(input={"x": [[[1.0], [2.0], [4.0]], [[0.0], [3.0], [1.0]]]})

    low: float | None = param(
        default=None, default_value=-15.0, affects="answer", help="lowest centre, in scales"
    )
    high: float | None = param(
        default=None, default_value=15.0, affects="answer", help="highest centre, in scales"
    )
    n_tokens: int | None = param(
        default=None,
        default_value=4096,
        affects="answer",
        ge=3,
        le=2**24,
        help="size of the vocabulary",
    )
    n_special_tokens: int | None = param(
        default=None, default_value=2, affects="answer", ge=0, help="tokens that are no bins"
    )
    pad_token_id: int | None = param(
        default=None, default_value=0, affects="answer", ge=0, help="token of a missing value"
    )
    eos_token_id: int | None = param(
        default=None, default_value=1, affects="answer", ge=0, help="token of the end"
    )
    append_eos: bool | None = param(
        default=None, default_value=False, affects="answer", help="add the end as a last step"
    )

    def check(self, path: str) -> None:
        """Refuse a vocabulary without bins."""
        low, high = self.low, self.high
        if not (-15.0 if low is None else low) < (15.0 if high is None else high):
            raise InvalidParams("low is below high", path=f"{path}.low")
        tokens = 4096 if self.n_tokens is None else self.n_tokens
        special = 2 if self.n_special_tokens is None else self.n_special_tokens
        if tokens - special < 3:
            raise InvalidParams("two bins or more are needed", path=f"{path}.n_special_tokens")

    @property
    def takes(self) -> Fields:
        """Windows of one length, and which of their values were observed."""
        return Fields(
            x=series(ragged=False, help="windows of one length"), mask=optional(mask("n t c"))
        )

    @property
    def gives(self) -> Fields:
        """Tokens, and the scale that they are in."""
        return Fields(
            token_ids=like("x", integers("n u c", help="tokens, one a step")),
            scale=like("x", series("n 1 c", help="what divided: the mean size")),
        )

    @property
    def inverse_takes(self) -> Fields:
        """Tokens of any number of steps, and their scale."""
        return Fields(
            token_ids=series("n u c", ragged=False, help="tokens, one a step"),
            scale=series("n 1 c", help="the scale that the transform returned"),
        )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the tokens and the scale of each window and channel."""
        x = batch.array("x")
        observed = ~np.isnan(x)
        if "mask" in batch:
            observed &= batch.array("mask")
        windows = Windows.of(x)
        seen = segments.compress(windows.lists, windows.aligned(observed).reshape(-1))
        sizes = seen.with_values(np.abs(seen.values))
        scale = segments.centred_moments(sizes).mean
        scale = windows.by_window(np.where(scale > 0, scale, 1.0))
        scaled = x / scale
        tokens = self._tokens(scaled, observed)
        if self.append_eos:
            end = np.full((len(x), 1, x.shape[2]), self.eos_token_id)
            tokens = np.concatenate([tokens, end], axis=1)
        answer = Answer({"token_ids": tokens, "scale": scale})
        beyond = observed & ((scaled < unwrap(self.low)) | (scaled > unwrap(self.high)))
        answer = answer.flagged("clipped", np.argwhere(beyond.any(axis=1)))
        answer = answer.flagged("empty", np.argwhere(~observed.any(axis=1)))
        parts = {"scale": np.asarray(scale).tolist()}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the centres of the tokens in units of their scale."""
        tokens, scale = batch.array("token_ids"), batch.array("scale")
        whole = np.isnan(tokens) | (tokens == np.floor(tokens))
        if not whole.all():
            raise InvalidInput("tokens are whole numbers", path="input.token_ids")
        if not (scale > 0).all():
            raise InvalidInput("every scale is greater than 0", path="input.scale")
        centres = self._centres()
        places = tokens - unwrap(self.n_special_tokens) - 1
        ended = (tokens == self.eos_token_id) & (unwrap(self.eos_token_id) < self._first)
        lost = np.isnan(tokens) | (tokens == self.pad_token_id) | ended
        places = np.clip(np.where(lost, 0, places), 0, len(centres) - 1).astype(np.int64)
        return Answer({"x": np.where(lost, np.nan, centres[places] * scale)})

    @property
    def _first(self) -> int:
        """The lowest token of a value."""
        return unwrap(self.n_special_tokens)

    def _centres(self) -> Array:
        count = unwrap(self.n_tokens) - unwrap(self.n_special_tokens) - 1
        return np.linspace(unwrap(self.low), unwrap(self.high), count, dtype=np.float32).astype(
            np.float64
        )

    def _tokens(self, scaled: Array, observed: Array) -> Array:
        centres = self._centres()
        boundaries = np.concatenate([[-1e20], (centres[1:] + centres[:-1]) / 2, [1e20]])
        bins = np.searchsorted(boundaries, np.where(observed, scaled, 0.0), side="right")
        tokens = np.clip(bins + unwrap(self.n_special_tokens), 0, unwrap(self.n_tokens) - 1)
        return np.where(observed, tokens, unwrap(self.pad_token_id)).astype(np.int64)
