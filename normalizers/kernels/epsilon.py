"""A peer's epsilon: where it goes in the scale that divides."""

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


def check_eps(eps: float | None, eps_mode: object, path: str) -> None:
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
    >>> from normalizers.kernels.epsilon import effective_scale
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
