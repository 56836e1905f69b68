"""Sums of exponentials, and sigmoids, without overflow."""

from __future__ import annotations

from typing import cast

import numpy as np

from normalizers.data.arrays import Array, namespace


def log_sum_exp(values: Array, axis: int = -1) -> Array:
    """Return ``ln sum exp(values)`` over an axis; -inf where all are -inf or there are none.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.logspace import log_sum_exp
    >>> float(log_sum_exp(np.array([1000.0, 1000.0])))
    1000.6931471805599
    """
    xp = namespace(values)
    if not values.shape[axis]:
        rest = [size for other, size in enumerate(values.shape) if other != axis % values.ndim]
        return cast(Array, xp.full(tuple(rest), -xp.inf, dtype=values.dtype, device=values.device))
    largest = xp.max(values, axis=axis, keepdims=True)
    # -inf - -inf is NaN; a sum of nothing has no largest term to take out.
    shift = xp.where(xp.isfinite(largest), largest, 0.0)
    with np.errstate(divide="ignore"):
        logarithm = xp.log(xp.sum(xp.exp(values - shift), axis=axis, keepdims=True))
    return cast(Array, xp.squeeze(shift + logarithm, axis=axis))


def log_add(left: Array, right: Array) -> Array:
    """Return ``ln(exp(left) + exp(right))`` element by element; -inf is the identity."""
    return cast(Array, namespace(left).logaddexp(left, right))


def log_softmax(values: Array, axis: int = -1) -> Array:
    """Return ``values - log_sum_exp(values)``; -inf keeps no mass.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.logspace import log_softmax
    >>> np.exp(log_softmax(np.array([800.0, 800.0]))).round(12).tolist()
    [0.5, 0.5]
    """
    # values - log_sum_exp(values) would round to the size of the values; about the largest, small
    # differences keep their digits.
    largest = np.max(values, axis=axis, keepdims=True, initial=-np.inf)
    shifted = values - np.where(np.isfinite(largest), largest, 0.0)
    total = np.expand_dims(log_sum_exp(shifted, axis), axis)
    return np.asarray(shifted - np.where(np.isfinite(total), total, 0.0))


def sigmoid(values: Array) -> Array:
    """Return ``1 / (1 + exp(-values))`` for any size of `values`."""
    # scipy.special takes longer to import than the rest of the package: only when it is used.
    from scipy.special import expit

    return np.asarray(expit(values))


def logit(probabilities: Array) -> Array:
    """Return ``ln(p / (1 - p))``; -inf at 0 and inf at 1."""
    from scipy.special import logit as scipy_logit

    return np.asarray(scipy_logit(probabilities))
