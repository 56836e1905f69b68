"""Series and signals: windows, causal streams, stored channels, learned layers."""

from normalizers.series.rolling_z_score import RollingZScore
from normalizers.series.window_z_score import WindowZScore

METHODS = (RollingZScore, WindowZScore)

__all__ = ["METHODS", "RollingZScore", "WindowZScore"]
