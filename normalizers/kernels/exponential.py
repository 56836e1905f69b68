"""Exponentially weighted mean and variance at every step, carried on in any chunks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from normalizers.data.arrays import Array
from normalizers.kernels.recurrences import linear_recurrence, shifted

# Deviations whose squares, times weights, are far from the ends of float64.
LARGEST, SMALLEST = 1e140, 1e-140
# What a logarithm of 0 counts as: a factor that forgets everything.
FORGOTTEN = -3000.0
EXPONENTS = 1100
# Variances within 2^-660..2^660 are carried as they are, others as a fraction and an exponent.
PLAIN = 660


@dataclass(frozen=True)
class Exponential:
    """Statistics of the values up to each step.

    Parameters
    ----------
    n : array of shape (s, t)
        Observed values.
    weight : array
        Sum of the weights.
    evenness : array
        1 less the sum of the squares of the weights over the square of their sum: 0 where one
        value has all the weight.
    mean : array
        0 before the first value.
    variance, exponent : array
        The biased variance in units of ``2 ** (2 exponent)``.
    lowest, highest : array
        NaN before the first value.
    """

    n: Array
    weight: Array
    evenness: Array
    mean: Array
    variance: Array
    exponent: Array
    lowest: Array
    highest: Array

    @property
    def constant(self) -> Array:
        """Where all values are equal."""
        return np.asarray(self.lowest == self.highest)

    def std(self, *, bias: bool) -> Array:
        """Return the deviation; NaN where there is no value, or one alone and no `bias`."""
        # sum w (x - mean)^2 is divided by W - sum w^2 / W, W = sum w, in place of W.
        left = np.ones(self.n.shape) if bias else self.evenness
        known = (left > 0) & (self.n > 0)
        share = np.where(self.constant, 0.0, self.variance) / np.where(known, left, 1.0)
        return np.where(known, np.ldexp(np.sqrt(share), self.exponent.astype(np.int64)), np.nan)

    def before(self, start: Mapping[str, Array]) -> Exponential:
        """Return the statistics of the step before each, those of `start` before the first."""
        return Exponential(
            **{name: shifted(values, start[name]) for name, values in vars(self).items()}
        )

    def last(self, start: Mapping[str, Array]) -> dict[str, Array]:
        """Return what is carried on."""
        found = {
            name: values[:, -1] if values.shape[1] else start[name]
            for name, values in vars(self).items()
        }
        variance, exponent = _carried(found["variance"], found["exponent"])
        return {**found, "variance": variance, "exponent": exponent}


def exponential_moments(
    lists: Array, before: Mapping[str, Array], alpha: float, *, adjust: bool, ignore_na: bool
) -> Exponential:
    """Return exponentially weighted statistics at every step, as pandas defines them.

    Parameters
    ----------
    lists : array of shape (s, t)
        NaN is missing.
    before : mapping
        By the names of `Exponential`, arrays of shape (s,).
    alpha : float
        Within (0, 1].
    adjust : bool
        Whether the weights are ``(1 - alpha)^age``, or the newest value has the share `alpha`.
    ignore_na : bool
        Whether missing steps age no weight.
    """
    seen = ~np.isnan(lists)
    x = np.where(seen, lists, 0.0)
    weight, share = _weights(seen, before["weight"], alpha, adjust=adjust, ignore_na=ignore_na)
    kept = 1 - share
    mean = linear_recurrence(kept, share * x, before["mean"])
    # 1 - (kept^2 (1 - e) + share^2) = kept^2 e + 2 kept share, where kept + share = 1.
    evenness = linear_recurrence(kept * kept, 2 * kept * share, before["evenness"])
    variance, exponent = _variances(lists, seen, shifted(mean, before["mean"]), share, before)
    lowest = np.fmin.accumulate(np.column_stack([before["lowest"], lists]), axis=1)[:, 1:]
    highest = np.fmax.accumulate(np.column_stack([before["highest"], lists]), axis=1)[:, 1:]
    n = before["n"][:, None] + np.cumsum(seen, axis=1)
    return Exponential(n, weight, evenness, mean, variance, exponent, lowest, highest)


def _weights(
    seen: Array, start: Array, alpha: float, *, adjust: bool, ignore_na: bool
) -> tuple[Array, Array]:
    """Return the sum of weights at each step, and the share that its own value has in it."""
    fades = 1 - alpha
    newest = 1.0 if adjust else alpha
    factors = np.where(seen, fades, 1.0) if ignore_na else np.full(seen.shape, fades)
    if adjust:
        weight = linear_recurrence(factors, seen.astype(np.float64), start)
    else:
        # With each value the weights are a whole again.
        weight = linear_recurrence(np.where(seen, 0.0, factors), seen.astype(np.float64), start)
    faded = factors * shifted(weight, start)
    return weight, np.where(seen, newest / (faded + newest), 0.0)


def _variances(
    lists: Array, seen: Array, means: Array, share: Array, before: Mapping[str, Array]
) -> tuple[Array, Array]:
    """Return ``v <- (1 - b) (v + b (x - mean)^2)`` for shares b, and the unit of each."""
    start, unit = before["variance"], before["exponent"].astype(np.int64)
    kept = 1 - share
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        deviations = np.where(seen, lists - means, 0.0)
        sizes = np.abs(deviations[deviations != 0])
        ordinary = sizes.size == 0 or (sizes.max() < LARGEST and sizes.min() > SMALLEST)
        if ordinary and not unit.any():
            variance = linear_recurrence(kept, kept * share * deviations * deviations, start)
            # A memory that fades for very long leaves the range in the end.
            if not ((variance > 0) & (variance < SMALLEST * SMALLEST)).any():
                return variance, np.zeros(variance.shape, dtype=np.int64)
        units = _units(lists, seen, means, kept, start, unit)
        scaled = np.where(deviations != 0, np.ldexp(lists, -units) - np.ldexp(means, -units), 0.0)
        # v 4^u' = (1 - b) 4^(u' - u) v': a power of two changes the unit, and no digit.
        fades = np.ldexp(kept, 2 * (shifted(units, unit) - units))
        # Only a variance of 0, which has no unit, falls behind its unit by so much.
        fades = np.where(np.isinf(fades), 0.0, fades)
        return linear_recurrence(fades, kept * share * scaled * scaled, start), units


def _units(
    lists: Array, seen: Array, means: Array, kept: Array, start: Array, unit: Array
) -> Array:
    """Return binary exponents near that of the deviation at each step; rough, but never in doubt.

    log d[t] = max(log d[t - 1] + log(kept) / 2, log |x - mean|), up to a factor of two.
    """
    halves = np.where(seen, lists / 2 - means / 2, 0.0)
    added = np.where(halves != 0, np.frexp(halves)[1] + 1.0, -np.inf)
    fading = np.where(kept > 0, np.log2(np.maximum(kept, np.finfo(np.float64).tiny)), FORGOTTEN)
    faded = np.cumsum(fading, axis=1) / 2
    first = np.where(start > 0, np.frexp(start)[1] / 2 + unit, -np.inf)
    reached = np.column_stack([first, added - faded])
    largest = np.maximum.accumulate(reached, axis=1)[:, 1:] + faded
    rounded = np.clip(np.where(np.isfinite(largest), largest, 0.0), -EXPONENTS, EXPONENTS)
    return np.asarray(np.rint(rounded), dtype=np.int64)


def _carried(variance: Array, exponent: Array) -> tuple[Array, Array]:
    """Return a variance in the one way it is carried, whatever unit it was computed in."""
    exponent = exponent.astype(np.int64)
    size = np.frexp(variance)[1] + 2 * exponent
    plain = (np.abs(size) <= PLAIN) | (variance == 0)
    unit = np.where(plain, 0, size // 2).astype(np.int64)
    scaled = np.ldexp(variance, (2 * (exponent - unit)).astype(np.int64))
    return np.asarray(scaled), unit
