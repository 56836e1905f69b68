"""Standardization: columns without spread, scopes, other scales, windows, the way back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from normalizers import Standardization
from normalizers.errors import (
    FitError,
    InvalidInput,
    InvalidParams,
    NonFiniteError,
    NotEnoughData,
    ShapeError,
)

DATA = Path(__file__).parents[5] / "shared" / "data" / "embeddings"
X = np.random.default_rng(5).normal(3.0, 2.0, size=(30, 4))
LABELS = ["a", "b", "c"] * 10


def test_a_new_value_beside_a_constant_fit_stays_visible() -> None:
    # scikit-learn/scikit-learn#17794: 14.62 a thousand times has a deviation by rounding.
    method = Standardization().fit(np.full((1000, 1), 14.62))
    answer = method.apply_to([[14.62], [15.62]])
    np.testing.assert_allclose(answer.output["y"], [[0.0], [1.0]], atol=1e-9)
    assert answer.flags["constant"].tolist() == [0]
    assert method.report_["dead_dims"] == [0]


def test_a_dim_far_below_the_others_is_dead() -> None:
    x = X * [1.0, 1.0, 1e-9, 1.0]
    assert Standardization().fit(x).report_["dead_dims"] == [2]
    assert Standardization(dead_rel=0.0).fit(x).report_["dead_dims"] == []


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({}, 1.0),
        ({"on_constant": "keep"}, 6.0),
        ({"on_constant": "half"}, 0.5),
        ({"constant_value": 7.0}, 7.0),
        ({"eps": 4.0, "eps_mode": "add_std"}, 0.25),
    ],
)
def test_a_column_without_spread_gives_what_was_said(
    rule: dict[str, object], expected: float
) -> None:
    method = Standardization(**rule).fit([[5.0], [5.0]])
    assert method.transform([[6.0]]).tolist() == [[expected]]


def test_equal_values_have_a_root_mean_square() -> None:
    method = Standardization(center="none", scale="rms").fit([[5.0], [5.0]])
    answer = method.apply_to([[10.0]])
    assert answer.output["y"].tolist() == [[2.0]]
    assert answer.flags["constant"].tolist() == [0]


def test_one_row_that_is_sent_measures_itself() -> None:
    answer = Standardization(scope="request").apply_to([[5.0, 1.0]])
    assert answer.output["y"].tolist() == [[0.0, 0.0]]
    assert answer.flags["insufficient"].tolist() == [0, 1]


def test_no_spread_may_be_an_error() -> None:
    with pytest.raises(FitError, match="on_constant is 'error': column 1"):
        Standardization(on_constant="error").fit([[1.0, 5.0], [2.0, 5.0]])


def test_too_few_values_are_named() -> None:
    with pytest.raises(NotEnoughData, match="fewer values than the 2 that are needed: column 1"):
        Standardization(nan_policy="omit").fit([[1.0, 5.0], [2.0, np.nan]])
    with pytest.raises(NotEnoughData, match="every value is missing: column 0"):
        Standardization(nan_policy="omit").fit([[np.nan, 5.0], [np.nan, 1.0]])
    one = Standardization(on_few="scale_one").fit([[1.0, 5.0]])
    assert one.transform([[2.0, 5.0]]).tolist() == [[1.0, 0.0]]
    assert one.apply_to([[2.0, 5.0]]).flags["insufficient"].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("scale", "expected"),
    [
        ("std", np.std(X, axis=0)),
        ("rms", np.sqrt(np.mean(X**2, axis=0))),
        ("mean_abs_dev", np.mean(np.abs(X - X.mean(axis=0)), axis=0)),
        ("mad", np.median(np.abs(X - np.median(X, axis=0)), axis=0)),
        ("none", np.ones(4)),
    ],
)
def test_other_scales_divide(scale: str, expected: np.ndarray) -> None:
    method = Standardization(scale=scale).fit(X)
    np.testing.assert_allclose(method.fitted_["scale"], expected, rtol=1e-12)
    np.testing.assert_allclose(method.fitted_["loc"], X.mean(axis=0), rtol=1e-12)
    halves = (
        Standardization(scale=scale).fit(X[:11]).merge(Standardization(scale=scale).fit(X[11:]))
    )
    np.testing.assert_allclose(halves.fitted_["scale"], expected, rtol=1e-12)


def test_a_mean_of_stored_quantiles_is_refused() -> None:
    with pytest.raises(FitError, match="do not tell the mean"):
        Standardization(scale="mad").fit_statistics(quantiles={"p": [0.0, 1.0], "v": [0.0, 1.0]})


def test_windows_are_standardized_by_channel() -> None:
    windows = X.reshape(5, 6, 4)
    method = Standardization().fit(windows)
    found = method.transform(windows)
    assert found.shape == windows.shape
    np.testing.assert_array_equal(found.reshape(30, 4), Standardization().fit(X).transform(X))
    np.testing.assert_allclose(method.inverse_transform(found), windows, rtol=1e-14)


def test_k4_a_missing_value_is_flagged_where_it_was_sent() -> None:
    windows = X.reshape(5, 6, 4).copy()
    windows[2, 3, 1] = np.nan
    answer = Standardization(nan_policy="omit").fit(X).apply_to(windows)
    assert answer.flags["missing"].tolist() == [[2, 3, 1]]
    with pytest.raises(NonFiniteError, match=r"input.x\[2\]\[3\]\[1\]"):
        Standardization().fit(X).transform(windows)


def test_a_flat_list_is_a_column_or_one_row() -> None:
    assert Standardization().fit([1.0, 3.0]).transform([3.0, 1.0, 5.0]).tolist() == [1, -1, 3]
    row = Standardization().fit(X).transform(X[0].tolist())
    assert row.tolist() == Standardization().fit(X).transform(X[:1])[0].tolist()
    with pytest.raises(ShapeError, match="has 3 for d, but the fit has 4"):
        Standardization().fit(X).inverse_transform(X[:, :3])


def test_rows_sent_are_measured_themselves_and_come_back() -> None:
    method = Standardization(scope="batch", ddof=1)
    answer = method.apply_to(X)
    np.testing.assert_allclose(answer.output["y"].std(axis=0, ddof=1), 1.0, rtol=1e-12)
    back = method.inverse_to(**answer.output)
    np.testing.assert_allclose(back.output["x"], X, rtol=1e-12)
    constant = method.apply_to([[5.0, 1.0], [5.0, 2.0]])
    assert constant.flags["constant"].tolist() == [0]
    assert constant.output["y"][:, 0].tolist() == [0.0, 0.0]


def test_every_group_has_numbers_of_its_own() -> None:
    method = Standardization(scope="group").fit(X, groups=LABELS)
    y = method.transform(X, groups=LABELS)
    np.testing.assert_allclose(y[1::3], Standardization().fit(X[1::3]).transform(X[1::3]))
    np.testing.assert_allclose(method.inverse_transform(y, groups=LABELS), X, rtol=1e-12)
    with pytest.raises(InvalidInput, match="the fit does not know the group 'z'"):
        method.transform(X[:1], groups=["z"])


@pytest.mark.parametrize("unknown", ["global", "median", "pass"])
def test_an_unknown_group_takes_other_numbers(unknown: str) -> None:
    method = Standardization(scope="group", unknown_group=unknown).fit(X, groups=LABELS)
    answer = method.apply_to(X[:2], groups=["a", "z"])
    groups = [X[start::3] for start in range(3)]
    loc, scale = {
        "global": (X.mean(axis=0), X.std(axis=0)),
        "median": tuple(
            np.median([f(group, axis=0) for group in groups], axis=0) for f in (np.mean, np.std)
        ),
        "pass": (0.0, 1.0),
    }[unknown]
    np.testing.assert_allclose(answer.output["y"][1], (X[1] - loc) / scale, rtol=1e-12)
    assert answer.flags["unknown_group"].tolist() == [1]


def test_parameters_of_groups_need_groups() -> None:
    with pytest.raises(InvalidParams, match="unknown_group belongs to scope 'group'"):
        Standardization(unknown_group="pass").fit(X)


def test_a_group_without_spread_flags_its_rows() -> None:
    x = [[1.0], [1.0], [2.0], [4.0]]
    method = Standardization(scope="group").fit(x, groups=list("aabb"))
    assert method.apply_to(x, groups=list("abab")).flags["degenerate"].tolist() == [0, 2]


def test_huge_and_tiny_columns_keep_their_digits() -> None:
    y = Standardization().fit(X).transform(X)
    for factor in (1e-130, 1e130):
        np.testing.assert_allclose(Standardization().fit(X * factor).transform(X * factor), y)


def test_some_columns_go_back_by_their_names() -> None:
    # unit8co/darts#232: a forecast of some of the channels that were scaled.
    frame = pd.DataFrame(X, columns=list("abcd"))
    method = Standardization().fit(frame)
    y = pd.DataFrame(method.transform(frame), columns=list("abcd"))
    back = method.inverse_transform(y[["c", "a"]])
    np.testing.assert_allclose(back, frame[["c", "a"]], rtol=1e-12)
    np.testing.assert_allclose(
        method.inverse_transform(y[["d"]].to_numpy(), columns=["d"]), frame[["d"]], rtol=1e-12
    )
    with pytest.raises(InvalidInput, match="unknown column 'z'"):
        method.inverse_transform(y[["d"]].to_numpy(), columns=["z"])
    with pytest.raises(ShapeError):
        method.inverse_transform(y[["d"]].to_numpy())
    with pytest.raises(InvalidInput, match="the columns are not those of the fit"):
        method.transform(frame[["c", "a"]])


def test_some_columns_go_back_in_every_group() -> None:
    frame = pd.DataFrame(X, columns=list("abcd"))
    method = Standardization(scope="group").fit(frame, groups=LABELS)
    y = method.transform(frame, groups=LABELS)
    back = method.inverse_transform(y[:, [1]], groups=LABELS, columns=["b"])
    np.testing.assert_allclose(back, X[:, [1]], rtol=1e-12)


@pytest.mark.skipif(not DATA.exists(), reason="the shared data are not here")
def test_the_dead_dims_of_a_published_model_are_found() -> None:
    with np.load(DATA / "minilm_stsb_fit.npz", allow_pickle=False) as found:
        vectors = found["emb"]
    method = Standardization().fit(vectors)
    assert method.report_["dead_dims"] == [127, 223, 319]
    y = method.transform(vectors)
    assert y.dtype == np.float16
    assert np.isfinite(y).all()
