"""Data and score normalization: fitted, mergeable, exact."""

from normalizers.pipeline import Pipeline
from normalizers.scores import MinMax

__all__ = ["MinMax", "Pipeline"]
