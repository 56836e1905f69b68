"""The laws of calibrators: order, direction, shards, magnitude."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from normalizers import (
    BetaCalibration,
    Isotonic,
    Logistic,
    NormalExponential,
    Platt,
    TemperatureScaling,
)
from normalizers.errors import FitError
from tests.properties.samples import EXAMPLES, GRID, POWERS

LABELLED = st.lists(st.tuples(GRID, st.booleans()), min_size=2, max_size=30)
ASKED = st.lists(GRID, min_size=1, max_size=12)
EVERY = [Platt, Logistic, Isotonic, BetaCalibration, TemperatureScaling]
every_calibrator = pytest.mark.parametrize("cls", EVERY, ids=lambda cls: cls.name)


def sent(cls, scores):
    values = np.array(scores, dtype=np.float64)
    return 1 / (1 + np.exp(-values / 100)) if cls is BetaCalibration else values


def fitted(cls, rows, **params):
    scores, labels = zip(*rows, strict=True)
    try:
        return cls(**params).fit(sent(cls, scores), labels=np.array(labels, dtype=np.float64))
    except FitError:
        assume(False)


@every_calibrator
@EXAMPLES
@given(LABELLED, ASKED)
def test_probabilities_are_finite_and_follow_one_direction(cls, rows, asked):
    calibrator = fitted(cls, rows)
    probabilities = calibrator.transform(sent(cls, sorted(asked)))
    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    steps = np.diff(probabilities)
    assert (steps >= 0).all() or (cls in (Platt, Logistic) and (steps <= 0).all())


@every_calibrator
@EXAMPLES
@given(LABELLED, st.integers(0, 30))
def test_shards_in_either_order_are_one_fit(cls, rows, cut):
    whole = fitted(cls, rows)
    x = sent(cls, [score for score, _ in rows])
    labels = np.array([label for _, label in rows], dtype=np.float64)
    halves = [cls().keeps["knots"].update(x[part], labels[part]) for part in (
        slice(None, cut), slice(cut, None),
    )]  # fmt: skip
    there, back = halves[0].merge(halves[1]), halves[1].merge(halves[0])
    assert there.to_arrays().keys() == back.to_arrays().keys()
    for knots in (there, back):
        merged = cls().fit_statistics(knots=knots.to_arrays())
        np.testing.assert_allclose(merged.transform(x), whole.transform(x), rtol=1e-9)


@pytest.mark.parametrize("cls", [Platt, Isotonic, TemperatureScaling], ids=lambda cls: cls.name)
@EXAMPLES
@given(LABELLED, ASKED, POWERS)
def test_a_power_of_two_changes_no_probability(cls, rows, asked, power):
    plain = fitted(cls, rows)
    scaled = fitted(cls, [(score * power, label) for score, label in rows])
    np.testing.assert_allclose(
        scaled.transform(np.array(asked) * power), plain.transform(asked), rtol=1e-9, atol=1e-12
    )


@EXAMPLES
@given(LABELLED, ASKED)
def test_isotonic_sees_nothing_but_the_order_of_the_sample(rows, asked):
    plain, cubed = fitted(Isotonic, rows), fitted(Isotonic, [(s**3, label) for s, label in rows])
    x = np.array([score for score, _ in rows])
    assert cubed.transform(x**3).tolist() == plain.transform(x).tolist()


@EXAMPLES
@given(LABELLED)
def test_no_line_is_likelier_than_platts(rows):
    calibrator = fitted(Platt, rows)
    x, labels = (np.array(column, dtype=np.float64) for column in zip(*rows, strict=True))
    positives, negatives = labels.sum(), (1 - labels).sum()
    targets = np.where(labels == 1, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    unit = max(float(np.ptp(x)), 1.0)

    def loss(a, b):
        t = a * x + b
        return (targets * np.logaddexp(0, -t) + (1 - targets) * np.logaddexp(0, t)).mean()

    a, b = float(calibrator.fitted_["a"]), float(calibrator.fitted_["b"])
    for shift in (-1e-3, 1e-3):
        assert loss(a, b) <= loss(a + shift / unit, b) + 1e-13
        assert loss(a, b) <= loss(a, b + shift) + 1e-13


@EXAMPLES
@given(
    st.floats(0.01, 0.99), st.floats(-50, 50), st.floats(0.1, 20), st.floats(0.01, 5),
    st.floats(-50, 50), st.lists(st.floats(-200, 200), min_size=2, max_size=20),
)  # fmt: skip
def test_a_capped_mixture_is_monotone_and_never_below_the_plain_one(
    pi, mu, sigma, rate, loc, asked
):
    numbers = {"pi": pi, "mu": mu, "sigma": sigma, "rate": rate, "loc": loc}
    scores = sorted(asked)
    plain = NormalExponential(**numbers).transform(scores)
    capped = NormalExponential(**numbers, monotone=True).transform(scores)
    assert (np.diff(capped) >= 0).all()
    assert (capped >= plain - 1e-12).all()
