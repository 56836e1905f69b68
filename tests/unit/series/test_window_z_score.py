"""Z-scores of windows: exactness, missing values, epsilons, layouts, and forecasts back."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import errors
from normalizers.answer import Options
from normalizers.series import WindowZScore

NAN = float("nan")
PAIR = np.array([[[1.0, 10.0], [2.0, 30.0], [6.0, 20.0]], [[0.0, 4.0], [5.0, 4.5], [1.0, 9.0]]])


def expected(windows: np.ndarray, ddof: int = 0) -> np.ndarray:
    mean = windows.mean(axis=1, keepdims=True)
    return (windows - mean) / windows.std(axis=1, ddof=ddof, keepdims=True)


@pytest.mark.parametrize("ddof", [0, 1])
def test_formula(ddof: int) -> None:
    answer = WindowZScore(ddof=ddof).apply_to(x=PAIR)
    assert answer["y"] == pytest.approx(expected(PAIR, ddof), rel=1e-14)
    assert answer["loc"] == pytest.approx(PAIR.mean(axis=1, keepdims=True))
    assert answer["scale"].shape == (2, 1, 2)
    assert answer.flags == {}


def test_scikit_learn_17794_a_constant_gives_exact_zeros() -> None:
    answer = WindowZScore().apply_to(x=[0.1] * 7)
    assert answer["y"].tolist() == [0.0] * 7
    assert answer["loc"].tolist() == [0.1]
    assert answer["scale"].tolist() == [1.0]
    assert answer.flags["constant"].tolist() == [[0, 0]]
    assert "low_precision" not in answer.flags


@pytest.mark.parametrize("factor", [1e-300, 1e-200, 1e-9, 1.0, 1e200, 1e300])
def test_any_magnitude_is_as_exact_as_another(factor: float) -> None:
    answer = WindowZScore().apply_to(x=np.array([1.0, -1.0, 3.0]) * factor)
    assert answer["y"] == pytest.approx([0.0, -(1.5**0.5), 1.5**0.5], rel=1e-12, abs=1e-15)


def test_a_large_offset_costs_no_digits() -> None:
    answer = WindowZScore().apply_to(x=[1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3])
    assert answer["y"] == pytest.approx(np.array([-3, -1, 1, 3]) / 5**0.5, rel=1e-14)


def test_pytorch_forecasting_1063_and_750_small_spreads_stay_true() -> None:
    spike = WindowZScore().transform([0.0] * 11 + [1e5])
    assert spike == pytest.approx([-(11**-0.5)] * 11 + [11**0.5], rel=1e-12)
    near = WindowZScore().transform([5.0, 5.0, 5.0, 5.0, 5.0000001])
    assert near == pytest.approx([-0.5, -0.5, -0.5, -0.5, 2.0], rel=1e-6)


def test_spreads_near_rounding_are_flagged() -> None:
    above = np.nextafter(1.0, 2.0)
    answer = WindowZScore().apply_to(x=[[1.0, above], [1.0, 2.0]], layout="NT")
    assert answer.flags["low_precision"].tolist() == [[0, 0]]
    assert np.isfinite(answer["y"]).all()
    tiny = WindowZScore().apply_to(x=[0.0, 5e-324])
    assert tiny.flags["low_precision"].tolist() == [[0, 0]]
    assert np.isfinite(tiny["y"]).all()


def test_chronos_193_and_autogluon_5013_statistics_are_float64() -> None:
    x = (1e9 + np.array([0, 64, 128, 192])).astype(np.float32)
    answer = WindowZScore().apply_to(x=x)
    assert answer["y"].dtype == np.float32
    assert answer["y"] == pytest.approx(np.array([-3, -1, 1, 3]) / 5**0.5, rel=1e-6)
    assert answer["loc"].dtype == answer["scale"].dtype == np.float64
    assert WindowZScore().transform(np.full(7, 0.1, np.float32)).tolist() == [0.0] * 7


def test_missing_values_are_left_out_and_stay_missing() -> None:
    answer = WindowZScore().apply_to(x=[[[1.0], [2.0], [4.0], [None]], [[1.0], [2.0], [3.0], [4]]])
    assert answer["y"][0, :3, 0] == pytest.approx(expected(np.array([[1.0, 2.0, 4.0]]))[0])
    assert np.isnan(answer["y"][0, 3, 0])
    assert answer.flags["missing"].tolist() == [[0, 0]]
    with pytest.raises(errors.NonFiniteError) as caught:
        WindowZScore(nan_policy="reject").apply_to(x=[[1.0, 2.0], [3.0, None]], layout="NT")
    assert caught.value.path == "input.x[1][1]"


def test_infinities_are_refused_with_their_place_in_the_request() -> None:
    with pytest.raises(errors.NonFiniteError) as caught:
        WindowZScore().apply_to(x=[[1.0, 2.0], [np.inf, 3.0]], layout="TC")
    assert caught.value.path == "input.x[1][0]"
    answer = WindowZScore(inf_policy="as_nan").apply_to(x=[1.0, np.inf, 3.0])
    assert answer["y"].tolist() == pytest.approx([-1.0, NAN, 1.0], nan_ok=True)


def test_neuralforecast_299_an_empty_window_leaves_its_neighbours_alone() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(4, 5, 2))
    mask = np.ones((4, 5, 2))
    mask[2] = 0
    answer = WindowZScore().apply_to(x=x, mask=mask)
    assert answer.flags["empty"].tolist() == [[2, 0], [2, 1]]
    assert answer["loc"][2].tolist() == [[0.0, 0.0]]
    assert answer["scale"][2].tolist() == [[1.0, 1.0]]
    assert np.isnan(answer["y"][2]).all()
    others = WindowZScore().transform(x[[0, 1, 3]])
    assert answer["y"][[0, 1, 3]].tobytes() == others.tobytes()


def test_a_window_depends_on_nothing_but_itself() -> None:
    x = np.random.default_rng(5).normal(size=(6, 9, 3))
    together = WindowZScore().transform(x)
    for index in range(6):
        assert (
            WindowZScore().transform(x[index : index + 1]).tobytes()
            == together[index : index + 1].tobytes()
        )


def test_masked_values() -> None:
    x, mask = [1.0, 2.0, 3.0, 100.0], [1, 1, 1, 0]
    hidden = WindowZScore().apply_to(x=x, mask=mask)
    assert hidden["y"].tolist() == pytest.approx([-(1.5**0.5), 0.0, 1.5**0.5, NAN], nan_ok=True)
    shown = WindowZScore(masked_output="transform").apply_to(x=x, mask=[True, True, True, False])
    assert shown["y"][3] == pytest.approx(98 * 1.5**0.5)
    assert "missing" not in shown.flags
    for bad in ([1, 1, 1, 2], [1, 1, 1, None], [1, 1, 1]):
        with pytest.raises(errors.InvalidInput):
            WindowZScore().apply_to(x=x, mask=bad)


def test_masks_in_nested_lists() -> None:
    answer = WindowZScore().apply_to(
        x=[[[1.0, 5.0], [3.0, 7.0]]], mask=[[[True, False], [True, True]]]
    )
    assert answer["y"][0, :, 0].tolist() == [-1.0, 1.0]
    assert answer.flags["missing"].tolist() == [[0, 1]]


def test_zeros_may_be_missing_and_stay_zero() -> None:
    answer = WindowZScore(mask_zero=True).apply_to(x=[0.0, 1.0, 3.0, 0.0])
    assert answer["y"].tolist() == [0.0, -1.0, 1.0, 0.0]
    assert answer["loc"].tolist() == [2.0]
    assert answer.flags == {}


def test_pytorch_forecasting_1321_one_value_without_a_spread() -> None:
    x = [[1.0, 2.0, 4.0], [7.0, NAN, NAN]]
    answer = WindowZScore(ddof=1).apply_to(x=x, layout="NT")
    assert answer.flags["insufficient"].tolist() == [[1, 0]]
    assert "constant" not in answer.flags
    assert (answer["loc"][1, 0], answer["scale"][1, 0]) == (7.0, 1.0)
    assert answer["y"][1, 0] == 0.0
    one = WindowZScore().apply_to(x=[7.0])
    assert one["y"].tolist() == [0.0]
    assert one.flags["constant"].tolist() == [[0, 0]]


@pytest.mark.parametrize(
    ("rule", "y", "loc"), [("scale_one", 0.0, 7.0), ("zero", 0.0, 7.0), ("identity", 7.0, 0.0)]
)
def test_too_few_values(rule: str, y: float, loc: float) -> None:
    answer = WindowZScore(ddof=1, on_few=rule).apply_to(x=[7.0])
    assert answer["y"].tolist() == [y]
    assert answer["loc"].tolist() == [loc]


def test_too_few_values_may_be_an_error() -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        WindowZScore(ddof=1, on_few="error").transform([7.0])
    assert caught.value.path == "params.on_few"


def test_a_floor_of_the_divisor() -> None:
    answer = WindowZScore(ddof=1, ddof_floor=1, eps=0.1, eps_mode="add_var").apply_to(x=[7.0])
    assert answer["scale"].tolist() == [pytest.approx(0.1**0.5)]
    assert "insufficient" not in answer.flags


@pytest.mark.parametrize(
    ("params", "y"),
    [
        ({}, 0.0),
        ({"on_constant": "zero"}, 0.0),
        ({"on_constant": "half"}, 0.5),
        ({"on_constant": "value"}, 0.0),
        ({"constant_value": -2.0}, -2.0),
        ({"on_constant": "keep"}, 5.0),
    ],
)
def test_constant_windows(params: dict[str, object], y: float) -> None:
    method = WindowZScore(**params)
    answer = method.apply_to(x=[5.0, None, 5.0])
    assert answer["y"].tolist() == pytest.approx([y, NAN, y], nan_ok=True)
    assert answer.flags["constant"].tolist() == [[0, 0]]
    back = method.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    assert back.tolist() == pytest.approx([5.0, NAN, 5.0], nan_ok=True)


def test_a_constant_may_be_an_error() -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        WindowZScore(on_constant="error").transform([1.0, 1.0])
    assert caught.value.path == "params.on_constant"


@pytest.mark.parametrize(
    ("mode", "constant", "other"),
    [
        ("add_var", 0.5, 1.25**0.5),
        ("add_std", 0.25, 1.25),
        ("floor", 0.25, 1.0),
        ("zero_to_one", 1.0, 1.0),
        ("zero_to_eps", 0.25, 1.0),
        ("zero_to_one_then_add", 1.25, 1.25),
        ("below_to_one", 1.0, 1.0),
    ],
)
def test_places_of_an_epsilon(mode: str, constant: float, other: float) -> None:
    answer = WindowZScore(eps=0.25, eps_mode=mode).apply_to(x=[[3.0, 3.0], [1.0, 3.0]], layout="NT")
    assert answer["scale"].reshape(-1) == pytest.approx([constant, other], rel=1e-15)
    assert answer["y"][0].tolist() == [0.0, 0.0]
    assert answer.flags["constant"].tolist() == [[0, 0]]


def test_on_constant_acts_where_the_scale_is_still_zero() -> None:
    answer = WindowZScore(eps=1e-5, eps_mode="add_std", constant_value=9.0).apply_to(x=[2.0, 2.0])
    assert answer["y"].tolist() == [0.0, 0.0]


def test_other_locations_and_spreads() -> None:
    x = [3.0, 4.0, 5.0]
    uncentred = WindowZScore(center="none").apply_to(x=x)
    assert uncentred["y"] == pytest.approx(np.array(x) / np.std(x))
    assert uncentred["loc"].tolist() == [0.0]
    rms = WindowZScore(center="none", scale="rms").apply_to(x=x)
    assert rms["scale"] == pytest.approx([(50 / 3) ** 0.5], rel=1e-15)
    assert WindowZScore(scale="none").transform(x).tolist() == [-1.0, 0.0, 1.0]
    huge = WindowZScore(scale="rms").apply_to(x=[3e300, 4e300])
    assert huge["scale"] == pytest.approx([12.5**0.5 * 1e300])


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({"eps": 1e-5}, "params.eps"),
        ({"eps": 1e-5, "eps_mode": "none"}, "params.eps"),
        ({"eps": -1.0, "eps_mode": "floor"}, "params.eps"),
        ({"eps": 1.0, "eps_mode": "floor", "scale": "none"}, "params.eps"),
        ({"ddof": -1}, "params.ddof"),
        ({"constant_value": 1.0, "on_constant": "keep"}, "params.constant_value"),
        ({"center": "median"}, "params.center"),
    ],
)
def test_parameters_that_are_refused(params: dict[str, object], path: str) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        WindowZScore(**params).transform([1.0, 2.0])
    assert caught.value.path == path


LAYOUTS = {
    "NTC": (PAIR, (2, 1, 2)),
    "NCT": (PAIR.transpose(0, 2, 1), (2, 2, 1)),
    "NT": (PAIR[:, :, 0], (2, 1)),
    "TC": (PAIR[0], (1, 2)),
    "T": (PAIR[0, :, 0], (1,)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("as_list", [False, True])
def test_answers_and_inverses_come_in_the_layout_of_the_request(layout: str, as_list: bool) -> None:
    x, shape = LAYOUTS[layout]
    method = WindowZScore()
    answer = method.apply_to(x=x.tolist() if as_list else x, layout=layout)
    assert answer["y"].shape == x.shape
    assert answer["loc"].shape == answer["scale"].shape == shape
    located = {"loc": answer["loc"], "scale": answer["scale"]}
    back = method.inverse_transform(answer["y"], **located, layout=layout)
    assert back == pytest.approx(x, rel=1e-14)
    time = layout.index("T")
    timeless = {name: np.squeeze(numbers, axis=time) for name, numbers in located.items()}
    back = method.inverse_transform(answer["y"], **timeless, layout=layout)
    assert back == pytest.approx(x, rel=1e-14)


def test_layouts_that_cannot_be_told_are_refused() -> None:
    with pytest.raises(errors.ShapeError, match=r"options\.layout NT or TC"):
        WindowZScore().transform(PAIR[0])
    with pytest.raises(errors.ShapeError):
        WindowZScore().transform(PAIR, layout="NT")
    with pytest.raises(errors.ShapeError):
        WindowZScore().transform(5.0)
    with pytest.raises(errors.InvalidParams):
        WindowZScore().transform(PAIR, layout="CTN")


def test_flags_name_window_and_channel_in_every_layout() -> None:
    x = np.array([[[1.0, 2.0], [3.0, 2.0]], [[4.0, NAN], [4.0, NAN]]])
    flags = {"constant": [[0, 1], [1, 0]], "empty": [[1, 1]], "missing": [[1, 1]]}
    for layout, axes in (("NTC", (0, 1, 2)), ("NCT", (0, 2, 1))):
        answer = WindowZScore().apply_to(x=x.transpose(axes), layout=layout)
        assert {name: where.tolist() for name, where in answer.flags.items()} == flags


@pytest.mark.parametrize(
    "fields",
    [
        {"x": [1.0, 3.0, 5.0, 5.0], "offsets": [0, 2, 2, 4]},
        {"x": [1.0, 3.0, 5.0, 5.0], "lengths": [2, 0, 2], "layout": "ragged"},
        {"x": [[1.0, 3.0], [], [5.0, 5.0]], "layout": "ragged"},
    ],
)
def test_ragged_series(fields: dict[str, object]) -> None:
    answer = WindowZScore().apply_to(**fields)
    parts = [part.tolist() for part in answer["y"]]
    assert parts == [[-1.0, 1.0], [], [0.0, 0.0]]
    assert answer["loc"].tolist() == [2.0, 0.0, 5.0]
    assert answer["scale"].tolist() == [1.0, 1.0, 1.0]
    assert answer.flags["empty"].tolist() == [[1, 0]]
    assert answer.flags["constant"].tolist() == [[2, 0]]


def test_ragged_series_come_back() -> None:
    method = WindowZScore()
    answer = method.apply_to(x=[1.0, 3.0, NAN, 5.0, 6.0], offsets=[0, 3, 5], mask=[1, 1, 1, 1, 1])
    assert answer.flags["missing"].tolist() == [[0, 0]]
    forecast = method.inverse_transform(
        [0.0, 1.0, -1.0], offsets=[0, 1, 3], loc=answer["loc"], scale=answer["scale"]
    )
    assert forecast.values.tolist() == [2.0, 6.0, 5.0]
    same = method.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    assert same.values.tolist() == pytest.approx([1.0, 3.0, NAN, 5.0, 6.0], nan_ok=True)
    with pytest.raises(errors.ShapeError, match=r"1 for n, but .y. has 2"):
        method.inverse_transform([0.0, 1.0], offsets=[0, 1, 2], loc=[1.0], scale=[1.0])


def test_points_spreads_and_quantiles_of_a_forecast() -> None:
    quantiles = np.array([[[-1.0, 1.5], [-0.5, 2.0]], [[-2.0, 1.0], [-3.0, 0.0]]])
    given = {
        "y": [[0.5, 1.0], [0.0, -1.0]],
        "loc": [10.0, -2.0],
        "scale": [2.0, 0.5],
        "std": [[0.3, 0.4], [1.0, 2.0]],
        "variance": [[0.09, 0.16], [1.0, 4.0]],
        "quantiles": quantiles,
        "levels": [0.1, 0.9],
    }
    answer = WindowZScore().version_.inverse(given, Options(layout="NT"))
    assert answer["x"].tolist() == [[11.0, 12.0], [-2.0, -2.5]]
    assert answer["std"] == pytest.approx(np.array([[0.6, 0.8], [0.5, 1.0]]))
    assert answer["variance"] == pytest.approx(np.array([[0.36, 0.64], [0.25, 1.0]]))
    assert answer["quantiles"][..., 0].tolist() == [[8.0, 9.0], [-3.0, -3.5]]
    assert answer["quantiles"][..., 1].tolist() == [[13.0, 14.0], [-1.5, -2.0]]
    alone = {"std": given["std"], "loc": given["loc"], "scale": given["scale"]}
    assert set(WindowZScore().version_.inverse(alone, Options(layout="NT")).output) == {"std"}


def test_quantiles_in_other_layouts() -> None:
    quantiles = np.arange(12.0).reshape(1, 3, 2, 2)
    located = {"loc": np.full((1, 1, 2), 1.0), "scale": np.full((1, 1, 2), 2.0)}
    plain = WindowZScore().version_.inverse({"quantiles": quantiles, **located})
    swapped = WindowZScore().version_.inverse(
        {
            "quantiles": quantiles.transpose(0, 2, 1, 3),
            **{name: numbers.transpose(0, 2, 1) for name, numbers in located.items()},
        },
        Options(layout="NCT"),
    )
    assert plain["quantiles"].tolist() == (quantiles * 2 + 1).tolist()
    assert swapped["quantiles"].transpose(0, 2, 1, 3).tolist() == plain["quantiles"].tolist()


def test_sktime_366_and_tslearn_466_an_inverse_needs_its_context() -> None:
    with pytest.raises(errors.InvalidInput, match="'loc' is missing: what was subtracted"):
        WindowZScore().inverse_transform([0.0, 1.0])
    with pytest.raises(errors.InvalidInput, match="send y, std, variance or quantiles"):
        WindowZScore().version_.inverse({"loc": [1.0], "scale": [1.0]})


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"scale": [0.0]}, "input.scale"),
        ({"scale": [-1.0]}, "input.scale"),
        ({"scale": [1.0, 1.0]}, "input.scale"),
        ({"std": [-1.0]}, "input.std"),
        ({"quantiles": [[1.0, 2.0]], "levels": [0.1, 1.9]}, "input.levels"),
        ({"quantiles": [[1.0, 2.0]], "levels": [0.1]}, "input.levels"),
        ({"y": [1e308], "scale": [1e300]}, "input.scale"),
    ],
)
def test_inverses_that_are_refused(changed: dict[str, object], path: str) -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        WindowZScore().version_.inverse({"y": [0.5], "loc": [1.0], "scale": [2.0], **changed})
    assert caught.value.path == path


def test_explain_gives_the_statistics() -> None:
    answer = WindowZScore().apply_to(x=[[1.0, 3.0], [NAN, NAN]], layout="NT", explain=True)
    assert answer.explain == {
        "n": [[[2]], [[0]]],
        "loc": [[[2.0]], [[0.0]]],
        "spread": [[[1.0]], [[None]]],
    }


def test_strict_makes_flags_errors() -> None:
    with pytest.raises(errors.InvalidInput, match="constant"):
        WindowZScore().apply_to(x=[1.0, 1.0], strict=True)


def test_no_windows_and_no_steps() -> None:
    assert WindowZScore().transform(np.empty((0, 3, 2))).shape == (0, 3, 2)
    empty = WindowZScore().apply_to(x=np.empty((2, 0, 1)))
    assert empty["y"].shape == (2, 0, 1)
    assert empty.flags["empty"].tolist() == [[0, 0], [1, 0]]


def test_inputs_are_not_modified() -> None:
    x = PAIR.copy()
    x.flags.writeable = False
    WindowZScore(constant_value=1.0, mask_zero=True).transform(x)
    big_endian = x.astype(">f8")[:, ::-1]
    assert WindowZScore().transform(big_endian) == pytest.approx(expected(PAIR[:, ::-1]))
