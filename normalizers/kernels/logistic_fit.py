"""Maximum likelihood of a logistic model of few features, whatever their size."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import FitError
from normalizers.kernels.logspace import sigmoid

NO_OPTIMUM = (
    "the steps to the largest likelihood did not end: rescale the values or send more labels"
)
MOST_STEPS = 200
# Of the loss: what the last step promises. The step itself then squares the distance.
CONVERGED = 1e-16
# Of the slope where a step begins: what may be left of it where the step ends. Near an optimum
# a full step leaves next to nothing; on the tail of an exponential it leaves 1/e of the slope,
# and the optimum may be a hundred powers of ten away.
SETTLED = 0.1
# The exponents of float64 are some 2,000 apart: half of them either way.
MOST_DOUBLINGS = 1000
# Of an interval one power of two wide 53 leave two neighbours; the rest is to spare.
MOST_BISECTIONS = 100
EPS = float(np.finfo(np.float64).eps)
# Columns whose largest entry is within 2^-900 .. 2^900 have differences and slopes within range.
WIDEST_EXPONENT = 900
# Of the size of what is summed: what rounding makes of a slope.
ROUNDING = 8 * EPS
# Of the largest curvature: rows with less have a side beyond doubt.
IN_DOUBT = 1e-6
# A step of the doubtful rows that is cut shorter runs into a row whose side was beyond doubt.
SHORTEST_SHARE = 1e-3


class LogisticFit(NamedTuple):
    """Log odds ``level + (x - centre) @ coefficients``.

    Parameters
    ----------
    centre, coefficients : arrays of shape (k,)
    level : float
        Log odds at the centre, which lies where the labels are in doubt.
    converged : bool
        False where there is no largest likelihood, or none was found.
    """

    centre: Array
    coefficients: Array
    level: float
    converged: bool

    def log_odds(self, features: Array) -> Array:
        """Return the log odds of rows of features."""
        return np.asarray(self.level + (features - self.centre) @ self.coefficients)


class _Labels(NamedTuple):
    """Shares of all weight: of positive and of negative labels at each row."""

    up: Array
    down: Array

    def residual(self, t: Array) -> Array:
        """Return the derivative of the mean log loss by the log odds of each row."""
        return np.asarray(self.down * sigmoid(t) - self.up * sigmoid(-t))

    def curvature(self, t: Array) -> Array:
        """Return the second derivative."""
        return np.asarray((self.up + self.down) * sigmoid(t) * sigmoid(-t))

    def loss(self, t: Array) -> float:
        """Return the mean log loss."""
        return float(self.up @ np.logaddexp(0.0, -t) + self.down @ np.logaddexp(0.0, t))


def fit_logistic(
    features: Array,
    positive: Array,
    negative: Array,
    ridge: Array,
    *,
    intercept: bool = True,
) -> LogisticFit:
    """Return the most likely coefficients, with a penalty on their squares.

    Minimizes ``sum(positive softplus(-t) + negative softplus(t)) / sum(positive + negative)
    + sum(ridge coefficients^2) / 2`` with ``t = level + (features - centre) @ coefficients``.

    Parameters
    ----------
    features : array of shape (m, k)
        One row an observation, of any size that float64 holds.
    positive, negative : array of shape (m,)
        Weight of positive and of negative labels at each row.
    ridge : array of shape (k,)
        Penalty of each coefficient, in units of the mean loss.
    intercept : bool
        Whether there is a level beside the coefficients; without one it is 0 at 0.

    Raises
    ------
    FitError
        A feature is not finite.

    Notes
    -----
    Newton steps in coordinates that move with the fit: at each step the features are centred and
    scaled by the curvature of their rows, so that a single far row does not round the others to
    one value, and no unit of a feature counts. A step is as long as the loss falls along it,
    judged by the sign of the slope: the loss itself has no digits left where a far row is
    saturated. Constant features and those that others imply keep the shortest coefficients.
    Cost: usually fewer than 15 steps of O(m k^2), at most 200.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.logistic_fit import fit_logistic
    >>> x = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [1.7e38]])
    >>> labels = np.array([0.0, 0, 1, 0, 1, 1, 1])
    >>> fit = fit_logistic(x, labels, 1 - labels, np.zeros(1))
    >>> (1 / (1 + np.exp(-fit.log_odds(np.array([[1.0], [3.5], [6.0]]))))).round(6).tolist()
    [0.045866, 0.5, 0.954134]
    """
    exponents = _exponents(features)
    scaled = np.ldexp(features, -exponents)
    total = float(positive.sum() + negative.sum())
    labels = _Labels(positive / total, negative / total)
    # A penalty that no float64 holds leaves no coefficient either way.
    penalty = np.minimum(np.ldexp(ridge, -2 * exponents), np.finfo(np.float64).max)
    fit = _minimized(_Model(scaled, labels, penalty, intercept))
    return fit._replace(
        centre=np.ldexp(fit.centre, exponents),
        coefficients=np.ldexp(fit.coefficients, -exponents),
    )


def separates(features: Array, labels: Array) -> bool:
    """Whether a plane has no positive label below it and no negative one above.

    Then no coefficients are large enough: the likelihood rises for ever. Solved as a linear
    program; every row in units of its largest entry, which changes no side.
    """
    from scipy.optimize import linprog

    design = np.column_stack([features, np.ones(len(features))])
    rows = design / np.max(np.abs(design), axis=1, keepdims=True)
    sides = rows * np.where(labels > 0, 1.0, -1.0)[:, None]
    found = linprog(-sides.sum(axis=0), A_ub=-sides, b_ub=np.zeros(len(sides)), bounds=(-1, 1))
    # The solver holds its constraints within 1e-7 a row.
    return bool(found.status == 0 and -found.fun > 1e-6 * len(sides))


def _exponents(features: Array) -> Array:
    """Return the powers of two by which columns of a size near the ends of float64 are divided."""
    if not np.isfinite(features).all():
        raise FitError("the features are not finite: the values are too large to be fitted")
    found = np.frexp(np.max(np.abs(features), axis=0, initial=0.0))[1]
    return np.where(np.abs(found) > WIDEST_EXPONENT, found, 0)


class _Step(NamedTuple):
    """A step from a fit: which way, how much the loss promises to fall, and how far it pays."""

    fit: LogisticFit
    coefficients: Array
    level: float
    promise: float
    share: float

    def take(self) -> LogisticFit:
        """Return the fit at the end of the step."""
        return self.fit._replace(
            coefficients=self.fit.coefficients + self.share * self.coefficients,
            level=self.fit.level + self.share * self.level,
        )


class _Model(NamedTuple):
    """The penalized mean log loss of rows of features."""

    features: Array
    labels: _Labels
    ridge: Array
    intercept: bool

    def start(self) -> LogisticFit:
        """Return the fit that knows the shares of the labels only."""
        zeros = np.zeros(self.features.shape[1])
        up, down = self.labels.up.sum(), self.labels.down.sum()
        return LogisticFit(zeros, zeros, float(np.log(up / down)) if self.intercept else 0.0, False)

    def step(self, fit: LogisticFit, rows: Array) -> _Step:
        """Return the Newton step of these rows alone, as far as the loss of all rows falls."""
        t = fit.log_odds(self.features)
        weight = np.where(rows, self.labels.curvature(t), 0.0)
        residual = np.where(rows, self.labels.residual(t), 0.0)
        if self.intercept:
            fit = _moved(fit, self.features, weight)
        about = self.features - fit.centre
        direction = self._direction(fit, about, residual, weight)
        step, level = direction[: about.shape[1]], float(direction[about.shape[1] :].sum())
        along = about @ step + level
        t = about @ fit.coefficients + fit.level

        def slope(share: float) -> float:
            penalty = (self.ridge * (fit.coefficients + share * step)) @ step
            return float(self.labels.residual(t + share * along) @ along + penalty)

        promise = -slope(0.0)
        rounding = ROUNDING * float(np.abs(residual) @ np.abs(along))
        if not promise > rounding * EPS:
            return _Step(fit, step, level, 0.0, 0.0)
        return _Step(fit, step, level, promise, _share(slope, promise, rounding))

    def _direction(self, fit: LogisticFit, about: Array, residual: Array, weight: Array) -> Array:
        """Return the full step of the coefficients, and of the level if there is one."""
        design = np.column_stack([about, np.ones(len(about))]) if self.intercept else about
        size = design.shape[1]
        penalty, place = np.append(self.ridge, 0.0)[:size], np.append(fit.coefficients, 0.0)[:size]
        # In units of the largest entry, no square leaves the range of float64.
        root = np.sqrt(weight)[:, None] * design
        largest = np.maximum(np.max(np.abs(root), axis=0), np.sqrt(penalty))
        largest = np.where(largest > 0, largest, np.inf)
        root, ridge = root / largest, penalty / largest / largest
        gradient = np.sum(residual[:, None] * design / largest, axis=0) + penalty * place / largest
        hessian = root.T @ root + np.diag(ridge)
        # Division by the diagonal makes a matrix of correlations: a direction is flat where
        # features imply each other, not where a unit is small.
        unit = np.sqrt(np.diag(hessian))
        inverse = np.divide(1.0, unit, out=np.zeros_like(unit), where=unit > 0)
        correlations = hessian * inverse * inverse[:, None]
        if not (np.isfinite(correlations).all() and np.isfinite(gradient).all()):
            raise FitError("the likelihood is not finite: the values are too large to be fitted")
        step = np.linalg.lstsq(correlations, -gradient * inverse)[0] * inverse
        return np.asarray(step / largest)


def _minimized(model: _Model) -> LogisticFit:
    """Return the best fit.

    Rows whose side is beyond doubt have no say in where the others go, unless they would change
    sides: first a step of the others alone is tried, then one of all rows.
    """
    fit, every = model.start(), np.ones(len(model.features), dtype=bool)
    for _ in range(MOST_STEPS):
        t = fit.log_odds(model.features)
        weight = model.labels.curvature(t)
        negligible = CONVERGED * model.labels.loss(t)
        doubtful = weight > IN_DOUBT * np.max(weight)
        step = model.step(fit, doubtful)
        if step.promise <= negligible or step.share < SHORTEST_SHARE:
            step = model.step(fit, every)
        fit = step.take()
        if step.promise <= negligible:
            return fit._replace(converged=True)
    return fit


def _moved(fit: LogisticFit, features: Array, weight: Array) -> LogisticFit:
    """Return the same log odds about the mean of the rows that are in doubt.

    There a change of the coefficients does not change the level: the two do not mix.
    """
    if not weight.any():
        return fit
    share = weight / weight.sum()
    shift = share @ (features - fit.centre)
    # A second time, since the first difference is rounded to the size of the first centre.
    shift = shift + share @ (features - (fit.centre + shift))
    centre = fit.centre + shift
    level = fit.level + float(fit.coefficients @ (centre - fit.centre))
    return fit._replace(centre=centre, level=level)


def _share(slope: Callable[[float], float], promise: float, rounding: float) -> float:
    """Return how much of a step to take: near the place where the loss stops falling.

    The place may lie many powers of two before or behind the end of the step.
    """
    enough, left = max(SETTLED * promise, rounding), slope(1.0)
    if abs(left) <= enough:
        return 1.0
    low, high = (1.0, 2.0) if left < 0 else (0.5, 1.0)
    for _ in range(MOST_DOUBLINGS):
        found = slope(high if left < 0 else low)
        if (found < 0) != (left < 0):
            break
        low, high = (high, high * 2) if left < 0 else (low / 2, low)
    for _ in range(MOST_BISECTIONS):
        middle = low + (high - low) / 2
        found = slope(middle)
        if abs(found) <= enough or middle in (low, high):
            return middle
        low, high = (middle, high) if found < 0 else (low, middle)
    return low
