"""The paired bootstrap: what a measure might have been with other queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol, Self, TypeVar

import numpy as np
from pydantic import Field

from normalizers.data.arrays import LARGEST_INTEGER, Array
from normalizers.errors import InvalidParams
from normalizers.measures.measure import Parameters

SAMPLES = 1000
MOST_SAMPLES = 100_000
CONFIDENCE = 0.95
# Rows that all resamples together may go through: minutes of work.
MOST_ROWS = 2 * 10**9
BLOCK = 2**22  # counts that are drawn at once


class Resamples(Protocol):
    """Rows in units that can be drawn more or less often."""

    @property
    def rows(self) -> int:
        """Number of rows."""

    def __len__(self) -> int:
        """Return the number of units."""

    def weighted(self, units: Array, /) -> Self:
        """Return the rows with the weights of their units."""


Resampled = TypeVar("Resampled", bound=Resamples)


class Bootstrap(Parameters):
    """How resamples are drawn.

    Examples
    --------
    >>> from normalizers.measures.bootstrap import Bootstrap
    >>> Bootstrap().samples
    1000
    """

    samples: int = Field(default=SAMPLES, ge=1, le=MOST_SAMPLES, description="resamples")
    seed: int = Field(default=0, ge=0, le=LARGEST_INTEGER, description="the same draws again")
    confidence: float = Field(
        default=CONFIDENCE, gt=0, lt=1, description="share of resamples within the interval"
    )


class Interval(NamedTuple):
    """Ends between which the stated share of the resamples lies, NaN where none has a value."""

    lower: float
    upper: float


def draws(bootstrap: Bootstrap, units: int) -> Iterator[Array]:
    """Yield blocks of resamples: how often each unit was drawn, each of shape (b, units)."""
    random = np.random.default_rng(bootstrap.seed)
    shares = np.full(units, 1 / max(units, 1))
    block = max(1, BLOCK // max(units, 1))
    for start in range(0, bootstrap.samples, block):
        # How often each unit is drawn is multinomial: counts need no index a draw.
        yield random.multinomial(units, shares, size=min(block, bootstrap.samples - start))


def resampled_means(values: Array, bootstrap: Bootstrap) -> Array:
    """Return the mean of one value a unit on every resample of the units, shape (samples,).

    Undefined values (NaN) are left out. The same seed and number of units give the same
    resamples, so that two treatments of the same units are compared pair by pair.
    """
    return np.concatenate([_means(values, drawn) for drawn in draws(bootstrap, len(values))])


def resampled_pooled(
    function: Callable[[Resampled], float],
    evidence: Resampled,
    bootstrap: Bootstrap,
    work: int = 1,
) -> Array:
    """Return a function of all rows together on every resample of their units, shape (samples,).

    `work` is how many times the work of a sum the function is for each row.

    Raises
    ------
    InvalidParams
        For more resamples of more rows than are done.
    """
    rows = evidence.rows
    if bootstrap.samples * rows * work > MOST_ROWS:
        raise InvalidParams(
            f"{bootstrap.samples} resamples of {rows} rows are too many; at most "
            f"{MOST_ROWS // (rows * work)} are drawn here",
            path="bootstrap.samples",
        )
    resamples = (one for drawn in draws(bootstrap, len(evidence)) for one in drawn)
    return np.array([function(evidence.weighted(one)) for one in resamples])


def resampled_at_once(
    function: Callable[[Array], Array | None], units: int, bootstrap: Bootstrap
) -> Array | None:
    """Return the values of all resamples, a block at a time, or None where they are not offered.

    Parameters
    ----------
    function : callable
        From counts of shape (b, units) to values of shape (b,), or None.
    units : int
        Number of units.
    bootstrap : Bootstrap
        How resamples are drawn: the same as by the other functions here.
    """
    found = []
    for drawn in draws(bootstrap, units):
        values = function(drawn)
        if values is None:
            return None
        found.append(values)
    return np.concatenate(found)


def interval(values: Array, confidence: float) -> Interval:
    """Return the percentile interval of resampled values.

    References
    ----------
    Efron, Tibshirani: An introduction to the bootstrap, 1993.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.bootstrap import interval
    >>> interval(np.arange(101.0), 0.5)
    Interval(lower=25.0, upper=75.0)
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return Interval(np.nan, np.nan)
    beyond = (1 - confidence) / 2
    lower, upper = np.quantile(known, [beyond, 1 - beyond]).tolist()
    return Interval(lower, upper)


def _means(values: Array, drawn: Array) -> Array:
    """Return the mean of the defined values in every resample."""
    defined = ~np.isnan(values)
    counts = drawn[:, defined].sum(axis=1)
    sums = drawn[:, defined] @ values[defined]
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
