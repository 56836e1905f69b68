from __future__ import annotations

import numpy as np
import pytest

from normalizers import WindowZScore
from normalizers.errors import InvalidInput

SIDE = {"loc": [10.0], "scale": [2.0], "layout": "T"}
QUANTILES = np.array([[-1.0, 0.0], [3.0, 4.0]])


def test_r14_quantiles_go_back_without_values() -> None:
    found = WindowZScore().inverse_transform(quantiles=QUANTILES, levels=[0.1, 0.5], **SIDE)
    np.testing.assert_array_equal(found, 10 + 2 * QUANTILES)


def test_r14_values_and_quantiles_go_back_together() -> None:
    answer = WindowZScore().inverse_to([0.0, 1.0], quantiles=QUANTILES, **SIDE)
    np.testing.assert_array_equal(answer["x"], [10, 12])
    np.testing.assert_array_equal(answer["quantiles"], 10 + 2 * QUANTILES)


def test_r14_several_results_without_values_name_the_way_to_all() -> None:
    with pytest.raises(InvalidInput, match="inverse_to returns them all"):
        WindowZScore().inverse_transform(quantiles=QUANTILES, std=[1.0, 1.0], **SIDE)
