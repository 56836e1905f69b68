"""Windows by their ends, and the map that follows a scaling."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import WindowMinMax, errors
from normalizers.catalogue.catalogue import CATALOGUE

NAN = float("nan")


def test_a_map_follows_the_scaling_and_leads_back() -> None:
    method = WindowMinMax(range=[-1, 3])
    x = np.array([[[1.0, 10.0], [2.0, 40.0], [4.0, 20.0]]])
    answer = method.apply_to(x=x)
    assert answer["loc"].tolist() == [[[1.0, 10.0]]]
    assert answer["scale"].tolist() == [[[3.0, 30.0]]]
    assert answer["y"].min() == -1
    assert answer["y"].max() == 3
    scales = {"loc": answer["loc"], "scale": answer["scale"]}
    back = method.version_.inverse(
        {
            "y": answer["y"],
            "std": np.full((1, 3, 2), 4.0),
            "variance": np.full((1, 3, 2), 16.0),
            "quantiles": np.full((1, 3, 2, 2), [-1.0, 3.0]),
            "levels": [0.1, 0.9],
            **scales,
        }
    )
    np.testing.assert_allclose(back["x"], x, rtol=1e-15)
    assert back["std"][0].tolist() == [[3.0, 30.0]] * 3
    assert back["variance"][0].tolist() == [[9.0, 900.0]] * 3
    assert back["quantiles"][0].tolist() == [[[1.0, 4.0], [10.0, 40.0]]] * 3


def test_tslearn_314_a_constant_is_the_lower_end_and_a_missing_window_stays_missing() -> None:
    method = WindowMinMax(range=[-1, 1])
    answer = method.apply_to(x=[[0.0] * 4, [NAN] * 4, [1.0, 2.0, 3.0, 5.0]], layout="NT")
    assert answer["y"][0].tolist() == [-1.0] * 4
    assert np.isnan(answer["y"][1]).all()
    assert answer["y"][2].tolist() == [-1.0, -0.5, 0.0, 1.0]
    assert answer.flags["constant"].tolist() == [[0, 0]]
    assert answer.flags["empty"].tolist() == [[1, 0]]
    assert (answer["loc"][1, 0], answer["scale"][1, 0]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, -1.0),
        ({"on_constant": "zero"}, 0.0),
        ({"on_constant": "half"}, 0.5),
        ({"constant_value": 0.25}, 0.25),
        ({"on_constant": "keep"}, 7.0),
    ],
)
def test_a_constant_value_is_an_answer_within_the_range(params, expected) -> None:
    method = WindowMinMax(range=[-1, 1], **params)
    answer = method.apply_to(x=[7.0, 7.0])
    assert answer["y"].tolist() == [expected] * 2
    back = method.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    assert back.tolist() == [7.0, 7.0]


def test_a_constant_may_be_refused() -> None:
    with pytest.raises(errors.InvalidParams, match="on_constant"):
        WindowMinMax(on_constant="error").transform([1.0, 1.0])


@pytest.mark.parametrize("ends", [[1.0, 0.0], [0.5, 0.5], [0.0], [0.0, NAN]])
def test_a_range_rises(ends) -> None:
    with pytest.raises(errors.InvalidParams):
        WindowMinMax(range=ends).transform([1.0, 2.0])


def test_the_ends_are_met_exactly() -> None:
    y = WindowMinMax(range=[0.1, 0.7]).transform(np.linspace(0.3, 1.9, 11))
    assert (y.min(), y.max()) == (0.1, 0.7)


@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e200, 1e307])
def test_windows_of_any_size(size) -> None:
    x = np.array([1.0, 3.0, 2.0])
    np.testing.assert_allclose(WindowMinMax().transform(x * size), [0.0, 1.0, 0.5], rtol=1e-12)


def test_neuralforecast_adds_to_the_range() -> None:
    answer = CATALOGUE.create("window_min_max", {"preset": "neuralforecast"}).apply_to(x=[0.0, 1.0])
    assert answer["y"].tolist() == pytest.approx([0.0, 1 / (1 + 1e-6)], rel=1e-15)


def test_blocks_of_windows_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(7, 5, 3))
    x[rng.random(x.shape) < 0.3] = NAN
    mask = rng.random(x.shape) < 0.8
    whole = WindowMinMax().apply_to(x=x, mask=mask, explain=True)
    monkeypatch.setattr("normalizers.series.base.layouts.BLOCK", 30)
    parts = WindowMinMax().apply_to(x=x, mask=mask, explain=True)
    for name in ("y", "loc", "scale"):
        assert parts[name].tobytes() == whole[name].tobytes()
    assert parts.explain == whole.explain
    assert {k: v.tolist() for k, v in parts.flags.items()} == {
        k: v.tolist() for k, v in whole.flags.items()
    }
