"""Moments as they are posted: what they mean, and whether there are rows that have them."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.statistics.base import posted as reading
from normalizers.statistics.base.magnitude import LARGEST, STORABLE, rounding_bound
from normalizers.statistics.base.statistic import Members


def posted_m2(members: Members, spread: str, observed: Array, path: str) -> Array:
    """Return the sums of squared deviations behind a posted spread."""
    place = f"{path}.{spread}"
    posted = reading.columns(members, spread, path, len(observed), missing=True)
    reading.refuse_where(posted < 0, "a spread is negative", place)
    if spread == "m2":
        return posted
    freedom = observed - reading.count(members, "ddof", path)
    undefined = freedom <= 0
    reading.refuse_where(
        undefined & (observed > 1), "n is not above 'ddof', so the spread is undefined", place
    )
    reading.refuse_where(~undefined & np.isnan(posted), "a value is missing", place)
    variance = np.square(posted) if spread == "std" else posted
    return np.where(undefined, np.nan_to_num(posted), variance * freedom)


def require_possible_moments(
    observed: Array, mean: Array, m2: Array, mass: Array, path: str
) -> None:
    """Refuse means and spreads that no rows have; `mass` is their number, or their weight."""
    unseen = observed == 0
    for name, member in (("mean", mean), ("m2", m2)):
        place = f"{path}.{name}"
        reading.refuse_where(~unseen & np.isnan(member), "a value is missing", place)
        reading.refuse_where(
            unseen & (np.nan_to_num(member) != 0), "a column with n 0 has no value", place
        )
    single = observed == 1
    reading.refuse_where(
        single & (m2 > rounding_bound(mass, mean)), "one value has no spread", f"{path}.n"
    )
    reading.refuse_where(
        # n deviations of at most LARGEST each.
        (np.abs(mean) > LARGEST) | (m2 > np.maximum(mass, 1) * LARGEST * LARGEST),
        STORABLE,
        f"{path}.mean",
    )
