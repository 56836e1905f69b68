"""Location and scale: y = (x - loc) / scale, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.messages import did_you_mean

EpsMode: TypeAlias = Literal[
    "none",
    "add_var",
    "add_std",
    "floor",
    "zero_to_one",
    "zero_to_eps",
    "zero_to_one_then_add",
    "below_to_one",
]

_SCALES: dict[str, Callable[[Array, float], Array]] = {
    "none": lambda std, eps: std,
    # Not sqrt(s^2 + eps): s^2 is infinite from 1e154 on and 0 below 1e-162.
    "add_var": lambda std, eps: np.hypot(std, np.sqrt(eps)),
    "add_std": lambda std, eps: std + eps,
    "floor": np.maximum,
    "zero_to_one": lambda std, eps: np.where(std == 0, 1.0, std),
    "zero_to_eps": lambda std, eps: np.where(std == 0, eps, std),
    "zero_to_one_then_add": lambda std, eps: np.where(std == 0, 1.0, std) + eps,
    "below_to_one": lambda std, eps: np.where(std < eps, 1.0, std),
}


def check_eps(eps: float | None, eps_mode: EpsMode | None, path: str) -> None:
    """Refuse an epsilon without a place."""
    if eps and eps_mode in (None, "none"):
        raise InvalidParams("eps above 0 needs an eps_mode: where it goes", path=f"{path}.eps")


def effective_scale(std: Array, eps: float = 0.0, eps_mode: EpsMode = "none") -> Array:
    """Return the scale that divides, after a peer's epsilon.

    Parameters
    ----------
    std : array of any shape
        Spread, not negative; NaN stays NaN.
    eps : float
        The epsilon.
    eps_mode : str
        ``none`` s; ``add_var`` sqrt(s^2 + eps); ``add_std`` s + eps; ``floor`` max(s, eps);
        ``zero_to_one`` 0 -> 1; ``zero_to_eps`` 0 -> eps; ``zero_to_one_then_add`` (0 -> 1) + eps;
        ``below_to_one`` s < eps -> 1.

    Returns
    -------
    array of the shape of `std`

    Raises
    ------
    InvalidParams
        Another mode.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.locscale import effective_scale
    >>> effective_scale(np.array([0.0, 3.0]), 16.0, "add_var").tolist()
    [4.0, 5.0]
    """
    if eps_mode not in _SCALES:
        raise InvalidParams(
            f"eps_mode '{eps_mode}' is not one of {', '.join(_SCALES)}"
            f"{did_you_mean(eps_mode, _SCALES)}",
            path="eps_mode",
        )
    return np.asarray(_SCALES[eps_mode](std, eps))


def standardize(x: Array, loc: Array | float, scale: Array | float) -> Array:
    """Return ``(x - loc) / scale``; a difference beyond the largest float does not overflow.

    Parameters
    ----------
    x : array of any shape
        NaN stays NaN.
    loc, scale : array, broadcast to `x`
        The scale is not 0.

    Returns
    -------
    array of the shape of `x`
        Infinite only where the quotient itself is beyond the largest float.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.locscale import standardize
    >>> standardize(np.array([1.5e308, -1.5e308]), -1.5e308, 1.5e308).tolist()
    [2.0, 0.0]
    """
    with np.errstate(over="ignore"):
        shifted = x - loc
        overflown = np.isinf(shifted)
        if not overflown.any():
            return np.asarray(shifted / scale)
        # |x - loc| <= 2 max, so halves stay in range; only here, for half of a subnormal loses a
        # bit.
        halved = (x / 2 - np.asarray(loc) / 2) / (np.asarray(scale) / 2)
        return np.where(overflown, halved, shifted / scale)


def restore(y: Array, loc: Array | float, scale: Array | float) -> Array:
    """Return ``y scale + loc``, the way back; a product beyond the largest float may cancel.

    The result is infinite only where it is itself beyond the largest float.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.locscale import restore
    >>> restore(np.array([2.0]), -1.5e308, 1.5e308).tolist()
    [1.5e+308]
    """
    with np.errstate(over="ignore"):
        restored = y * scale + loc
        overflown = np.isinf(restored)
        if not overflown.any():
            return np.asarray(restored)
        # |y scale| = |x - loc| is up to 2 max, and y's rounding may carry half of that beyond max:
        # a quarter leaves room for it.
        quarters = y * (np.asarray(scale) / 4) + np.asarray(loc) / 4
        return np.where(overflown, quarters * 4, restored)
