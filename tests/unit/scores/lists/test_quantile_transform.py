"""Quantile transform: rows and scores, ends, ties, constants, the way back."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import QuantileTransform, errors
from normalizers.versions import fitting

NAN = float("nan")
ROWS = np.array([[0.0, 3.0], [1.0, 3.0], [2.0, 3.0], [10.0, 3.0]])


def test_rows_and_scores_of_one_column_are_the_same() -> None:
    rows = QuantileTransform(n_quantiles=3).fit([0.0, 1.0, 10.0])
    scores = QuantileTransform(n_quantiles=3).fit(scores=[[0.0], [1.0, 10.0]])
    assert scores.transform(scores=[[0.5], [5.5, 1.0]])[1].tolist() == [0.75, 0.5]
    assert rows.transform([0.5, 5.5, 1.0]).tolist() == [0.25, 0.75, 0.5]
    assert rows.transform(scores=[0.5]).tolist() == [0.25]


def test_an_answer_is_in_the_alternative_that_was_sent() -> None:
    method = QuantileTransform(n_quantiles=4).fit(ROWS)
    assert list(method.apply_to(x=ROWS).output) == ["y"]
    with pytest.raises(errors.InvalidInput, match="exactly one"):
        method.apply_to(x=ROWS, scores=[1.0])
    with pytest.raises(errors.InvalidInput, match="one column"):
        method.apply_to(scores=[1.0])


def test_scikit_learn_values_below_the_landmark_of_a_constant_give_0_others_1() -> None:
    values = (
        QuantileTransform(n_quantiles=4).fit(ROWS).transform([[0.0, 2.0], [0.0, 3.0], [0.0, 4.0]])
    )
    assert values[:, 1].tolist() == [0.0, 0.0, 1.0]


def test_ties_get_the_middle_of_their_jump() -> None:
    method = QuantileTransform(n_quantiles=5).fit([0.0, 1.0, 1.0, 1.0, 2.0])
    assert method.transform([1.0]).tolist() == [0.5]


def test_normal_output_is_cut_at_scikit_learn_s_ends() -> None:
    method = QuantileTransform(output="normal", n_quantiles=3).fit([0.0, 1.0, 2.0])
    values = method.transform([-9.0, 1.0, 9.0])
    assert values.round(6).tolist() == [-5.199338, 0.0, 5.199338]
    assert method.inverse_transform(values).tolist() == [0.0, 1.0, 2.0]


@pytest.mark.parametrize("size", [1e-12, 1e-300, 1e300])
def test_normal_output_has_no_absolute_threshold(size: float) -> None:
    sample = np.array([0.0, 1.0, 2.0, 5.0])
    plain = QuantileTransform(output="normal").fit(sample).transform([0.5, 3.0])
    scaled = QuantileTransform(output="normal").fit(sample * size)
    np.testing.assert_allclose(scaled.transform(np.array([0.5, 3.0]) * size), plain, rtol=1e-12)


def test_lower_is_better_counts_from_above() -> None:
    sample = [0.0, 1.0, 4.0]
    up, down = (QuantileTransform(higher_is_better=way).fit(sample) for way in (True, False))
    assert down.transform([0.5]).tolist() == (1 - up.transform([0.5])).tolist()
    assert down.inverse_transform(down.transform([0.5])).tolist() == [0.5]


def test_fewer_values_than_quantiles_are_told() -> None:
    version = QuantileTransform(n_quantiles=10).fit([1.0, 2.0, 3.0]).version_
    assert version.report["n_quantiles"] == 3
    assert len(version.fitted["references"]) == 3


def test_missing_values_stay_in_their_place() -> None:
    method = QuantileTransform(n_quantiles=4, nan_policy="omit").fit([[0.0, NAN], *ROWS.tolist()])
    answer = method.apply_to(x=[[1.0, NAN], [99.0, 3.0]])
    assert np.isnan(answer["y"]).tolist() == [[False, True], [False, False]]
    assert answer.flags["missing"].tolist() == [0]
    assert answer.flags["out_of_range"].tolist() == [1]
    assert answer.report == {"out_of_range": 1 / 3}


def test_stored_quantiles_suffice() -> None:
    posted = {"quantiles": {"p": [0.0, 0.5, 1.0], "v": [0.0, 1.0, 10.0]}}
    version = fitting.from_statistics(QuantileTransform(n_quantiles=3), posted)
    assert version.transform({"x": [0.5, 5.5]})["y"].tolist() == [0.25, 0.75]


def test_r20_values_that_are_no_shares_come_back_as_ends_or_as_asked() -> None:
    back = QuantileTransform(n_quantiles=2).fit([0.0, 1.0]).inverse_to([[1.02], [0.5], [-3.0]])
    assert back.output["x"].tolist() == [[1.0], [0.5], [0.0]]  # type: ignore[union-attr]
    assert list(back.flags["clipped"]) == [0, 2]
    method = QuantileTransform(n_quantiles=2, out_of_bounds="missing").fit([0.0, 1.0])
    assert np.isnan(method.inverse_transform([2.0, 0.5])).tolist() == [True, False]
    with pytest.raises(errors.InvalidInput, match="0 to 1"):
        QuantileTransform(out_of_bounds="error").fit([0.0, 1.0]).inverse_transform([2.0])


def test_r33_a_column_without_values_is_named() -> None:
    with pytest.raises(errors.FitError, match="every value of column 1 is missing"):
        QuantileTransform(nan_policy="omit").fit([[0.0, np.nan], [1.0, np.nan]])
