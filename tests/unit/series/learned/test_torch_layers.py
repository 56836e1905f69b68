"""Layers of torch and the methods that serve them: the same numbers, from the same names."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import sys

import numpy as np
import pytest

from normalizers import Bin, Dain, DishTs, Edain, Revin
from normalizers.errors import MissingDependency
from normalizers.normalizer import Normalizer

X = np.random.default_rng(5).normal(3.0, 2.0, size=(4, 6, 3))
C, T = X.shape[2], X.shape[1]


def test_without_torch_the_layers_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("normalizers.series.torch")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingDependency, match=r"pip install 'normd\[torch\]'"):
        importlib.import_module("normalizers.series.torch")


@pytest.fixture(scope="module")
def torch():
    found = pytest.importorskip("torch", reason="torch is not installed")
    found.manual_seed(11)
    return found


@pytest.fixture(scope="module")
def layers(torch):
    return importlib.import_module("normalizers.series.torch")


CASES = {
    "RevIN": ((C,), Revin(affine=True)),
    "BiN paper": ((C, T, "paper"), Bin(variant="paper")),
    "BiN mlproject": ((C, T, "mlproject"), Bin(variant="mlproject")),
    "DAIN full": ((C, "full"), Dain()),
    "DAIN adaptive_scale": ((C, "adaptive_scale"), Dain(variant="adaptive_scale")),
    "DAIN adaptive_avg": ((C, "adaptive_avg"), Dain(variant="adaptive_avg")),
    "EDAIN global": ((C, "global", True, "exp"), Edain(sign="minus", residual=True, cutoff="exp")),
    "EDAIN local": ((C, "local"), Edain(variant="local", sign="minus")),
    "DishTS": ((C, T), DishTs()),
}


def shaken(torch, layer):
    """Return a layer in double precision whose parameters are no longer those it begins with."""
    layer = layer.double()
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter += 0.2 * torch.rand_like(parameter)
    return layer


@pytest.mark.parametrize("case", CASES)
def test_torch_layer_and_method_give_the_same_numbers(torch, layers, case: str) -> None:
    arguments, method = CASES[case]
    layer = shaken(torch, getattr(layers, case.split()[0])(*arguments))
    if case == "EDAIN global":
        layer(torch.tensor(X))
        layer.eval()
    fitted = method.fit_weights(layer.state_dict())
    with torch.no_grad():
        np.testing.assert_allclose(fitted.transform(X), layer(torch.tensor(X)), rtol=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_torch_gradients_of_constant_channels_and_steps_are_finite(torch, layers, case) -> None:
    x = X.copy()
    x[0, :, 1], x[1, 2], x[2] = 0.1, 0.1, 0.0
    given = torch.tensor(x, requires_grad=True)
    layer = shaken(torch, getattr(layers, case.split()[0])(*CASES[case][0]))
    (layer(given) ** 2).sum().backward()
    found = [given.grad, *(parameter.grad for parameter in layer.parameters())]
    assert all(torch.isfinite(gradient).all() for gradient in found)


@pytest.mark.parametrize("case", ["RevIN", "DishTS"])
def test_torch_forecasts_come_back_as_the_method_leads_them_back(torch, layers, case) -> None:
    layer = shaken(torch, getattr(layers, case)(*CASES[case][0]))
    method: Normalizer = CASES[case][1].fit_weights(layer.state_dict())
    forecast = np.linspace(-1, 1, 4 * 2 * C).reshape(4, 2, C)
    answer = method.apply_to(X)
    names = ("loc", "scale") if case == "RevIN" else ("forecast_loc", "forecast_scale")
    expected = method.inverse_transform(forecast, **{name: answer[name] for name in names})
    with torch.no_grad():
        scaled = layer.scaled(torch.tensor(X))
        window = scaled if case == "RevIN" else scaled[1]
        np.testing.assert_allclose(layer.restored(torch.tensor(forecast), window), expected)


def test_torch_edain_keeps_the_mean_of_all_windows_it_was_trained_on(torch, layers) -> None:
    layer = layers.EDAIN(C).double()
    for part in (X[:1], X[1:]):
        layer(torch.tensor(part))
    layer.eval()(torch.tensor(10 * X))
    found = layer.state_dict()["outlier_removal.running_mean"]
    np.testing.assert_allclose(found, X.mean((0, 1)), rtol=1e-12)


def test_torch_dain_has_the_rates_of_its_authors(torch, layers) -> None:
    groups = layers.DAIN(C).parameter_groups(1e-3)
    assert [group["lr"] for group in groups] == pytest.approx([1e-9, 1e-6, 1e-2])
    torch.optim.SGD(groups, lr=1e-3)


def test_torch_bin_shares_of_the_paper_are_kept_from_going_below_0(torch, layers) -> None:
    layer = layers.BiN(C, T, "paper")
    with torch.no_grad():
        layer.lambda_time -= 2.0
    layer.constrained_()
    assert layer.lambda_time.item() == 0.0
    Bin(variant="paper").fit_weights(layer.state_dict())


def test_torch_examples_run(layers) -> None:
    for module in pkgutil.iter_modules(layers.__path__, f"{layers.__name__}."):
        assert doctest.testmod(importlib.import_module(module.name)).failed == 0, module.name
