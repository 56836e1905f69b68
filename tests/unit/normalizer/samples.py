"""Rows to fit, bare and with names of columns."""

from __future__ import annotations

import numpy as np
import pandas as pd

ROWS = np.random.default_rng(0).normal(size=(30, 3))
FRAME = pd.DataFrame(ROWS, columns=["a", "b", "c"])

# They take numbers of a kind: above 0, log-probabilities, the lengths beside them, 4 dims.
OF_A_KIND = {"gamma_cdf", "box_cox", "choice_mass", "choice_scores", "hadamard_rotation"}
