"""Groups of small, equal, single and missing scores."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import GroupZScore
from normalizers.errors import FitError, InvalidParams, NotEnoughData
from tests.unit.metrics.groups.group_z_score.samples import GROUPS, SCORES, report_of


def test_scikit_learn_19726_small_spread_is_real() -> None:
    x = [1e-9, 2e-9, 3e-9, 4e-9]
    method = GroupZScore(ddof=0).fit(x, groups=["a"] * 4)
    y = method.transform(x, groups=["a"] * 4)
    np.testing.assert_allclose(y, [-1.34164079, -0.4472136, 0.4472136, 1.34164079])
    assert report_of(method, "a")["degenerate"] == [False]


def test_a_large_offset_does_not_eat_the_spread() -> None:
    x = 1e9 + np.array([0.0, 1.0, 2.0, 3.0])
    y = GroupZScore(ddof=0).fit(x, groups=["a"] * 4).transform(x, groups=["a"] * 4)
    np.testing.assert_allclose(y, (np.arange(4) - 1.5) / np.std(np.arange(4)), rtol=1e-9)


@pytest.mark.parametrize("value, n", [(3.5, 4), (0.1, 7), (14.62, 1000)])
def test_scikit_learn_17794_a_constant_keeps_its_centring(value: float, n: int) -> None:
    method = GroupZScore().fit([value] * n, groups=["k"] * n)
    answer = method.apply_to(x=[value, value + 0.5], groups=["k", "k"])
    np.testing.assert_allclose(answer.output["y"], [0.0, 0.5])
    assert answer.output["y"][0] == 0.0
    assert answer.flags["constant"].tolist() == [0, 1]
    assert report_of(method, "k")["degenerate"] == [True]
    moments = method.statistics_.to_arrays()["moments"]
    stored = GroupZScore().fit_statistics(moments=moments)
    assert report_of(stored, "k")["degenerate"] == [True]


@pytest.mark.parametrize(
    "params, expected",
    [
        ({"on_constant": "zero"}, [0.0, 0.0]),
        ({"on_constant": "half"}, [0.5, 0.5]),
        ({"constant_value": 7.0}, [7.0, 7.0]),
        ({"on_constant": "value"}, [0.0, 0.0]),
        ({"on_constant": "keep"}, [3.5, 4.0]),
        ({"eps": 0.5, "eps_mode": "add_std"}, [0.0, 1.0]),
        ({"scale": "none"}, [0.0, 0.5]),
    ],
)
def test_what_a_constant_group_gives(params: dict[str, object], expected: list[float]) -> None:
    method = GroupZScore(**params).fit([3.5, 3.5, 1.0, 2.0], groups=["k", "k", "o", "o"])
    y = method.transform([3.5, 4.0], groups=["k", "k"])
    np.testing.assert_allclose(y, expected)
    back = method.inverse_transform(y, groups=["k", "k"])
    fixed = {"on_constant", "constant_value"} & params.keys() and params != {"on_constant": "keep"}
    np.testing.assert_allclose(back, [3.5, 3.5] if fixed else [3.5, 4.0])


def test_a_constant_can_be_refused() -> None:
    with pytest.raises(FitError, match="'k'"):
        GroupZScore(on_constant="error").fit([3.5, 3.5], groups=["k", "k"])
    with pytest.raises(InvalidParams):
        GroupZScore(on_constant="keep", constant_value=1.0).fit(SCORES, groups=GROUPS)


def test_pytorch_forecasting_1321_a_group_of_one_row() -> None:
    x, groups = [1.0, 2.0, 4.0, 7.0], ["a", "a", "a", "b"]
    with pytest.raises(NotEnoughData, match="'b'"):
        GroupZScore().fit(x, groups=groups)
    method = GroupZScore(on_few="scale_one").fit(x, groups=groups)
    answer = method.apply_to(x=[7.0, 9.0, 1.0], groups=["b", "b", "a"])
    np.testing.assert_allclose(answer.output["y"][:2], [0.0, 2.0])
    assert answer.flags["insufficient"].tolist() == [0, 1]
    assert "constant" not in answer.flags
    assert report_of(method, "b")["std"] == [None]
    zero = GroupZScore(on_few="zero").fit(x, groups=groups)
    assert zero.transform([9.0, np.nan], groups=["b", "b"])[0] == 0.0
    same = GroupZScore(on_few="identity").fit(x, groups=groups)
    assert same.transform([9.0], groups=["b"]).tolist() == [9.0]
    assert same.inverse_transform([9.0], groups=["b"]).tolist() == [9.0]


def test_a_group_without_any_score_cannot_be_centred() -> None:
    with pytest.raises(NotEnoughData):
        GroupZScore(on_few="scale_one").fit([1.0, 2.0, None], groups=["a", "a", "b"])
    method = GroupZScore(on_few="identity").fit([1.0, 2.0, None], groups=["a", "a", "b"])
    assert method.transform([3.0], groups=["b"]).tolist() == [3.0]
    assert report_of(method, "b")["mean"] == [None]
