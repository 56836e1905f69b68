"""Score lists: normalization, calibration and fusion."""

from normalizers.scores.min_max import MinMax
from normalizers.scores.percentile import Percentile
from normalizers.scores.rrf import ReciprocalRankFusion

METHODS = (MinMax, Percentile, ReciprocalRankFusion)

__all__ = ["METHODS", "MinMax", "Percentile", "ReciprocalRankFusion"]
