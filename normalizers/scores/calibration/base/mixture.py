"""Scores of relevant and other documents as a mixture of a normal and an exponential."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import FitError
from normalizers.kernels.logspace import sigmoid

# EM gains little in each iteration where the two parts overlap; what has not ended by then is told.
MOST_ITERATIONS = 500
# Of the mean log likelihood, in one iteration.
CONVERGED = 1e-10
# A part that shrinks to one score would have any likelihood: narrowest width of both parts in
# units of the range, and smallest share of the normal one.
NARROWEST = 1e-3
SMALLEST_SHARE = 1e-6
# The square of a larger distance leaves float64.
LARGEST_SQUARED = 1e150
LOG_ROOT_OF_TAU = float(np.log(2 * np.pi)) / 2


class Mixture(NamedTuple):
    """Share, mean and deviation of the normal part; rate and start of the exponential one."""

    pi: float
    mu: float
    sigma: float
    rate: float
    loc: float

    def log_normal(self, x: Array) -> Array:
        """Return the log density of the normal part times its share."""
        z = np.clip((x - self.mu) / self.sigma, -LARGEST_SQUARED, LARGEST_SQUARED)
        return np.asarray(np.log(self.pi) - z * z / 2 - np.log(self.sigma) - LOG_ROOT_OF_TAU)

    def log_exponential(self, x: Array) -> Array:
        """Return the log density of the exponential part times its share; constant below `loc`."""
        above = np.maximum(x, self.loc) - self.loc
        return np.asarray(np.log1p(-self.pi) + np.log(self.rate) - self.rate * above)

    def log_odds(self, x: Array) -> Array:
        """Return the log odds that a score is of the normal part."""
        return self.log_normal(x) - self.log_exponential(x)

    @property
    def peak(self) -> float:
        """The score from which the log odds fall again."""
        # Above loc the log odds are rate x - (x - mu)^2 / (2 sigma^2) + c, largest at mu + rate
        # sigma^2.
        return max(self.mu + self.rate * self.sigma * self.sigma, self.loc)

    def rising_log_odds(self, x: Array) -> Array:
        """Return the largest log odds of any score up to `x`."""
        # Below loc the exponential part is constant, so only the normal one rises, up to mu; above
        # it the parabola rises up to its peak.
        early = self.log_odds(np.minimum(x, min(self.mu, self.loc)))
        late = self.log_odds(np.clip(x, self.loc, self.peak))
        return np.where(x < self.loc, early, np.maximum(early, late))


class MixtureFit(NamedTuple):
    """A mixture, its mean log likelihood, and how the search for it ended."""

    mixture: Mixture
    log_likelihood: float
    iterations: int
    converged: bool
    collapsed: bool


def most_likely(x: Array, counts: Array, given: Mapping[str, float]) -> MixtureFit:
    """Return the mixture that expectation and maximization lead to.

    Parameters
    ----------
    x : array of shape (k,)
        Distinct scores, ascending, at least two; none below a given `loc`.
    counts : int64 array of shape (k,)
        How often each occurs.
    given : mapping
        Parts of the mixture that stay as they are.

    Notes
    -----
    The search starts from the height within the range as the share of the normal part, so it is
    deterministic, and it ends at a local optimum. Cost O(k) an iteration.

    Raises
    ------
    FitError
        Given numbers so far from the scores that none has a likelihood.
    """
    loc = given.get("loc", float(x[0]))
    unit = float(x[-1] - loc)
    fixed = {"loc": 0.0} | {
        name: _in_units(name, value, loc, unit) for name, value in given.items() if name != "loc"
    }
    with np.errstate(over="ignore", invalid="ignore"):
        found = _searched((x - loc) / unit, counts / counts.sum(), fixed)
    if not np.isfinite(found.log_likelihood) or not np.isfinite(found.mixture).all():
        raise FitError("the given numbers lie too far from the scores: no mixture has both")
    pi, mu, sigma, rate, _ = found.mixture
    mixture = Mixture(pi, loc + mu * unit, sigma * unit, rate / unit, loc)._replace(**given)
    # A density in the input's units is one in units of the range over their length.
    likelihood = found.log_likelihood - float(np.log(unit))
    return found._replace(mixture=mixture, log_likelihood=likelihood)


def _in_units(name: str, value: float, loc: float, unit: float) -> float:
    match name:
        case "mu":
            return (value - loc) / unit
        case "sigma":
            return value / unit
        case "rate":
            return value * unit
        case _:
            return value


def _searched(y: Array, share: Array, fixed: Mapping[str, float]) -> MixtureFit:
    # To begin with, a score is normal in proportion to its place in the range.
    mixture = _maximized(y, share, y, fixed)
    likelihood = _log_likelihood(mixture, y, share)
    gain, iterations = np.inf, 0
    while gain > CONVERGED and iterations < MOST_ITERATIONS:
        mixture = _maximized(y, share, sigmoid(mixture.log_odds(y)), fixed)
        better = _log_likelihood(mixture, y, share)
        gain, likelihood, iterations = better - likelihood, better, iterations + 1
    collapsed = "sigma" not in fixed and mixture.sigma <= NARROWEST
    return MixtureFit(mixture, likelihood, iterations, gain <= CONVERGED, collapsed)


def _maximized(y: Array, share: Array, normal: Array, fixed: Mapping[str, float]) -> Mixture:
    """Return the best mixture when each score is normal to this share."""
    up, down = share * normal, share * (1 - normal)
    mass = max(float(up.sum()), SMALLEST_SHARE)
    mean = fixed.get("mu", float(up @ y) / mass)
    variance = float(up @ np.square(y - mean)) / mass
    waiting = float(down @ y) / max(float(down.sum()), SMALLEST_SHARE)
    found = {
        "pi": min(mass, 1 - SMALLEST_SHARE),
        "mu": mean,
        "sigma": max(float(np.sqrt(variance)), NARROWEST),
        "rate": 1 / max(waiting, NARROWEST),
    }
    return Mixture(**{**found, **fixed})


def _log_likelihood(mixture: Mixture, y: Array, share: Array) -> float:
    return float(share @ np.logaddexp(mixture.log_normal(y), mixture.log_exponential(y)))
