"""Normal-exponential: the posterior, its cap, the search for its numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import expon, norm

from normalizers import NormalExponential, errors
from normalizers.versions import fitting
from tests.unit.scores.calibration.samples import NAN, codes

GIVEN = {"pi": 0.1, "mu": 14.0, "sigma": 4.0, "rate": 0.25, "loc": 0.0}
RNG = np.random.default_rng(3)
SAMPLE = np.concatenate([RNG.normal(14, 2, 300), RNG.exponential(4, 2700)])


def test_the_posterior_of_given_numbers() -> None:
    scores = np.array([0.0, 3.0, 7.0, 14.0, 22.0, 38.0])
    f, g = 0.1 * norm.pdf(scores, 14, 4), 0.9 * expon.pdf(scores, 0, 4)
    found = NormalExponential(**GIVEN).transform(scores)
    np.testing.assert_allclose(found, f / (f + g), rtol=1e-12)


def test_the_plain_form_falls_again_and_the_capped_one_does_not() -> None:
    scores = np.linspace(-40, 80, 500)
    plain = NormalExponential(**GIVEN).transform(scores)
    capped = NormalExponential(**GIVEN, monotone=True).transform(scores)
    assert (np.diff(plain) < 0).any()
    np.testing.assert_allclose(capped, np.maximum.accumulate(plain), rtol=1e-3)
    assert (np.diff(capped) >= 0).all()
    rising = (scores > 0) & (scores < 14 + 0.25 * 16)
    assert capped[rising].tolist() == plain[rising].tolist()


@pytest.mark.parametrize("mu", [-5.0, -1.0, 0.5])
def test_the_cap_holds_with_the_normal_part_below_the_start(mu) -> None:
    scores = np.linspace(-30, 60, 4000)
    given = {**GIVEN, "mu": mu, "sigma": 1.0}
    plain = NormalExponential(**given).transform(scores)
    capped = NormalExponential(**given, monotone=True).transform(scores)
    np.testing.assert_allclose(capped, np.maximum.accumulate(plain), rtol=1e-2)


def test_the_search_finds_the_numbers_behind_a_sample() -> None:
    fit = NormalExponential().fit(SAMPLE)
    mixture = fit.report_["mixture"]
    assert mixture["pi"] == pytest.approx(0.1, abs=0.02)
    assert mixture["mu"] == pytest.approx(14, abs=0.3)
    assert mixture["sigma"] == pytest.approx(2, abs=0.3)
    assert mixture["rate"] == pytest.approx(0.25, abs=0.02)
    assert fit.report_["n"] == 3000
    assert codes(fit) == {"falls_again"}
    assert codes(NormalExponential(monotone=True).fit(SAMPLE)) == set()
    density = mixture["pi"] * norm.pdf(SAMPLE, mixture["mu"], mixture["sigma"])
    density += (1 - mixture["pi"]) * expon.pdf(SAMPLE, mixture["loc"], 1 / mixture["rate"])
    assert fit.report_["log_likelihood"] == pytest.approx(np.log(density).mean(), rel=1e-9)


def test_given_numbers_stay_and_the_rest_is_fitted() -> None:
    mixture = NormalExponential(mu=12.0, loc=-1.0, sigma=3.0).fit(SAMPLE).report_["mixture"]
    assert (mixture["mu"], mixture["loc"], mixture["sigma"]) == (12.0, -1.0, 3.0)
    assert 0 < mixture["pi"] < 0.3


@pytest.mark.parametrize("exponent", [-990, 990])
def test_any_magnitude_gives_the_same_probabilities(exponent) -> None:
    plain = NormalExponential().fit(SAMPLE).transform([1.0, 9.0, 15.0])
    scaled = NormalExponential().fit(np.ldexp(SAMPLE, exponent))
    found = scaled.transform(np.ldexp([1.0, 9.0, 15.0], exponent))
    np.testing.assert_allclose(found, plain, rtol=1e-9)


def test_lower_is_better_mirrors() -> None:
    mirrored = NormalExponential(higher_is_better=False).fit(-SAMPLE)
    plain = NormalExponential().fit(SAMPLE)
    assert mirrored.transform([-9.0, -15.0]).tolist() == plain.transform([9.0, 15.0]).tolist()
    assert mirrored.report_["range"] == [-SAMPLE.max(), -SAMPLE.min()]


def test_shards_give_the_bits_of_one_fit_in_any_order() -> None:
    whole = NormalExponential().fit(SAMPLE)
    shards = [NormalExponential().fit(part) for part in np.array_split(SAMPLE[::-1], 4)]
    merged = shards[2].merge(shards[0], shards[3], shards[1])
    assert merged.report_["mixture"] == whole.report_["mixture"]


def test_what_cannot_be_fitted_is_refused() -> None:
    with pytest.raises(errors.FitError, match="all scores are equal"):
        NormalExponential().fit([2.0, 2.0])
    with pytest.raises(errors.FitError, match="below 'loc'"):
        NormalExponential(loc=1.0).fit([0.0, 2.0, 3.0])
    with pytest.raises(errors.FitError, match="sample_limit"):
        NormalExponential(sample_limit=2).fit([0.0, 2.0, 3.0])
    with pytest.raises(errors.UnsupportedOperation):
        fitting.fit(NormalExponential(**GIVEN), {"scores": [1.0, 2.0]})
    with pytest.raises(errors.FitError, match="too far"):
        NormalExponential(mu=1e300).fit([0.0, 2.0, 3.0])
    with pytest.raises(errors.NotFitted):
        NormalExponential(mu=1.0).transform([1.0])


def test_a_normal_part_that_shrinks_is_told() -> None:
    assert "narrow_normal" in codes(NormalExponential().fit([0.0, 0.5, 1.0, 9.0, 9.0, 9.0, 9.0]))


def test_missing_scores_and_the_range() -> None:
    fit = NormalExponential(nan_policy="omit").fit([NAN, *SAMPLE])
    answer = fit.apply_to(scores=[[NAN, 99.0], [3.0]])
    assert answer.flags["missing"].tolist() == [[0, 0]]
    assert answer.flags["out_of_range"].tolist() == [[0, 1]]
    assert "out_of_range" not in (NormalExponential(**GIVEN).apply_to([99.0]).report or {})
    explained = NormalExponential(**GIVEN).apply_to(scores=[1.0], explain=True).explain
    assert explained == GIVEN
