"""Gamma distribution function: fit, direction, scores without a logarithm, constants."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from normalizers import GammaCdf, errors
from normalizers.versions import fitting

SCORES = [2.1518, 0.7024, 3.1231, 11.707, 10.5122, 4.0199]


def peer(scores: list[float], at: list[float]) -> np.ndarray:
    shape, _, scale = stats.gamma.fit(scores, floc=0)
    return stats.gamma.cdf(at, shape, 0, scale)


def test_a_list_and_a_sample_agree_with_scipy() -> None:
    at = [0.5, 2.0, 40.0]
    np.testing.assert_allclose(GammaCdf().transform(SCORES), peer(SCORES, SCORES), rtol=1e-6)
    np.testing.assert_allclose(GammaCdf().fit(SCORES).transform(at), peer(SCORES, at), rtol=1e-6)


def test_a_distance_gets_the_share_above() -> None:
    values = GammaCdf(higher_is_better=False).transform(SCORES)
    np.testing.assert_allclose(values, 1 - GammaCdf().transform(SCORES), rtol=1e-12)


def test_a_fit_refuses_scores_that_are_not_positive() -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        GammaCdf().fit([[1.0, 2.0], [3.0, 0.0]])
    assert caught.value.path == "fit.scores[1][1]"


def test_scores_that_are_not_positive_give_the_lower_end() -> None:
    values = GammaCdf().transform([4.0, 1.0, 0.0, -2.0])
    assert values[2:].tolist() == [0.0, 0.0]
    np.testing.assert_allclose(values[:2], GammaCdf().transform([4.0, 1.0]))
    assert GammaCdf().fit(SCORES).transform([-1.0]).tolist() == [0.0]
    assert GammaCdf(higher_is_better=False).fit(SCORES).transform([-1.0]).tolist() == [1.0]
    with pytest.raises(errors.InvalidInput, match="positive") as caught:
        GammaCdf().transform([[1.0, 2.0], [-1.0, -2.0]])
    assert caught.value.path == "input.scores[1]"


@pytest.mark.parametrize("offset", [1.0, 1e6, 1e12])
def test_nearly_equal_scores_still_have_a_distribution(offset: float) -> None:
    values = GammaCdf().transform([offset, offset + 1e-3, offset + 2e-3])
    assert 0 < values[0] < values[1] < values[2] < 1


def test_a_sample_without_spread_is_a_step() -> None:
    method = GammaCdf().fit([3.0, 3.0])
    answer = method.apply_to(scores=[2.0, 3.0, 4.0])
    assert answer["values"].tolist() == [0.0, 0.5, 1.0]
    assert answer.flags["constant"].tolist() == [0]
    assert method.inverse_transform([0.5]).tolist() == [3.0]
    half = GammaCdf(constant_value=0.5).fit([3.0])
    assert half.transform([2.0, 4.0]).tolist() == [0.5, 0.5]


def test_moments_of_scores_and_logarithms_suffice() -> None:
    logs = np.log(SCORES)
    moments = {
        "n": len(SCORES),
        "mean": [np.mean(SCORES), logs.mean()],
        "variance": [np.var(SCORES), logs.var()],
        "ddof": 0,
    }
    version = fitting.from_statistics(GammaCdf(), {"moments": moments})
    expected = GammaCdf().fit(SCORES).transform(SCORES)
    np.testing.assert_allclose(version.transform({"scores": SCORES})["values"], expected)
    for wrong in ({"mean": [1.0], "m2": [0.5]}, {"mean": [-1.0, 0.0], "m2": [0.5, 0.1]}):
        with pytest.raises(errors.InvalidInput) as caught:
            fitting.from_statistics(GammaCdf(), {"moments": {"n": 3, **wrong}})
        assert caught.value.path.startswith("statistics.moments")


def test_the_ends_come_back_as_their_neighbours() -> None:
    answer = GammaCdf().fit(SCORES).version_.inverse({"values": [0.0, 0.5, 1.0]})
    assert np.isfinite(answer["scores"]).all()
    assert answer.flags["clipped"].tolist() == [[0, 0], [0, 2]]
