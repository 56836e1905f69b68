"""Rows to fit, bare and with names of columns."""

from __future__ import annotations

import numpy as np
import pandas as pd

ROWS = np.random.default_rng(0).normal(size=(30, 3))
FRAME = pd.DataFrame(ROWS, columns=["a", "b", "c"])

# They take numbers of a kind: above 0, log-probabilities, the lengths beside them, some dims; they
# need steps of a season or a slice, or answer in whole numbers and words.
OF_A_KIND = {
    "gamma_cdf", "box_cox", "choice_mass", "choice_scores", "hadamard_rotation",
    "isotropic_standardization", "quantization", "seasonal", "session_z_score", "slice_z_score",
    "chronos_bins", "llmtime_serialize", "token_integer", "column_transformer",
}  # fmt: skip
# Of the methods of banks and galleries, those whose main field is a table like any other.
BANKS = {"inverted_softmax", "csls", "nnn"}
