"""Score lists: normalization, calibration and fusion."""

from normalizers.scores.min_max import MinMax
from normalizers.scores.percentile import Percentile

METHODS = (MinMax, Percentile)

__all__ = ["METHODS", "MinMax", "Percentile"]
