"""Forecasts back in the units of their windows."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import WindowZScore, errors
from normalizers.contract.answer import Options


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
    with pytest.raises(errors.InvalidInput, match="send y, std, variance, quantiles or samples"):
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
