"""A live sample beside a fit: distances, quantiles, ranges and moments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np
import pytest
from scipy.stats import ks_2samp

from normalizers import Normalizer, Version
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.errors import InvalidInput, NonFiniteError, UnsupportedOperation
from normalizers.evaluation import drift
from normalizers.versions.fitting import from_statistics

RANDOM = np.random.default_rng(11)
FITTED = np.round(RANDOM.normal(5, 2, 500), 1)
LIVE = np.round(RANDOM.normal(6, 2, 80), 1)


def fitted(method: str, *given: object, **fields: object) -> Version:
    return method_of(method).fit(*given, **fields).version_


def method_of(name: str) -> Normalizer:
    return CATALOGUE.create(name, {"scope": "fitted"} if name in ("min_max", "percentile") else {})


def compare(version: Version, **live: object) -> dict[str, object]:
    return drift(version, version.read(live))


def part(found: Mapping[str, object], name: str) -> dict[str, object]:
    return cast(dict[str, object], found[name])


def test_the_distance_is_that_of_scipy() -> None:
    found = compare(fitted("percentile", FITTED), scores=LIVE)
    distribution = part(found, "distribution")
    assert distribution["ks"] == pytest.approx(ks_2samp(FITTED, LIVE).statistic)
    p = np.asarray(distribution["p"])
    np.testing.assert_allclose(distribution["fitted"], np.quantile(FITTED, p))
    np.testing.assert_allclose(distribution["live"], np.quantile(LIVE, p))
    np.testing.assert_allclose(distribution["shift"], np.quantile(LIVE, p) - np.quantile(FITTED, p))
    beyond = (FITTED.min() > LIVE) | (FITTED.max() < LIVE)
    assert part(found, "range")["out_of_range"] == pytest.approx(beyond.mean())
    assert (found["n"], found["n_fitted"], found["missing"]) == (80, 500, 0)
    assert found["moments"] is None
    assert part(found, "reasons")["moments"]


def test_the_same_sample_has_not_moved() -> None:
    found = compare(fitted("percentile", FITTED), scores=FITTED)
    assert part(found, "distribution")["ks"] == 0.0
    assert not np.asarray(part(found, "distribution")["shift"]).any()
    assert part(found, "range")["out_of_range"] == 0.0


def test_a_sample_beyond_the_fit_is_at_distance_1() -> None:
    found = compare(fitted("percentile", [1.0, 2.0]), scores=[3.0, 4.0])
    assert part(found, "distribution")["ks"] == 1.0
    assert part(found, "range")["out_of_range"] == 1.0


def test_stored_quantiles_are_a_distribution_too() -> None:
    statistics = {"quantiles": {"p": [0.0, 0.5, 1.0], "v": [0.0, 5.0, 10.0]}}
    version = from_statistics(method_of("percentile"), statistics)
    found = compare(version, scores=[2.5, 12.0])
    # Up to 2.5 a quarter of the fitted sample lies, just before 12 all of it.
    assert part(found, "distribution")["ks"] == pytest.approx(0.5)
    assert part(found, "range")["out_of_range"] == 0.5


def test_extrema_tell_the_share_out_of_range() -> None:
    found = compare(fitted("min_max", [1.0, 4.0]), scores=[[0.0, 2.0], [9.0, 4.0]])
    assert part(found, "range") == {
        "fitted_min": 1.0, "fitted_max": 4.0, "live_min": 0.0, "live_max": 9.0,
        "out_of_range": 0.5,
    }  # fmt: skip
    assert found["distribution"] is None
    assert "distribution" in part(found, "reasons")


def test_missing_scores_are_counted_where_the_method_omits_them() -> None:
    method = CATALOGUE.create("percentile", {"scope": "fitted", "nan_policy": "omit"})
    version = method.fit([1.0, 2.0, 3.0]).version_
    found = compare(version, scores=[2.0, None, 3.0])
    assert (found["n"], found["missing"]) == (3, 1)
    with pytest.raises(InvalidInput, match="no values") as refused:
        compare(version, scores=[None])
    assert refused.value.path == "input.scores"


def test_missing_scores_are_refused_where_the_method_refuses_them() -> None:
    with pytest.raises(NonFiniteError):
        compare(fitted("percentile", [1.0, 2.0]), scores=[None])


def test_columns_have_a_number_each() -> None:
    rows = RANDOM.normal(size=(50, 3))
    version = fitted("whitening", rows)
    live = rows[:20] * [1.0, 2.0, 1.0] + [0.0, 0.0, 3.0]
    moments = part(compare(version, x=live), "moments")
    std = rows.std(axis=0)
    np.testing.assert_allclose(moments["shift"], (live.mean(axis=0) - rows.mean(axis=0)) / std)
    np.testing.assert_allclose(moments["ratio"], live.std(axis=0) / std)


def test_rows_are_compared_after_the_step_before_the_fit() -> None:
    rows = RANDOM.normal(size=(50, 3))
    version = CATALOGUE.create("whitening", {"pre": "l2"}).fit(rows).version_
    moments = part(compare(version, x=rows * 1000), "moments")
    np.testing.assert_allclose(moments["shift"], 0, atol=1e-12)
    np.testing.assert_allclose(moments["ratio"], 1)


def test_groups_are_compared_each_with_its_own() -> None:
    version = fitted("group_z_score", [1.0, 3.0, 10.0, 30.0], groups=["a", "a", "b", "b"])
    found = compare(version, x=[12.0, 5.0, 7.0], groups=["b", "c", "b"])
    assert found["groups"] == ["b"]
    assert (found["groups_absent"], found["rows_of_unknown_groups"]) == (1, 1)
    moments = part(found, "moments")
    np.testing.assert_allclose(moments["fitted_mean"], [20.0])
    np.testing.assert_allclose(moments["live_mean"], [9.5])


def test_only_unknown_groups() -> None:
    version = fitted("group_z_score", [1.0, 3.0], groups=["a", "a"])
    with pytest.raises(InvalidInput, match="no row belongs to a group of the fit"):
        compare(version, x=[1.0], groups=["c"])


def test_a_constant_fit_has_no_unit_to_measure_a_shift_in() -> None:
    version = fitted("group_z_score", [2.0, 2.0], groups=["a", "a"])
    found = compare(version, x=[3.0, 4.0], groups=["a", "a"])
    assert np.isnan(np.asarray(part(found, "moments")["shift"])).all()
    assert part(found, "reasons")["moments.shift"] == "the fitted deviation is 0"


def test_a_calibrator_is_compared_by_the_scores_it_was_fitted_on() -> None:
    labels = [0, 1] * 250
    found = compare(fitted("platt", FITTED, labels=labels), scores=LIVE)
    expected = ks_2samp(FITTED, LIVE).statistic
    assert part(found, "distribution")["ks"] == pytest.approx(expected)


@pytest.mark.parametrize("name, params", [("min_max", {}), ("window_z_score", {})])
def test_without_statistics_there_is_nothing_to_compare(
    name: str, params: dict[str, object]
) -> None:
    from normalizers.versions.fitting import stateless

    version = stateless(CATALOGUE.create(name, params).validated())
    given = {"scores": [1.0]} if name == "min_max" else {"x": [[[1.0], [2.0]]]}
    with pytest.raises(UnsupportedOperation, match="keeps no statistics"):
        compare(version, **given)


def test_statistics_that_know_no_single_values() -> None:
    version = fitted("inverted_softmax", bank_sims=[[0.1, 0.2], [0.3, 0.1]])
    with pytest.raises(UnsupportedOperation, match="nothing of single values"):
        compare(version, sims=[[0.1, 0.4]])


def test_a_refused_sample_is_named_as_the_input() -> None:
    version = fitted("gamma_cdf", scores=[1.0, 2.0, 3.0])
    with pytest.raises(InvalidInput, match="positive scores only") as caught:
        compare(version, scores=[1.0, -2.0])
    assert caught.value.path == "input.scores[1]"
    assert [one.path for one in caught.value.faults] == ["input.scores[1]"]
