"""Quantization: vectors as whole numbers of 8 bits, or one bit a dim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal, TypeAlias, cast

import numpy as np
from annotated_types import Gt, Le

from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistics,
    Traits,
    floats,
    integers,
    notice,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.normalizer import Normalizer
from normalizers.statistics import Extrema, Quantiles, Statistic

Precision: TypeAlias = Literal["int8", "uint8", "binary", "ubinary"]
CODES = 255  # steps between the ends of a range
BITS = frozenset({"binary", "ubinary"})


class Quantization(Normalizer):
    """Give vectors as codes: floor((x - min) / step) with step = (max - min) / 255, or x > 0.

    ``uint8`` has codes 0 to 255, ``int8`` 128 less; ``ubinary`` packs the bits x > 0 into bytes,
    the first dim in the highest bit, ``binary`` has 128 less.

    See Also
    --------
    centering, hadamard_rotation, isotropic_standardization

    Notes
    -----
    min and max are those of each dim of the fit, or with `calibration` ``global`` the quantiles
    1 - q and q of all its values together. What lies beyond saturates, is flagged ``clipped`` by
    row and counted. Cosines of codes by dim are those of hidden standardization of every dim, not
    of the vectors. Centre vectors before they become bits. A constant dim has step 1. Missing
    values are refused. The way back gives the middle of each step; bits do not come back.
    Cost O(m d), O(n d) for a fit.

    References
    ----------
    ``sentence_transformers.util.quantize_embeddings``.

    Examples
    --------
    >>> from normalizers import Quantization
    >>> codes = Quantization(precision="uint8").fit([[0.0, 1.0], [255.0, 1.0]])
    >>> codes.transform([[7.2, 1.0], [300.0, 1.0]]).tolist()
    [[7, 0], [255, 0]]
    """

    name = "quantization"
    family = "embeddings"
    kinds = ("stateless", "fitted")
    aliases = {"quantize": {}}
    example = Example(
        params={"precision": "int8"},
        fit={"x": [[0.1, 1.0, 0.2], [0.9, 0.3, 0.1], [0.4, 0.5, 0.8]]},
        input={"x": [[0.5, 0.5, 0.5]]},
    )
    takes = Fields(x=floats("m d", flat="row", native=True, help="rows are vectors"))

    precision: Precision | None = param(
        default=None,
        default_value="int8",
        affects="solution",
        fits_when=lambda precision: precision not in BITS,
        help="codes of 8 bits a dim by the ranges of a fit, or one bit a dim, packed",
    )
    calibration: Literal["per_dim", "global"] | None = param(
        default=None,
        default_value="per_dim",
        affects="statistics",
        help="whose range: of each dim, or one of all values",
    )
    quantile: Annotated[float, Gt(0.5), Le(1)] | None = param(
        default=None,
        resolves="0.99 with calibration global",
        affects="solution",
        help="q: one range for all dims goes from the quantile 1 - q to q",
    )

    def check(self, path: str) -> None:
        """Refuse a quantile where ends are those of each dim."""
        if self.quantile is not None and self.calibration != "global":
            raise InvalidParams("quantile belongs to calibration 'global'", path=f"{path}.quantile")

    @property
    def fits(self) -> Fields:
        """Rows to take ranges of; none where codes are bits."""
        rows = Fields(x=floats("n d", flat="row", native=True, help="rows are vectors"))
        return NO_FIELDS if self.precision in BITS else rows

    @property
    def gives(self) -> Fields:
        """Codes, one a dim or one a byte of bits."""
        return Fields(y=integers("m k" if self.precision in BITS else "m d", help="codes"))

    @property
    def inverse_takes(self) -> Fields:
        """Codes of 8 bits."""
        codes = floats("m d", flat="row", help="codes")
        return NO_FIELDS if self.precision in BITS else Fields(y=codes)

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Ends of each dim, or the distribution of all values."""
        if self.precision in BITS:
            return {}
        return (
            {"quantiles": Quantiles()} if self.calibration == "global" else {"extrema": Extrema()}
        )

    @property
    def traits(self) -> Traits:  # type: ignore[override]
        """Codes come back within half a step."""
        return Traits(
            monotone=self.precision not in BITS,
            preserves_columns=self.precision not in BITS,
            way_back="quantized",
            way_back_bound=1 / CODES,
        )

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Decide the quantile."""
        return {"quantile": 0.99} if self.calibration == "global" else {}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows."""
        x = batch.array("x").astype(np.float64)
        if self.calibration == "global":
            pooled = cast(Quantiles, statistics["quantiles"]).update(x.reshape(-1, 1))
            return statistics.replace(quantiles=pooled)
        return statistics.replace(extrema=cast(Extrema, statistics["extrema"]).update(x))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the lower ends and the steps."""
        if self.calibration == "global":
            q = unwrap(self.quantile)
            pooled = cast(Quantiles, statistics["quantiles"])
            ends = np.ravel(pooled.quantile(np.array([1 - q, q])))
            lower, upper, sizes = ends[:1], ends[1:], {}
        else:
            extrema = cast(Extrema, statistics["extrema"])
            lower, upper = extrema.min, extrema.max
            sizes = {"d": len(lower)}
        # Divided first: the difference of ends that are far apart would overflow.
        steps = upper / CODES - lower / CODES
        constant = int(np.count_nonzero(steps == 0))
        arrays = {"lower": np.asarray(lower), "step": np.where(steps == 0, 1.0, steps)}
        return Fitted(arrays, sizes, {"constant_dims": constant})

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the codes."""
        x = batch.array("x")
        if self.precision in BITS:
            packed = np.packbits(x > 0, axis=1)
            answer = Answer({"y": packed if self.precision == "ubinary" else _shifted(packed)})
            return replace(answer, explain={"dims": x.shape[1]}) if options.explain else answer
        lower, step = fitted["lower"], fitted["step"]
        places = np.floor((x.astype(np.float64) - lower) / step)
        beyond = (places < 0) | (places > CODES)
        codes = np.clip(places, 0, CODES).astype(np.uint8)
        answer = Answer(
            {"y": codes if self.precision == "uint8" else _shifted(codes)},
            report={"saturated": int(np.count_nonzero(beyond))},
        ).flagged("clipped", np.flatnonzero(beyond.any(axis=1)))
        parts = {"lower": lower.tolist(), "step": step.tolist()}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the middle of every step."""
        codes = batch.array("y") + (128.0 if self.precision == "int8" else 0.0)
        x = fitted["lower"] + (codes + 0.5) * fitted["step"]
        message = "codes say in which step a value was: its middle is given"
        return Answer({"x": x}, warnings=(notice("approximate", message),))


def _shifted(codes: Array) -> Array:
    """Return bytes as signed ones, 128 less: the highest bit is turned."""
    return np.asarray((codes ^ np.uint8(128)).view(np.int8))
