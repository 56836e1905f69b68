"""Maximum likelihood with few parameters: damped Newton steps, and bounded search."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from normalizers.arrays import Array
from normalizers.errors import FitError
from normalizers.kernels.logspace import sigmoid

MOST_STEPS = 100
MOST_HALVINGS = 60
# In units of the distance from 0.
LONGEST_STEP = 10.0
# Share of the decrease a full step promises that a step must give (Armijo).
SUFFICIENT = 1e-4
# Of the loss; the step that follows squares the distance to the optimum.
CONVERGED = 1e-16
NOISE = 4 * float(np.finfo(np.float64).eps)
# Bisections after which a float64 interval holds no third number.
BISECTIONS = 1100

Loss: TypeAlias = "Callable[[Array], Local]"


class Local(NamedTuple):
    """A loss at one place, its gradient of shape (k,) and Hessian of shape (k, k)."""

    value: float
    gradient: Array
    hessian: Array


class Optimum(NamedTuple):
    """Where a loss is smallest.

    Parameters
    ----------
    place : array of shape (k,)
    value : float
        The loss there.
    gradient : array of shape (k,)
    converged : bool
        False where the steps did not end, as they do when there is no smallest loss.
    """

    place: Array
    value: float
    gradient: Array
    converged: bool


def newton(loss: Loss, start: Array) -> Optimum:
    """Return the minimum of a convex loss of few parameters.

    Steps are halved until the loss falls enough, so a start far away does no harm. Directions
    that the loss does not depend on are left where they start.

    Parameters
    ----------
    loss : callable
        From parameters of shape (k,) to the loss, gradient and Hessian there.
    start : array of shape (k,)
        Where the first step begins.

    Raises
    ------
    FitError
        The loss, its gradient or its Hessian is not finite where a step begins.

    Notes
    -----
    Cost: at most 100 steps, usually fewer than 10, of O(k^3) beside the loss itself.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.likelihood import Local, newton
    >>> def loss(p):
    ...     return Local(float(np.cosh(p[0] - 3)), np.sinh(p - 3), np.cosh(p - 3)[:, None])
    >>> newton(loss, np.array([0.0])).place.round(12).tolist()
    [3.0]
    """
    place, here = np.asarray(start, dtype=np.float64), loss(start)
    for _ in range(MOST_STEPS):
        step = _limited(_newton_step(here), place)
        promise = -float(here.gradient @ step)
        last = promise <= CONVERGED * abs(here.value)
        place, there = _damped(loss, place, here, step, promise)
        if last or there is here:
            return Optimum(place, there.value, there.gradient, last or promise <= NOISE)
        here = there
    return Optimum(place, here.value, here.gradient, False)


def _newton_step(here: Local) -> Array:
    """Return the full step, the shortest one where the loss is flat in a direction."""
    finite = np.isfinite(here.hessian).all() and np.isfinite(here.gradient).all()
    if not (finite and np.isfinite(here.value)):
        raise FitError("the likelihood is not finite: the values are too large to be fitted")
    try:
        return np.asarray(np.linalg.lstsq(here.hessian, -here.gradient)[0])
    except np.linalg.LinAlgError:
        raise FitError("the likelihood has no direction in which it rises") from None


def _limited(step: Array, place: Array) -> Array:
    """Return the step, shortened where the loss is so flat that it leads out of sight."""
    longest = LONGEST_STEP * (1 + float(np.max(np.abs(place))))
    return step * min(1.0, longest / max(float(np.max(np.abs(step))), longest))


def _damped(
    loss: Loss, place: Array, here: Local, step: Array, promise: float
) -> tuple[Array, Local]:
    """Return the first of shorter and shorter steps that pays, or the place itself."""
    for halving in range(MOST_HALVINGS):
        share = 0.5**halving
        there = loss(place + share * step)
        allowed = here.value - SUFFICIENT * share * promise + NOISE * abs(here.value)
        if there.value <= allowed:
            return place + share * step, there
    return place, here


def logistic_loss(design: Array, positive: Array, negative: Array, ridge: Array) -> Loss:
    """Return the mean log loss of ``sigmoid(design @ parameters)``, with a penalty.

    ``sum(positive softplus(-t) + negative softplus(t)) / sum(positive + negative)
    + sum(ridge parameters^2) / 2`` with ``t = design @ parameters``.

    Parameters
    ----------
    design : array of shape (m, k)
        Features; a column of ones is an intercept.
    positive, negative : array of shape (m,)
        Weight of positive and of negative labels at each row.
    ridge : array of shape (k,)
        Penalty of each parameter, in units of the mean loss.
    """
    total = float(positive.sum() + negative.sum())
    up, down = positive / total, negative / total

    def loss(parameters: Array) -> Local:
        t = design @ parameters
        value = up @ softplus(-t) + down @ softplus(t) + ridge @ (parameters * parameters) / 2
        residual = down * sigmoid(t) - up * sigmoid(-t)
        curvature = (up + down) * sigmoid(t) * sigmoid(-t)
        hessian = design.T @ (design * curvature[:, None]) + np.diag(ridge)
        return Local(float(value), design.T @ residual + ridge * parameters, hessian)

    return loss


def softplus(values: Array) -> Array:
    """Return ``ln(1 + exp(values))`` without overflow."""
    return np.logaddexp(0.0, values)


def bounded_root(increasing: Callable[[Array], Array], lower: Array, upper: Array) -> Array:
    """Return for each entry where an increasing function of it passes 0, within the bounds.

    Parameters
    ----------
    increasing : callable
        From an array to an array of its shape, entry by entry, non-decreasing.
    lower, upper : array
        The bounds; a root beyond one of them gives that bound.

    Notes
    -----
    Bisection until no float64 lies between the bounds.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.likelihood import bounded_root
    >>> bounded_root(lambda x: x**3 - 8, np.array([-100.0]), np.array([100.0])).tolist()
    [2.0]
    """
    low, high = np.array(lower, dtype=np.float64), np.array(upper, dtype=np.float64)
    low = np.where(increasing(high) <= 0, high, low)
    high = np.where(increasing(low) >= 0, low, high)
    for _ in range(BISECTIONS):
        middle = low + (high - low) / 2
        if np.all((middle <= low) | (middle >= high)):
            break
        below = increasing(middle) < 0
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return high
