"""Rows to fit, bare and with names of columns."""

from __future__ import annotations

import numpy as np
import pandas as pd

ROWS = np.random.default_rng(0).normal(size=(30, 3))
FRAME = pd.DataFrame(ROWS, columns=["a", "b", "c"])
