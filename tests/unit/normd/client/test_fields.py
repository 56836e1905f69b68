"""Fields of callers as bodies carry them."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.errors import InvalidInput
from normd.client.fields import written

LOST = 2**53 + 1


def test_rows_of_several_types_are_joined_as_float64() -> None:
    rows = [np.array([1, 2**60]), np.array([0.5], dtype=np.float32)]
    fields = written({"scores": rows}, "input")
    assert fields["scores"].tolist() == [1.0, 2.0**60, 0.5]
    assert fields["offsets"].tolist() == [0, 2, 3]


def test_r5_integers_of_joined_rows_that_float64_does_not_hold_are_refused() -> None:
    with pytest.raises(InvalidInput, match="does not hold the integer") as caught:
        written({"scores": [np.array([1, 2]), np.array([3, 4, LOST])]}, "input")
    assert caught.value.path == "input.scores[1][2]"


def test_r5_a_frame_of_integers_and_floats_is_refused_before_it_is_sent() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": [0.5, 1.5], "n": [LOST, 1]})
    with pytest.raises(InvalidInput, match="does not hold the integer") as caught:
        written({"x": frame}, "fit")
    assert caught.value.path == "fit.x[0][1]"
