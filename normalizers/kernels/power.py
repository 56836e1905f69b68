"""Power maps of Box and Cox and of Yeo and Johnson, and their ways back, without cancellation."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array

# Where x^l leaves the logarithm: (x^l - 1) / l = expm1(l log x) / l has no case but l = 0 itself.


def box_cox(x: Array, lam: Array | float) -> Array:
    """Return ``(x^lam - 1) / lam``, ``log x`` at 0; NaN where x is not above 0.

    Parameters
    ----------
    x : array
        NaN stays NaN.
    lam : array or float
        The power, broadcast to `x`.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.power import box_cox
    >>> box_cox(np.array([4.0, 4.0, -1.0]), np.array([0.5, 1e-200, 1.0])).round(4).tolist()
    [2.0, 1.3863, nan]
    """
    with np.errstate(invalid="ignore", over="ignore"):
        return _powers(np.log(np.where(x > 0, x, np.nan)), lam)


def box_cox_back(y: Array, lam: Array | float) -> Array:
    """Return ``(lam y + 1)^(1 / lam)``, ``exp y`` at 0; NaN where ``lam y + 1`` is not above 0.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.power import box_cox_back
    >>> box_cox_back(np.array([2.0, -3.0]), 0.5).tolist()
    [4.0, nan]
    """
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(np.exp(_logarithms(y, lam)))


def box_cox_curvature(y: Array, lam: Array | float) -> Array:
    """Return the second derivative of `box_cox_back`: ``(1 - lam) (lam y + 1)^(1 / lam - 2)``.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.power import box_cox_curvature
    >>> box_cox_curvature(np.array([0.0, 2.0]), 0.5).tolist()
    [0.5, 0.5]
    """
    with np.errstate(invalid="ignore", over="ignore"):
        logs = _logarithms(y, lam)
        return np.asarray((1 - np.asarray(lam)) * np.exp(logs * (1 - 2 * np.asarray(lam))))


def yeo_johnson(x: Array, lam: Array | float) -> Array:
    """Return ``((x + 1)^lam - 1) / lam`` from 0 on, ``-((1 - x)^(2 - lam) - 1) / (2 - lam)`` below.

    At ``lam`` 0 and 2 these are ``log1p x`` and ``-log1p(-x)``.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.power import yeo_johnson
    >>> yeo_johnson(np.array([3.0, -3.0]), 0.5).round(4).tolist()
    [2.0, -4.6667]
    """
    with np.errstate(invalid="ignore", over="ignore"):
        size = _powers(np.log1p(np.abs(x)), np.where(x < 0, 2.0 - np.asarray(lam), lam))
        return np.asarray(np.copysign(size, x))


def yeo_johnson_back(y: Array, lam: Array | float) -> Array:
    """Return the x that `yeo_johnson` takes to `y`; NaN where there is none.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.power import yeo_johnson, yeo_johnson_back
    >>> x = np.array([-2.5, -1e-9, 0.0, 7.0])
    >>> np.allclose(yeo_johnson_back(yeo_johnson(x, 1.7), 1.7), x, rtol=1e-14)
    True
    """
    with np.errstate(invalid="ignore", over="ignore"):
        power = np.where(y < 0, 2.0 - np.asarray(lam), lam)
        return np.asarray(np.copysign(np.expm1(_logarithms(np.abs(y), power)), y))


def yeo_johnson_curvature(y: Array, lam: Array | float) -> Array:
    """Return the second derivative of `yeo_johnson_back`, which is that of Box-Cox on each side."""
    power = np.where(y < 0, 2.0 - np.asarray(lam), lam)
    return np.asarray(np.copysign(1.0, y) * box_cox_curvature(np.abs(y), power))


def _powers(logs: Array, lam: Array | float) -> Array:
    """Return ``expm1(lam log) / lam``, the logarithm at 0."""
    lam = np.asarray(lam, dtype=np.float64)
    divisor = np.where(lam == 0, 1.0, lam)
    return np.asarray(np.where(lam == 0, logs, np.expm1(lam * logs) / divisor))


def _logarithms(y: Array, lam: Array | float) -> Array:
    """Return ``log1p(lam y) / lam``, y at 0; NaN where ``lam y + 1`` is not above 0."""
    lam = np.asarray(lam, dtype=np.float64)
    divisor = np.where(lam == 0, 1.0, lam)
    inside = np.where(lam * y > -1, lam * y, np.nan)
    return np.asarray(np.where(lam == 0, y, np.log1p(inside) / divisor))
