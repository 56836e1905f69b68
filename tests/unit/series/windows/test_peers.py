"""What forecasting libraries do, each as a preset, beside its own formula."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from normalizers import GroupZScore, WindowZScore
from normalizers.catalogue.catalogue import CATALOGUE

Scale = tuple[float, float]
EPS16, EPS64 = float(np.finfo(np.float16).eps), float(np.finfo(np.float64).eps)
MAD_FALLBACK = 0.6744897501960817
SAMPLES = {
    "spread": np.array([1.0, 2.0, 4.0, 8.0]),
    "small": np.array([1.0, 2.0, 4.0, 8.0]) * 1e-9,
    "constant": np.full(4, 5.0),
    "zeros": np.zeros(4),
}


def one(scale: float) -> float:
    """Return 1 in the place of 0, as scikit-learn does."""
    return scale if scale else 1.0


def lower_median(x: np.ndarray) -> float:
    return float(np.sort(x)[(len(x) - 1) // 2])


def robust(x: np.ndarray) -> Scale:
    centre = lower_median(x)
    mad = lower_median(np.abs(x - centre))
    return centre, one(mad or MAD_FALLBACK * x.std()) + 1e-6


def quartiles(x: np.ndarray) -> float:
    return float(np.subtract(*np.quantile(x, [0.75, 0.25])))


PEERS: dict[tuple[str, str], Callable[[np.ndarray], Scale]] = {
    ("window_z_score", "gluonts"): lambda x: (x.mean(), np.sqrt(x.var() + 1e-5)),
    ("window_z_score", "neuralforecast"): lambda x: (x.mean(), one(x.std()) + 1e-6),
    ("window_z_score", "coreforecast"): lambda x: (x.mean(), one(x.std())),
    ("window_z_score", "darts"): lambda x: (x.mean(), one(x.std())),
    ("window_z_score", "sktime"): lambda x: (x.mean(), one(x.std())),
    ("window_z_score", "tslearn"): lambda x: (x.mean(), one(x.std())),
    ("window_z_score", "pytorch_forecasting"): lambda x: (x.mean(), x.std(ddof=1) + EPS64),
    ("window_z_score", "timesfm"): lambda x: (x.mean(), 1.0 if x.std() < 1e-6 else x.std()),
    ("window_z_score", "chronos"): lambda x: (x.mean(), x.std() or 1e-5),
    ("window_min_max", "minmax1"): lambda x: (x.min(), one(np.ptp(x))),
    ("window_min_max", "neuralforecast"): lambda x: (x.min(), one(np.ptp(x)) + 1e-6),
    ("window_min_max", "coreforecast"): lambda x: (x.min(), one(np.ptp(x))),
    ("window_min_max", "darts"): lambda x: (x.min(), one(np.ptp(x))),
    ("window_min_max", "sktime"): lambda x: (x.min(), one(np.ptp(x))),
    ("window_min_max", "tslearn"): lambda x: (x.min(), one(np.ptp(x))),
    ("window_robust", "neuralforecast"): robust,
    ("window_robust", "sktime"): lambda x: (np.median(x), one(quartiles(x))),
    ("window_robust", "pytorch_forecasting"): lambda x: (np.median(x), quartiles(x) / 2 + EPS64),
    ("window_robust_arcsinh", "neuralforecast"): robust,
    ("window_z_score_arcsinh", "chronos"): lambda x: (x.mean(), x.std() or 1e-5),
    ("mean_scale", "gluonts"): lambda x: (0.0, max(np.abs(x).mean(), 1e-10)),
    ("mean_scale", "chronos"): lambda x: (0.0, one(np.abs(x).mean())),
}
CURVED = {"window_robust_arcsinh": np.arcsinh, "window_z_score_arcsinh": np.arcsinh}
STRETCHED = {("window_min_max", "minmax1"): lambda z: 2 * z - 1}


@pytest.mark.parametrize("x", SAMPLES.values(), ids=SAMPLES)
@pytest.mark.parametrize(("name", "preset"), PEERS)
def test_a_preset_is_the_formula_of_the_peer(name: str, preset: str, x: np.ndarray) -> None:
    loc, scale = PEERS[name, preset](x)
    answer = CATALOGUE.create(name, {"preset": preset}).apply_to(x=x)
    assert answer["loc"][0] == pytest.approx(loc, rel=1e-12)
    assert answer["scale"][0] == pytest.approx(scale, rel=1e-12)
    z = CURVED.get(name, np.asarray)((x - loc) / scale)
    expected = STRETCHED.get((name, preset), np.asarray)(z)
    np.testing.assert_allclose(answer["y"], expected, rtol=1e-9, atol=1e-15)


def test_every_preset_of_a_window_is_written_down_here() -> None:
    windows = [cls for cls in CATALOGUE.values() if cls.__module__.split(".")[-2] == "windows"]
    known = {(cls.name, preset) for cls in windows for preset in cls.presets}
    assert known == PEERS.keys()


def test_peers_transform_what_a_mask_hides() -> None:
    x, mask = [1.0, 2.0, 100.0], [1, 1, 0]
    for preset in ("gluonts", "neuralforecast"):
        method = CATALOGUE.create("window_z_score", {"preset": preset})
        assert method.apply_to(x=x, mask=mask)["y"][2] > 100
    assert np.isnan(WindowZScore().apply_to(x=x, mask=mask)["y"][2])


def test_pytorch_forecasting_keeps_a_scaler_for_each_series() -> None:
    x, ids = np.array([1.0, 2.0, 4.0, 10.0, 30.0, 7.0]), ["a", "a", "a", "b", "b", "c"]
    method = CATALOGUE.create("group_z_score", {"preset": "pytorch_forecasting"}).fit(x, groups=ids)
    expected = (2.0 - x[:3].mean()) / (x[:3].std(ddof=1) + EPS16)
    assert method.transform([2.0], groups=["a"])[0] == pytest.approx(expected, rel=1e-12)
    # A new series has the medians over the fitted ones; one of a single step is centred.
    assert np.isfinite(method.transform([2.0], groups=["new"])).all()
    assert method.transform([7.0], groups=["c"]).tolist() == [0.0]


def test_one_scaler_a_series_is_a_preset() -> None:
    x, ids = np.array([1.0, 2.0, 4.0, 7.0]), ["a", "a", "a", "b"]
    method = CATALOGUE.create("group_z_score", {"preset": "per_series"}).fit(x, groups=ids)
    assert isinstance(method, GroupZScore)
    y = method.transform(x, groups=ids)
    np.testing.assert_allclose(y, [*(x[:3] - x[:3].mean()) / x[:3].std(), 0.0], rtol=1e-12)
    for name in ("group_min_max", "group_robust"):
        other = CATALOGUE.create(name, {"preset": "per_series"}).fit(x, groups=ids)
        assert np.isfinite(other.transform(x, groups=ids)).all()
