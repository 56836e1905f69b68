"""How a covariance of few rows is pulled to a multiple of the identity."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.embeddings.base.spectrum import Spectrum
from normalizers.errors import FitError
from normalizers.kernels.linalg import oas

ROWS_PER_DIM_WITHOUT_SHRINKAGE = 10


class Shrinkage(NamedTuple):
    """What a covariance is mixed with: C -> (1 - weight) C + weight m I, and whose rule it is."""

    estimator: str
    weight: float


def chosen_shrinkage(spectrum: Spectrum, shrinkage: str | float) -> Shrinkage:
    """Return the shrinkage in effect; ``auto`` is OAS below 10 rows a dim, else none.

    Raises
    ------
    FitError
        ``oas`` without the number of rows, ``ledoit_wolf`` without fourth moments.
    """
    if not isinstance(shrinkage, str):
        return Shrinkage("fixed", float(shrinkage))
    n = spectrum.n
    if shrinkage in ("oas", "ledoit_wolf") and n is None:
        raise FitError(
            f"shrinkage '{shrinkage}' needs the number of rows; post 'n' too, or give a number",
            path="params.shrinkage",
        )
    enough = n is None or n >= ROWS_PER_DIM_WITHOUT_SHRINKAGE * spectrum.d
    if n is None or shrinkage == "none" or (shrinkage == "auto" and enough):
        return Shrinkage("none", 0.0)
    covariance0 = spectrum.covariance * spectrum.biased_share
    if shrinkage == "ledoit_wolf":
        return Shrinkage("ledoit_wolf", _ledoit_wolf(n, covariance0, spectrum.fourth))
    return Shrinkage("oas", oas(n, covariance0))


def _ledoit_wolf(n: float, covariance0: np.ndarray, fourth: float | None) -> float:
    """Return the weight of Ledoit and Wolf: b / delta, both as mean squares of entries.

    delta = |C0 - m0 I|^2 / d and b = min((Q / n - |C0|^2) / (d n), delta), with
    Q = sum |z|^4: exact from merged parts.
    """
    if fourth is None:
        raise FitError(
            "shrinkage 'ledoit_wolf' needs third and fourth moments: fit with moments 4",
            path="params.moments",
        )
    d = len(covariance0)
    mean_variance = float(np.trace(covariance0)) / d
    square = float(np.sum(covariance0 * covariance0))
    # |C0 - m0 I|^2 = |C0|^2 - d m0^2, for m0 is the mean of the diagonal.
    delta = (square - d * mean_variance**2) / d
    if delta <= 0:
        return 1.0
    return max(0.0, min((fourth / n - square) / (d * n), delta)) / delta
