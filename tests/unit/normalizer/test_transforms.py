"""Transforms and the way back, called as a library."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from normalizers import GroupZScore, InverseSquareRank, MinMax, Whitening, WindowZScore
from normalizers.errors import InvalidInput, NormalizerError, NotFitted, UnsupportedOperation
from tests.unit.normalizer.samples import FRAME, ROWS


def test_stateless_methods_need_no_fit() -> None:
    runs = [{"ids": ["a", "b"]}]
    assert InverseSquareRank().transform(runs).tolist() == ["a", "b"]
    assert InverseSquareRank().fit().transform(runs).tolist() == ["a", "b"]
    assert MinMax(scope="query").fit([1.0, 2.0]).transform([5.0, 6.0]).tolist() == [0.0, 1.0]
    with pytest.raises(UnsupportedOperation, match="scope: 'fitted'"):
        MinMax(scope="query").partial_fit([1.0, 2.0])


@pytest.mark.parametrize(
    "act",
    [
        lambda method: method.transform(ROWS),
        lambda method: method.inverse_transform(ROWS),
        lambda method: method.apply_to(ROWS),
        lambda method: method.merge(method),
        lambda method: method.save("nowhere"),
        lambda method: method.get_feature_names_out(),
        lambda method: method.version_,
        lambda method: method.fitted_,
        lambda method: method.statistics_,
        lambda method: method.report_,
    ],
)
def test_what_needs_a_fit_says_so(act: Callable[[Whitening], object]) -> None:
    with pytest.raises(NotFitted, match="this Whitening is not fitted; call fit first"):
        act(Whitening())


def test_fields_by_name_and_options() -> None:
    groups = GroupZScore().fit([1.0, 2.0, 3.0, 5.0], groups=list("aabb"))
    assert groups.transform([1.0], groups=["a"]).shape == (1,)
    assert groups.transform(x=[1.0], groups=["a"]).shape == (1,)
    answer = MinMax().apply_to([1.0, 1.0], explain=True)
    assert answer.flags["constant"].tolist() == [0]
    assert answer.explain is not None
    assert answer.effective_params["scope"] == "query"
    with pytest.raises(InvalidInput, match="the answer carries constant"):
        MinMax().transform([1.0, 1.0], strict=True)


@pytest.mark.parametrize(
    ("act", "place", "what"),
    [
        (lambda m: m.transform(), "input.x", "'x' is missing"),
        (lambda m: m.transform(ROWS, rows=1), "input.rows", "unknown field 'rows'"),
        (lambda m: m.transform(ROWS, explian=True), "input.explian", "unknown field"),
        (lambda m: m.transform(ROWS, top_k=1), "options.top_k", "no meaning for 'whitening'"),
        (lambda m: m.transform(ROWS, explain="yes"), "options.explain", "valid boolean"),
        (lambda m: m.transform(ROWS[:, :2]), "input.x", "has 2 for d, but the fit has 3"),
        (lambda m: m.inverse_transform(ROWS, y=ROWS), "", "multiple values"),
        (lambda m: m.inverse_transform(ROWS[:, :2]), "input.y", "has 2 for k"),
        (lambda m: m.fit(), "fit.x", "'x' is missing"),
        (lambda m: m.fit(ROWS, weights=[1]), "fit.weights", "unknown field"),
    ],
)
def test_misuse_is_named(act: Callable[[Whitening], object], place: str, what: str) -> None:
    with pytest.raises((NormalizerError, TypeError), match=what) as caught:
        act(Whitening().fit(ROWS))
    assert getattr(caught.value, "path", "") == place


def test_the_way_back_takes_what_the_transform_returned() -> None:
    series = np.random.default_rng(1).normal(size=(2, 6, 3))
    method = WindowZScore()
    answer = method.apply_to(series)
    back = method.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    np.testing.assert_allclose(back, series, rtol=1e-12)


def test_fit_transform_passes_on_the_fields_of_both() -> None:
    x, groups = [1.0, 2.0, 3.0, 4.0], list("aabb")
    once = GroupZScore().fit_transform(x, groups=groups)
    twice = GroupZScore().fit(x, groups=groups).transform(x, groups=groups)
    assert once.tolist() == twice.tolist()
    np.testing.assert_array_equal(
        Whitening().fit_transform(ROWS, np.ones(30)), Whitening().fit(ROWS).transform(ROWS)
    )


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_output_has_the_dtype_of_the_input(dtype: type) -> None:
    assert Whitening().fit(ROWS).transform(ROWS.astype(dtype)).dtype == dtype
    assert MinMax().fit([0.0, 1.0]).transform(np.ones(2, dtype=dtype)).dtype == dtype


def test_an_output_beyond_float16_is_refused() -> None:
    ends = MinMax().fit([0.0, 1e-6])
    with pytest.raises(InvalidInput, match="too large for float16; send the input in a wider"):
        MinMax(clip=False).fit([0.0, 1e-6]).transform(np.array([60000.0], dtype=np.float16))
    assert ends.transform(np.array([60000.0], dtype=np.float16)).tolist() == [1.0]


def test_inputs_are_not_modified() -> None:
    rows, frame = ROWS.copy(), FRAME.copy()
    Whitening().fit(rows).transform(rows)
    Whitening().fit(frame).transform(frame)
    np.testing.assert_array_equal(rows, ROWS)
    pd.testing.assert_frame_equal(frame, FRAME)
    fitted = Whitening().fit(rows)
    expected = fitted.transform(ROWS)
    rows[:] = 0.0
    np.testing.assert_array_equal(fitted.transform(ROWS), expected)
    with pytest.raises(ValueError, match="read-only"):
        fitted.fitted_["W"][0, 0] = 1.0
