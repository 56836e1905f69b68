"""What methods carry that look back on everything: how many values there were, and their ends."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.bases.carried_arrays import CarriedArray
from normalizers.data.arrays import Array
from normalizers.series.base.causal import require_possible

ENDS = {
    "n": CarriedArray(least=0, whole=True),
    "lowest": CarriedArray(missing=True, start=np.nan),
    "highest": CarriedArray(missing=True, start=np.nan),
}
MOMENTS = {
    **ENDS,
    "origin": CarriedArray(),
    "total": CarriedArray(),
    "m2": CarriedArray(least=0),
}


def check_ends(arrays: Mapping[str, Array]) -> None:
    """Refuse ends that contradict each other or the count."""
    lowest, highest, begun = arrays["lowest"], arrays["highest"], arrays["n"] > 0
    require_possible(
        ~begun | (lowest <= highest), "the lowest value is above the highest", "lowest"
    )
    none = np.isnan(lowest) & np.isnan(highest)
    require_possible(begun | none, "without a value there are no ends", "n")
