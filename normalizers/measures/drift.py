"""How far a live sample is from a fitted one, by what the fit kept of it."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import offsets_of
from normalizers.kernels import ecdf
from normalizers.statistics import Extrema, Knots, Moments, Quantiles, Scatter

Part: TypeAlias = "dict[str, Array]"
# The quantiles whose shift is told.
TOLD = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


class Spread(NamedTuple):
    """Mean and deviation of each column, both of shape (c,)."""

    mean: Array
    std: Array


def ks_distance(fitted: Quantiles, live: Quantiles) -> Array:
    """Return the Kolmogorov-Smirnov distance of each column, shape (c,).

    The largest distance of both empirical distribution functions; NaN for a column without live
    values. With stored quantiles in place of a sample the fitted function is linear between them.

    References
    ----------
    Kolmogorov: Sulla determinazione empirica di una legge di distribuzione, 1933.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.drift import ks_distance
    >>> from normalizers.statistics import Quantiles
    >>> fitted = Quantiles().update(np.array([[1.0], [2.0], [3.0], [4.0]]))
    >>> live = Quantiles().update(np.array([[3.0], [4.0]]))
    >>> ks_distance(fitted, live).tolist()
    [0.5]
    """
    return np.array([_distance(fitted, live, column) for column in range(live.width)])


def distribution(fitted: Quantiles, live: Quantiles) -> Part:
    """Return the distance of the distributions and the shift of their quantiles.

    Returns
    -------
    dict
        ``ks (c,)``, ``p (k,)``, and of shape (k, c) ``fitted``, ``live`` and ``shift``.
    """
    p = np.array(TOLD)
    before, now = fitted.quantile(p), live.quantile(p)
    return {
        "ks": ks_distance(fitted, live),
        "p": p,
        "fitted": before,
        "live": now,
        "shift": now - before,
    }


def span(fitted: Extrema, live: Extrema, columns: Array) -> Part:
    """Return the ends of both samples, and which share of the live one is beyond the fitted.

    Parameters
    ----------
    fitted : Extrema
        Those of the fit.
    live : Extrema
        Those of the sample.
    columns : array of shape (n, c)
        The live values; NaN is missing.

    Returns
    -------
    dict
        ``fitted_min``, ``fitted_max``, ``live_min``, ``live_max``, ``out_of_range``, each (c,).
    """
    observed = np.count_nonzero(~np.isnan(columns), axis=0)
    beyond = np.count_nonzero((columns < fitted.min) | (columns > fitted.max), axis=0)
    share = beyond / np.where(observed > 0, observed, np.nan)
    return _range(fitted.min, fitted.max, live.min, live.max, share)


def span_of_samples(fitted: Quantiles, live: Quantiles) -> Part:
    """Return what :func:`span` does, of two samples."""
    lower, upper = fitted.ends()
    share = [
        _share_outside(*live.column(column), lower[column], upper[column])
        for column in range(live.width)
    ]
    return _range(lower, upper, *live.ends(), np.array(share))


def moments(fitted: Spread, live: Spread) -> Part:
    """Return how mean and deviation moved; the mean in units of the fitted deviation.

    Returns
    -------
    dict
        ``fitted_mean``, ``live_mean``, ``shift``, ``fitted_std``, ``live_std``, ``ratio``, each
        (c,). Shift and ratio are NaN where the fitted deviation is 0.
    """
    # Without a deviation there is no unit, and no shift in it.
    unit = np.where(fitted.std > 0, fitted.std, np.nan)
    return {
        "fitted_mean": fitted.mean,
        "live_mean": live.mean,
        "shift": (live.mean - fitted.mean) / unit,
        "fitted_std": fitted.std,
        "live_std": live.std,
        "ratio": live.std / unit,
    }


def spread_of_moments(kept: Moments) -> Spread:
    """Return mean and deviation; NaN for a column without values."""
    seen = (kept.observed > 0) | (kept.uncounted is not None)
    ddof = 0 if kept.uncounted is None else kept.uncounted.ddof or 0
    return Spread(np.where(seen, kept.mean, np.nan), kept.std(ddof))


def spread_of_scatter(kept: Scatter) -> Spread:
    """Return mean and deviation of each dim; NaN without rows."""
    if kept.is_empty:
        missing = np.full(kept.d, np.nan)
        return Spread(missing, missing)
    ddof = 0 if kept.uncounted is None else kept.uncounted.ddof or 0
    return Spread(kept.mean, np.sqrt(np.diag(kept.covariance(ddof))))


def sample_of_knots(kept: Knots) -> Quantiles:
    """Return the distribution of the scores that a calibrator was fitted on."""
    return Quantiles(
        observed=np.array([kept.n], dtype=np.int64),
        offsets=offsets_of([len(kept.x)]),
        values=kept.x,
        counts=kept.counts,
        rank_error=np.zeros(1),
    )


def _distance(fitted: Quantiles, live: Quantiles, column: int) -> float:
    values, counts = live.column(column)
    if not len(values):
        return np.nan
    cumulative = np.cumsum(counts)
    below, not_above = (_share(fitted, column, values, kind) for kind in ("strict", "weak"))
    # Between live values their share stands still and the fitted one rises: the distance is largest
    # at a value or just before the next.
    above = np.abs(cumulative / cumulative[-1] - not_above)
    under = np.abs((cumulative - counts) / cumulative[-1] - below)
    return float(np.maximum(above, under).max())


def _share(fitted: Quantiles, column: int, x: Array, kind: ecdf.Kind) -> Array:
    if fitted.curve is not None:
        return fitted.curve.share_below(column, x, kind, None)
    return ecdf.share_below(*fitted.column(column), x, kind)


def _share_outside(values: Array, counts: Array, lower: float, upper: float) -> float:
    total = int(counts.sum())
    beyond = int(counts[(values < lower) | (values > upper)].sum())
    return beyond / total if total else np.nan


def _range(lower: Array, upper: Array, live_lower: Array, live_upper: Array, share: Array) -> Part:
    return {
        "fitted_min": lower,
        "fitted_max": upper,
        "live_min": live_lower,
        "live_max": live_upper,
        "out_of_range": share,
    }
