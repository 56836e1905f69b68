"""Inside scikit-learn, without inheriting from it."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from normalizers import GroupZScore, MinMax, Percentile, Whitening
from normalizers.errors import DtypeError, InvalidParams, NotEnoughData, NotFitted, ShapeError
from tests.unit.normalizer.samples import FRAME, ROWS


def test_copies_and_pickles_are_fitted() -> None:
    fitted = Whitening().fit(FRAME)
    for twin in (copy.deepcopy(fitted), pickle.loads(pickle.dumps(fitted))):
        np.testing.assert_array_equal(twin.transform(FRAME), fitted.transform(FRAME))


def test_clone_gives_one_that_is_not_fitted() -> None:
    twin = clone(Whitening(n_components=2).fit(ROWS))
    assert twin.get_params()["n_components"] == 2
    with pytest.raises(NotFitted):
        twin.transform(ROWS)


def test_check_is_fitted() -> None:
    check_is_fitted(Whitening().fit(ROWS))
    check_is_fitted(Whitening().partial_fit(ROWS))
    check_is_fitted(MinMax())
    with pytest.raises(NotFittedError):
        check_is_fitted(Whitening())
    assert not Whitening().is_fitted
    assert Whitening().fit(ROWS).is_fitted


@pytest.mark.parametrize("x", [ROWS, ROWS.tolist(), FRAME])
def test_the_number_of_features_is_known_after_a_fit(x: object) -> None:
    assert Whitening().fit(x).n_features_in_ == 3
    assert Whitening().partial_fit(x).n_features_in_ == 3
    assert Whitening(n_components=2).fit(x).n_features_in_ == 3
    assert GroupZScore().fit(x, groups=["a", "b"] * 15).n_features_in_ == 3
    assert make_pipeline(Whitening()).fit(x).n_features_in_ == 3
    for without in (Whitening(), MinMax(), MinMax().fit([1.0, 2.0])):
        assert not hasattr(without, "n_features_in_")


def test_a_fit_that_cannot_be_solved_yet_has_no_number_of_features() -> None:
    begun = Whitening().partial_fit(ROWS[:1])
    assert not hasattr(begun, "n_features_in_")
    assert not hasattr(begun, "feature_names_in_")
    with pytest.raises(NotEnoughData):
        begun.transform(ROWS)
    assert begun.partial_fit(ROWS[1:]).n_features_in_ == 3
    named = GroupZScore().partial_fit(FRAME[:1], groups=["a"])
    assert not hasattr(named, "n_features_in_")
    assert named.feature_names_in_.tolist() == ["a", "b", "c"]


def test_a_pipeline_of_scikit_learn() -> None:
    chain = make_pipeline(StandardScaler(), Whitening(), Whitening(n_components=2))
    assert chain.fit(ROWS).transform(ROWS).shape == (30, 2)
    one = make_pipeline(StandardScaler(), Whitening()).fit(ROWS)
    np.testing.assert_allclose(one.inverse_transform(one.transform(ROWS)), ROWS, atol=1e-12)
    named = make_pipeline(StandardScaler(), Whitening()).set_output(transform="pandas").fit(FRAME)
    assert list(named.transform(FRAME).columns) == ["a", "b", "c"]
    assert named.get_feature_names_out().tolist() == ["a", "b", "c"]
    named.set_params(whitening__n_components=1)
    assert named.fit(FRAME).transform(FRAME).shape == (30, 1)


def test_columns_and_unions_of_scikit_learn() -> None:
    columns = ColumnTransformer([("white", Whitening(), ["a", "b"])])
    assert columns.fit(FRAME).transform(FRAME).shape == (30, 2)
    union = FeatureUnion([("zca", Whitening()), ("pca", Whitening(variant="pca"))])
    assert union.fit(ROWS).transform(ROWS).shape == (30, 6)


def test_tags_say_whether_a_fit_is_needed() -> None:
    assert Whitening().__sklearn_tags__().requires_fit  # type: ignore[attr-defined]
    assert not Percentile(scope="query").__sklearn_tags__().requires_fit  # type: ignore[attr-defined]


def test_errors_are_value_errors() -> None:
    for error in (DtypeError, ShapeError, NotFitted, InvalidParams):
        assert issubclass(error, ValueError)
