"""Weights of the rows of a fit, by a method that takes them."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import AnchorIsotonic, GroupZScore, Standardization, Whitening
from normalizers.errors import IncompatibleStatistics, InvalidInput, InvalidParams

X = np.array([[1.0, 5.0], [2.0, 1.0], [4.0, 0.0], [8.0, 3.0]])
COUNTS = np.array([2.0, 0.0, 1.0, 3.0])


def test_k11_rows_count_as_often_as_their_weights_say() -> None:
    weighted = Standardization(weight_kind="frequency", ddof=1).fit(X, sample_weights=COUNTS)
    repeated = Standardization(ddof=1).fit(np.repeat(X, COUNTS.astype(int), axis=0))
    np.testing.assert_allclose(weighted.transform(X), repeated.transform(X), rtol=1e-12)
    trusted = Standardization(weight_kind="reliability").fit(X, sample_weights=COUNTS * 7)
    mean = np.average(X, axis=0, weights=COUNTS)
    np.testing.assert_allclose(trusted.fitted_["loc"], mean, rtol=1e-14)


def test_k11_what_is_kept_depends_on_the_kind_not_on_the_field() -> None:
    with pytest.raises(InvalidInput, match="'sample_weights' is missing"):
        Standardization(weight_kind="frequency").fit(X)
    with pytest.raises(InvalidInput, match="sample_weights"):
        Standardization().fit(X, sample_weights=COUNTS)
    with pytest.raises(InvalidParams, match="of a fit"):
        Standardization(weight_kind="frequency", scope="request").fit(X)


def test_k11_weighted_and_unweighted_versions_do_not_merge() -> None:
    weighted = Standardization(weight_kind="frequency").fit(X, sample_weights=COUNTS)
    with pytest.raises(IncompatibleStatistics, match="weight_kind"):
        weighted.merge(Standardization().fit(X))
    both = weighted.merge(weighted)
    np.testing.assert_allclose(both.fitted_["loc"], weighted.fitted_["loc"], rtol=1e-14)


def test_k11_anchors_of_a_group_have_weights() -> None:
    x, groups = [1.0, 3.0, 50.0, 70.0], ["fr", "fr", "si", "si"]
    weighted = GroupZScore(weight_kind="frequency").fit(
        x, groups=groups, sample_weights=[3.0, 1.0, 1.0, 2.0]
    )
    repeated = GroupZScore().fit(
        [1.0, 1.0, 1.0, 3.0, 50.0, 70.0, 70.0], groups=["fr"] * 4 + ["si"] * 3
    )
    np.testing.assert_allclose(weighted.fitted_["mean"], repeated.fitted_["mean"])
    np.testing.assert_allclose(weighted.fitted_["std"], repeated.fitted_["std"])
    again = GroupZScore(weight_kind="frequency").fit_statistics(**weighted.statistics_.to_arrays())
    np.testing.assert_array_equal(again.fitted_["std"], weighted.fitted_["std"])


def test_k11_groups_have_weights_too() -> None:
    grouped = Standardization(scope="group", weight_kind="frequency")
    labels = ["a", "a", "b", "b"]
    grouped.fit(X, groups=labels, sample_weights=[1.0, 1.0, 1.0, 3.0])
    assert grouped.statistics_["moments"]["b"].mean.tolist() == [7.0, 2.25]  # type: ignore[index]


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf, 1e200])
def test_a_weight_that_is_none_is_refused_by_the_row_that_was_sent(wrong: float) -> None:
    # Groups are put in order before anything is added up, and rows with them.
    groups = {"groups": ["b", "b", "a", "a"]}
    for method, more in (
        (GroupZScore(weight_kind="frequency"), groups),
        (Whitening(weight_kind="reliability", scope="group"), groups),
        (AnchorIsotonic(weight_kind="frequency"), {**groups, "qualities": X[:, 1]}),
        (Standardization(weight_kind="frequency", nan_policy="omit"), {}),
    ):
        with pytest.raises(InvalidInput, match="that of row 1 is not") as refused:
            method.fit(X[:, :1], sample_weights=[1.0, wrong, 1.0, 2.0], **more)
        assert refused.value.path == "fit.sample_weights[1]"
