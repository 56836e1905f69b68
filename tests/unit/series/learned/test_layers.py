"""Edge cases of DAIN, EDAIN and Dish-TS: what their weights may be, what has no statistics."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

from normalizers import Dain, DishTs, Edain
from normalizers.errors import InvalidInput, InvalidParams, NonFiniteError, ShapeError
from normalizers.normalizer import load

X = np.random.default_rng(3).normal(2.0, 3.0, size=(3, 6, 2))
EYE = {"mean_layer.weight": np.eye(2), "scaling_layer.weight": np.eye(2)}
FLOW = {
    "log_cutoff": np.array([1.0, 2.0]),
    "running_mean": np.array([0.5, 0.5]),
    "shift": np.array([0.3, -0.2]),
    "log_scale": np.array([0.1, 0.2]),
    "lambda": np.array([1.5, 0.5]),
}


def test_dain_with_identities_standardizes_by_the_deviation() -> None:
    y = Dain(variant="adaptive_scale", eps=0.0).fit_weights(EYE).transform(X)
    np.testing.assert_allclose(y, (X - X.mean(1, keepdims=True)) / X.std(1, keepdims=True))


def test_dain_avg_is_the_shift_alone_and_ignores_the_other_matrices() -> None:
    layer = Dain(variant="adaptive_avg").fit_weights(EYE)
    np.testing.assert_allclose(layer.transform(X), X - X.mean(1, keepdims=True), atol=1e-14)
    assert layer.report_["warnings"][0]["code"] == "ignored_weights"


def test_dain_keeps_the_names_of_its_channels_and_refuses_others(tmp_path) -> None:
    layer = Dain(variant="adaptive_scale").fit_weights(EYE, columns=["bid", "ask"])
    layer.save(tmp_path / "layer.safetensors")
    kept = load(tmp_path / "layer.safetensors")
    assert kept.version_.columns == ("bid", "ask")
    assert np.array_equal(kept.transform(X, columns=["bid", "ask"]), layer.transform(X))
    frame = pandas.DataFrame(X[0], columns=["ask", "bid"])
    with pytest.raises(InvalidInput, match="in another order"):
        kept.transform(frame, layout="TC")
    with pytest.raises(ShapeError, match="1 names for the 2 channels") as refused:
        Dain(variant="adaptive_scale").fit_weights({**EYE, "columns": ["bid"]})
    assert refused.value.path == "weights.columns"
    with pytest.raises(InvalidInput, match="stands here twice"):
        Dain(variant="adaptive_scale").fit_weights(EYE, columns=["bid", "bid"])


def test_dain_scales_that_are_not_positive_count_as_1() -> None:
    weights = {**EYE, "scaling_layer.weight": np.diag([-1.0, 1.0])}
    answer = Dain(variant="adaptive_scale").fit_weights(weights).apply_to(X)
    assert (answer["scale"][:, :, 0] == 1).all()
    assert (answer["scale"][:, :, 1] != 1).all()


def test_dain_a_channel_without_values_leaves_its_window_without_statistics() -> None:
    x = X.copy()
    x[1, :, 0] = np.nan
    layer = Dain(variant="adaptive_scale").fit_weights(EYE)
    answer = layer.apply_to(x)
    assert np.isnan(answer["y"][1]).all()
    assert answer.flags["empty"].tolist() == [[1, 0]]
    kept = layer.transform(X)
    assert np.array_equal(answer["y"][[0, 2]], kept[[0, 2]])


def test_dain_leads_a_forecast_and_its_spread_back_through_the_gate() -> None:
    weights = {**EYE, "gating_layer.weight": np.ones((2, 2)), "gating_layer.bias": np.zeros(2)}
    layer = Dain().fit_weights(weights)
    answer = layer.apply_to(X)
    beside = {name: answer[name] for name in ("loc", "scale", "gate")}
    np.testing.assert_allclose(layer.inverse_transform(answer["y"], **beside), X, rtol=1e-12)
    back = layer.inverse_to(std=np.ones((3, 2, 2)), **beside)
    expected = np.broadcast_to(answer["scale"] / answer["gate"], (3, 2, 2))
    np.testing.assert_allclose(back["std"], expected)


def test_edain_signs_are_never_guessed() -> None:
    with pytest.raises(InvalidParams, match="published classes differ"):
        Edain().validated()
    minus = Edain(sign="minus").fit_weights(FLOW)
    turned = {**FLOW, "shift": -FLOW["shift"], "log_scale": -FLOW["log_scale"]}
    plus = Edain(sign="plus").fit_weights(turned)
    np.testing.assert_allclose(plus.transform(X), minus.transform(X), rtol=1e-14)


def test_edain_reads_the_state_dict_of_the_published_class() -> None:
    state = {
        "outlier_removal.log_cutoff": FLOW["log_cutoff"],
        "bijector.0.log_cutoff": FLOW["log_cutoff"],
        "shift.shift": FLOW["shift"],
        "bijector.1.shift": FLOW["shift"],
        "scale.log_scale": FLOW["log_scale"],
        "bijector.2.log_scale": FLOW["log_scale"],
        "power_transform.lambd": FLOW["lambda"],
        "bijector.3.lambd": FLOW["lambda"],
    }
    with pytest.raises(InvalidInput, match="needs the weights running_mean"):
        Edain(sign="plus").fit_weights(state)
    whole = {**state, "running_mean": FLOW["running_mean"]}
    layer = Edain(sign="plus").fit_weights(whole)
    assert np.array_equal(layer.transform(X), Edain(sign="plus").fit_weights(FLOW).transform(X))
    with pytest.raises(InvalidInput, match="are one weight"):
        Edain(sign="plus").fit_weights({**whole, "bijector.1.shift": np.zeros(2)})


def test_edain_comes_back_within_the_reach_of_its_tanh() -> None:
    layer = Edain(sign="minus").fit_weights(FLOW)
    np.testing.assert_allclose(layer.inverse_transform(layer.transform(X)), X, rtol=1e-9)
    beyond = layer.inverse_to([[[100.0, 0.0], [0.0, np.nan]]])
    assert np.isnan(beyond["x"]).tolist() == [[[True, False], [False, True]]]
    assert beyond.flags["out_of_range"].tolist() == [[0, 0]]


def test_edain_local_depends_on_the_window_alone() -> None:
    weights = {name: array for name, array in FLOW.items() if name != "running_mean"}
    layer = Edain(variant="local", sign="minus").fit_weights(weights)
    y = layer.transform(X)
    assert np.array_equal(layer.transform(X[1:2]), y[1:2])
    x = X.copy()
    x[0, 2, 1] = np.nan
    kept = layer.transform(x)
    assert np.isnan(kept[0, 2, 1])
    assert np.array_equal(kept[:, :, 0], y[:, :, 0])


def test_dish_ts_missing_values_are_refused_with_their_place() -> None:
    weights = {"reduce_mlayer": np.full((2, 6, 2), 0.2), "gamma": [1.0, 1.0], "beta": [0.0, 0.0]}
    layer = DishTs().fit_weights(weights)
    x = X.copy()
    x[1, 3, 0] = np.nan
    with pytest.raises(NonFiniteError) as refused:
        layer.transform(x)
    assert refused.value.path == "input.x[1][3][0]"
    with pytest.raises(ShapeError, match="'x' has 5 for t"):
        layer.transform(X[:, :5])
    with pytest.raises(InvalidInput, match="gamma of 0"):
        DishTs().fit_weights({**weights, "gamma": [1.0, 0.0]})
