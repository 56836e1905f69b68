"""Windows, and their z-scores as numpy computes them."""

from __future__ import annotations

import numpy as np

NAN = float("nan")
PAIR = np.array([[[1.0, 10.0], [2.0, 30.0], [6.0, 20.0]], [[0.0, 4.0], [5.0, 4.5], [1.0, 9.0]]])


def expected(windows: np.ndarray, ddof: int = 0) -> np.ndarray:
    mean = windows.mean(axis=1, keepdims=True)
    return (windows - mean) / windows.std(axis=1, ddof=ddof, keepdims=True)
