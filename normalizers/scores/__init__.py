"""Score lists: normalization, calibration and fusion."""

from normalizers.scores.min_max import MinMax

METHODS = (MinMax,)

__all__ = ["METHODS", "MinMax"]
