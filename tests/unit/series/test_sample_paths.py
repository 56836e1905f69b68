"""Sample paths of probabilistic forecasts on the way back: each is a forecast of its own."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import (
    BoxCox,
    Dain,
    Difference,
    DishTs,
    Log,
    LogReturn,
    RollingZScore,
    Seasonal,
    WindowRobustArcsinh,
    WindowZScore,
    errors,
)
from normalizers.normalizer import Normalizer

RNG = np.random.default_rng(7)
X = RNG.normal(5.0, 1.0, size=(2, 6, 3)) ** 2
PATHS = RNG.normal(size=(2, 5, 4, 3)) / 10
EYE = {"mean_layer.weight": np.eye(3), "scaling_layer.weight": np.eye(3)}
LEVELS = {"reduce_mlayer": np.full((3, 6, 2), 0.2), "gamma": [2.0] * 3, "beta": [1.0] * 3}


def led_back(method: Normalizer, samples: np.ndarray, beside: dict[str, object]) -> np.ndarray:
    return method.inverse_to(samples=samples, **beside)["samples"]


@pytest.mark.parametrize(
    "method",
    [
        WindowZScore(),
        WindowRobustArcsinh(),
        RollingZScore(window=3),
        Difference(lag=2),
        LogReturn(),
        Seasonal(period=2, scope="past"),
        Log(),
        BoxCox(lam=0.5),
        Dain(variant="adaptive_scale").fit_weights(EYE),
        DishTs().fit_weights(LEVELS),
    ],
    ids=repr,
)
def test_a_path_comes_back_as_it_would_alone(method: Normalizer) -> None:
    answer = method.apply_to(X)
    wanted = method.version_.inverse_takes.keys() & answer.output.keys()
    beside = {name: answer[name] for name in wanted - {"y"}}
    if isinstance(method, RollingZScore):
        beside = {name: array[:, -1:] for name, array in beside.items()}
    back = led_back(method, PATHS, beside)
    assert back.shape == PATHS.shape
    for path in range(PATHS.shape[1]):
        alone = method.inverse_transform(PATHS[:, path], **beside)
        np.testing.assert_array_equal(back[:, path], alone)
    # A new state follows on one forecast, and none on many.
    both = method.inverse_to(y=PATHS[:, 0], samples=PATHS, **beside)
    np.testing.assert_array_equal(both["x"], back[:, 0])


def test_paths_stand_behind_the_windows_in_every_layout() -> None:
    expected = WindowZScore().apply_to(X)
    back = led_back(WindowZScore(), PATHS, {name: expected[name] for name in ("loc", "scale")})
    cases = {"NT": (X[..., 0], PATHS[..., 0]), "NCT": (X.swapaxes(1, 2), PATHS.swapaxes(2, 3)),
             "T": (X[0, :, 0], PATHS[0, :, :, 0]), "TC": (X[0], PATHS[0])}  # fmt: skip
    found = {}
    for layout, (x, samples) in cases.items():
        answer = WindowZScore().apply_to(x, layout=layout)
        beside = {name: answer[name] for name in ("loc", "scale")}
        found[layout] = led_back(WindowZScore(), samples, {**beside, "layout": layout})
    np.testing.assert_array_equal(found["NT"], back[..., 0])
    np.testing.assert_array_equal(found["NCT"], back.swapaxes(2, 3))
    np.testing.assert_array_equal(found["T"], back[0, :, :, 0])
    np.testing.assert_array_equal(found["TC"], back[0])


def test_a_path_is_no_median_so_that_no_bias_is_adjusted() -> None:
    back = led_back(Log(bias_adjust="lognormal"), PATHS, {})
    np.testing.assert_allclose(back, np.exp(PATHS))


def test_what_is_lost_on_a_path_is_flagged_of_its_window() -> None:
    samples = PATHS.copy()
    samples[1, 3, 0, 2] = -100.0
    answer = BoxCox(lam=0.5).inverse_to(samples=samples)
    assert answer.flags["out_of_range"].tolist() == [[1, 2]]
    assert np.isnan(answer["samples"][1, 3, 0, 2])


def test_paths_of_other_windows_or_of_ragged_series_are_refused() -> None:
    answer = WindowZScore().apply_to(X)
    with pytest.raises(errors.ShapeError):
        led_back(WindowZScore(), PATHS[:1], {name: answer[name] for name in ("loc", "scale")})
    with pytest.raises(errors.ShapeError, match="ragged"):
        led_back(
            WindowZScore(), [[1.0], [2.0]], {"loc": [0, 1], "scale": [1, 1], "layout": "ragged"}
        )
    with pytest.raises(errors.IncompatibleState):
        led_back(Difference(), PATHS[:1], {"state": Difference().apply_to(X)["state"]})
