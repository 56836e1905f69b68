"""How sure a difference is: a p value of resamples, and what is left of several together."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from normalizers.data.arrays import Array


def p_value(differences: Array, units: int) -> float:
    """Return how often resampled differences lie on the other side of 0, from both sides.

    ``p = min(1, 2 (1 + min(#(d <= 0), #(d >= 0))) / (1 + m))`` of the m resamples that have a
    difference, and never less than ``2^(1 - units)``; NaN where none has. It is below
    ``1 - confidence`` where the percentile interval of that confidence leaves out 0, up to the
    resolution of the resamples.

    Notes
    -----
    Resamples of few units repeat each other and are too sure. That all of n units lie on one side
    by chance has the probability ``2^(1 - n)``, which no test of their signs goes below.

    References
    ----------
    Davison, Hinkley: Bootstrap methods and their application, 1997, section 4.2, for the 1 that is
    added: m resamples never give a p of 0.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.significance import p_value
    >>> p_value(np.array([0.1, 0.2, -0.1, 0.3]), units=50), p_value(np.zeros(9), units=50)
    (0.8, 1.0)
    >>> p_value(np.full(999, 0.1), units=50), p_value(np.full(999, 0.1), units=3)
    (0.002, 0.25)
    """
    known = differences[~np.isnan(differences)]
    if not len(known):
        return math.nan
    beyond = min(np.count_nonzero(known <= 0), np.count_nonzero(known >= 0))
    resampled = min(1.0, 2 * (1 + int(beyond)) / (1 + len(known)))
    return max(resampled, 2.0 ** (1 - units))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values that hold for all of several differences at once; NaN counts as none.

    The smallest of m is multiplied by m, the next by m - 1, and none is below one before it: the
    chance that any difference is called one without being one stays what it was for each.

    References
    ----------
    Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6, 1979.

    Examples
    --------
    >>> from normalizers.measures.significance import holm
    >>> holm([0.25, 0.125, 0.5])
    [0.5, 0.375, 0.5]
    """
    known = [place for place, p in enumerate(p_values) if not math.isnan(p)]
    adjusted, least = list(p_values), 0.0
    for before, place in enumerate(sorted(known, key=lambda place: p_values[place])):
        least = max(least, min(1.0, (len(known) - before) * p_values[place]))
        adjusted[place] = least
    return adjusted
