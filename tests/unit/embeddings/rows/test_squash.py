"""Curves that squash numbers, and their ways back."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Squash
from normalizers.errors import InvalidParams

X = np.random.default_rng(1).normal(size=(6, 4))


@pytest.mark.parametrize("variant", ["tanh", "erf", "log1p"])
def test_numbers_come_back(variant: str) -> None:
    method = Squash(variant=variant)
    np.testing.assert_allclose(method.inverse_transform(method.transform(X)), X, rtol=1e-12)


def test_what_no_number_gives_is_missing() -> None:
    answer = Squash().inverse_to([[0.5, 1.0], [0.0, 0.5]])
    assert np.isnan(answer.output["x"][0, 1])
    assert answer.flags["out_of_range"].tolist() == [0]


def test_pairs_of_a_circle() -> None:
    z = np.array([[0.0, 0.25], [1.0, 0.75]])
    method = Squash(variant="cos_sin")
    answer = method.apply_to(z)
    assert answer.output["y"].shape == (2, 4)
    np.testing.assert_allclose(
        answer.output["y"][:, :2] ** 2 + answer.output["y"][:, 2:] ** 2, 1.0, rtol=1e-15
    )
    np.testing.assert_allclose(method.inverse_transform(answer.output["y"]), z, atol=1e-15)
    warned = method.apply_to([[1.5, 0.0]]).warnings
    assert [noted.code for noted in warned] == ["outside_unit_interval"]


@pytest.mark.parametrize(
    ("params", "what"),
    [
        ({"gamma": 0.0}, "leaves no range"),
        ({"variant": "log1p", "alpha": 1.0}, "has no alpha"),
        ({"s": 1.0}, "has no s"),
    ],
)
def test_numbers_of_another_curve_are_refused(params: dict[str, object], what: str) -> None:
    with pytest.raises(InvalidParams, match=what):
        Squash(**params).transform(X)
