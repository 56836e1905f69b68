"""Laws of whitening: rotation, scale, shift, what the whitened rows look like."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from normalizers import Whitening
from tests.properties.samples import EXAMPLES, SEEDS, rotation

ROWS, DIMS = 60, 4
DEVIATIONS = np.array([4.0, 2.0, 1.0, 0.5])
BOUND = 1e-9
FULL = {"eps": 0.0, "shrinkage": "none"}
SOFT = {"eps_rel": 1.0, "shrinkage": "oas"}
SOFTER = {"strength": 0.5, "shrinkage": 0.25}
STRENGTHS = pytest.mark.parametrize("strength", [FULL, SOFT, SOFTER], ids=["full", "soft", "half"])
SIZES = st.sampled_from([1e-100, 1e-7, 3.0, 1e6, 1e100])


def rows_of(seed):
    rng = np.random.default_rng(seed)
    return rng, rng.normal(size=(ROWS, DIMS)) @ np.diag([4.0, 2.0, 1.0, 0.5]) + rng.normal(
        size=DIMS
    )


def gram(y):
    return y @ y.T


@STRENGTHS
@EXAMPLES
@given(seed=SEEDS)
def test_zca_turns_with_the_rows(strength, seed) -> None:
    rng, x = rows_of(seed)
    turn = rotation(rng, DIMS)
    turned = Whitening(variant="zca", **strength).fit_transform(x @ turn)
    expected = Whitening(variant="zca", **strength).fit_transform(x) @ turn
    np.testing.assert_allclose(turned, expected, atol=BOUND)


@STRENGTHS
@EXAMPLES
@given(seed=SEEDS, size=SIZES)
def test_the_unit_of_the_rows_does_not_matter(strength, seed, size) -> None:
    _, x = rows_of(seed)
    power = 2 * (1 - strength.get("strength", 1.0))
    scaled = Whitening(variant="zca", **strength).fit_transform(x * size)
    expected = Whitening(variant="zca", **strength).fit_transform(x) * size ** (power / 2)
    np.testing.assert_allclose(scaled, expected, rtol=BOUND, atol=BOUND * np.abs(expected).max())


@STRENGTHS
@EXAMPLES
@given(seed=SEEDS)
def test_a_shift_of_all_rows_does_not_matter(strength, seed) -> None:
    rng, x = rows_of(seed)
    shifted = Whitening(**strength).fit_transform(x + 100 * rng.normal(size=DIMS))
    np.testing.assert_allclose(shifted, Whitening(**strength).fit_transform(x), atol=BOUND)


@STRENGTHS
@EXAMPLES
@given(seed=SEEDS)
def test_pca_and_zca_differ_by_a_rotation(strength, seed) -> None:
    _, x = rows_of(seed)
    zca, pca = (Whitening(variant=v, **strength).fit_transform(x) for v in ("zca", "pca"))
    np.testing.assert_allclose(gram(zca), gram(pca), atol=BOUND * np.abs(gram(zca)).max())


@EXAMPLES
@given(seed=SEEDS, variant=st.sampled_from(["zca", "pca"]))
def test_whitened_rows_have_unit_covariance(seed, variant) -> None:
    _, x = rows_of(seed)
    y = Whitening(variant=variant, **FULL).fit_transform(x)
    np.testing.assert_allclose(np.cov(y.T), np.eye(DIMS), atol=BOUND)
    np.testing.assert_allclose(y.mean(axis=0), 0, atol=BOUND)


@EXAMPLES
@given(seed=SEEDS)
def test_whitening_what_is_white_changes_nothing(seed) -> None:
    _, x = rows_of(seed)
    y = Whitening(variant="zca", **FULL).fit_transform(x)
    np.testing.assert_allclose(Whitening(variant="zca", **FULL).fit_transform(y), y, atol=BOUND)


@STRENGTHS
@EXAMPLES
@given(seed=SEEDS, variant=st.sampled_from(["zca", "pca"]))
def test_rows_come_back(strength, seed, variant) -> None:
    rng, x = rows_of(seed)
    method = Whitening(variant=variant, **strength).fit(x)
    given_rows = 5 * rng.normal(size=(7, DIMS))
    back = method.inverse_transform(method.transform(given_rows))
    np.testing.assert_allclose(back, given_rows, atol=BOUND)


@EXAMPLES
@given(seed=SEEDS, kept=st.integers(1, DIMS))
def test_going_there_and_back_is_a_projection(seed, kept) -> None:
    _, x = rows_of(seed)
    method = Whitening(n_components=kept, **FULL).fit(x)
    once = method.inverse_transform(method.transform(x))
    again = method.inverse_transform(method.transform(once))
    np.testing.assert_allclose(again, once, atol=BOUND)
