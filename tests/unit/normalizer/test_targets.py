"""scikit-learn's `y` and settings."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from normalizers import L2, Isotonic, MinMax, Platt, Whitening
from normalizers.errors import InvalidInput
from tests.unit.normalizer.samples import FRAME, ROWS

SCORES = np.array([1.0, 2.0, 2.0, 3.0])
LABELS = np.array([0, 0, 1, 1])
RIGHT = Platt().fit(SCORES, labels=LABELS).transform(SCORES)


@pytest.mark.parametrize("y", [LABELS, LABELS.tolist(), LABELS == 1, (LABELS == 1).tolist()])
def test_r16_y_is_the_labels_and_booleans_are_labels(y: object) -> None:
    np.testing.assert_array_equal(Platt().fit(SCORES, y).transform(SCORES), RIGHT)
    np.testing.assert_array_equal(Platt().fit(SCORES, labels=y).transform(SCORES), RIGHT)
    np.testing.assert_array_equal(Platt().fit_transform(SCORES, y), RIGHT)
    np.testing.assert_array_equal(Platt().partial_fit(SCORES, y).transform(SCORES), RIGHT)
    piped = make_pipeline(Isotonic()).fit(SCORES, y).transform(SCORES)
    np.testing.assert_array_equal(piped, [0.0, 0.5, 0.5, 1.0])


def test_r16_labels_given_twice_are_refused() -> None:
    with pytest.raises(InvalidInput, match="given twice"):
        Platt().fit(SCORES, LABELS, labels=LABELS)


def test_r16_y_is_ignored_where_there_are_no_labels() -> None:
    assert MinMax().fit([0.0, 2.0], ["a", "b"]).transform([1.0]).tolist() == [0.5]


def test_r16_a_grid_search_hands_the_labels_on() -> None:
    def loss(fit: Platt, x: np.ndarray, y: np.ndarray) -> float:
        return -float(np.mean((fit.transform(x) - y) ** 2))

    search = GridSearchCV(Platt(), {"nan_policy": ["omit", "reject"]}, scoring=loss, cv=2)
    found = search.fit(np.tile(SCORES, 5), np.tile(LABELS, 5) == 1)
    assert found.best_estimator_.is_fitted


def test_r29_the_setting_for_every_estimator_is_honoured() -> None:
    with sklearn.config_context(transform_output="pandas"):
        assert list(Whitening().fit(FRAME).transform(FRAME).columns) == ["a", "b", "c"]
        assert isinstance(MinMax().fit(SCORES).transform(SCORES), np.ndarray)
        plain = Whitening().set_output(transform="default").fit(FRAME)
        assert isinstance(plain.transform(FRAME), np.ndarray)
    assert isinstance(Whitening().fit(FRAME).transform(FRAME), np.ndarray)


def test_r29_going_on_without_a_fit_returns_the_method() -> None:
    method = L2()
    assert method.partial_fit(ROWS) is method
