"""Score lists: normalization, calibration and fusion."""
