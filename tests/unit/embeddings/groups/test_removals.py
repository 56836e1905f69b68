"""Directions of groups taken out of vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers import GroupSpanRemoval, LanguageRemoval
from normalizers.errors import FitError, InvalidInput, UnsupportedOperation
from tests.unit.embeddings.columns.test_centering import DATA, mean_average_precision

X = np.random.default_rng(7).normal(3.0, 2.0, size=(12, 4))
LABELS = ["de", "en", "en"] * 4


def strongest(rows: np.ndarray, count: int) -> np.ndarray:
    return np.linalg.svd(rows.T, full_matrices=False)[0][:, :count]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_the_singular_vectors_of_a_group_are_removed(count: int) -> None:
    method = LanguageRemoval(n_remove=count).fit(X, groups=LABELS)
    basis = strongest(X[::3], count)
    expected = X[:1] - X[:1] @ basis @ basis.T
    np.testing.assert_allclose(method.transform(X[:1], groups=["de"]), expected, atol=1e-12)
    with pytest.raises(UnsupportedOperation):
        method.inverse_transform(expected, groups=["de"])


def test_an_unknown_group_is_treated_as_was_said() -> None:
    everything = strongest(X, 1)
    for word, expected in (("global", X[:1] - X[:1] @ everything @ everything.T), ("pass", X[:1])):
        method = LanguageRemoval(unknown_group=word).fit(X, groups=LABELS)
        answer = method.apply_to(X[:1], groups=["fr"])
        np.testing.assert_allclose(answer.output["y"], expected, atol=1e-12)
        assert answer.flags["unknown_group"].tolist() == [0]
    with pytest.raises(InvalidInput, match="does not know the group 'fr'"):
        LanguageRemoval().fit(X, groups=LABELS).transform(X[:1], groups=["fr"])


def test_a_group_of_one_row_has_one_direction() -> None:
    method = LanguageRemoval(n_remove=2).fit(X, groups=["one", *["more"] * 11])
    assert [noted["code"] for noted in method.report_["warnings"]] == ["n_remove_clamped"]  # type: ignore[index, attr-defined]
    assert method.report_["n_removed"] == [2, 1]
    np.testing.assert_allclose(method.transform(X[:1], groups=["one"]), 0.0, atol=1e-12)


def test_the_means_of_the_groups_become_one() -> None:
    method = GroupSpanRemoval().fit(X, groups=LABELS)
    y = method.transform(X)
    np.testing.assert_allclose(y[::3].mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(y.mean(axis=0), 0.0, atol=1e-12)


def test_parts_with_different_groups_merge() -> None:
    parts = [
        GroupSpanRemoval().fit(X[:6], groups=LABELS[:6]),
        GroupSpanRemoval().fit(X[6:], groups=["fr", *LABELS[7:]]),
    ]
    merged = parts[0].merge(parts[1])
    whole = GroupSpanRemoval().fit(X, groups=[*LABELS[:6], "fr", *LABELS[7:]])
    np.testing.assert_allclose(merged.transform(X), whole.transform(X), atol=1e-12)


def test_equal_means_have_no_direction() -> None:
    x = np.concatenate([X[:4], X[:4]])
    method = GroupSpanRemoval().fit(x, groups=["a"] * 4 + ["b"] * 4)
    assert method.report_["n_removed"] == 0
    np.testing.assert_allclose(method.transform(x), x - x.mean(axis=0), rtol=1e-12)
    with pytest.raises(FitError, match="two are needed"):
        GroupSpanRemoval().fit(X, groups=["a"] * 12)


def test_rows_that_miss_a_value_are_left_out() -> None:
    gappy = np.concatenate([X, [[np.nan, 0.0, 0.0, 0.0]]])
    for cls, more in ((GroupSpanRemoval, {}), (LanguageRemoval, {"groups": [*LABELS, "de"]})):
        method = cls(nan_policy="omit").fit(gappy, groups=[*LABELS, "de"])
        answer = method.apply_to(gappy, **more)
        assert answer.flags["missing"].tolist() == [12]
        whole = cls().fit(X, groups=LABELS)
        np.testing.assert_array_equal(method.fitted_["directions"], whole.fitted_["directions"])


@pytest.mark.skipif(not Path(DATA).exists(), reason="the shared data are not here")
def test_languages_are_removed_as_well_as_by_their_means() -> None:
    with np.load(DATA / "e5_parallel.npz", allow_pickle=False) as found:
        languages = {name: found[name].astype(np.float64) for name in found}
    fit = np.concatenate([rows[:250] for rows in languages.values()])
    test = np.concatenate([rows[250:] for rows in languages.values()])
    labels = np.repeat(list(languages), 250).astype(object)
    removed = LanguageRemoval().fit(fit, groups=labels).transform(test, groups=labels)
    assert abs(mean_average_precision(removed) - 75.422) < 0.2
    spans = GroupSpanRemoval().fit(fit, groups=labels).transform(test)
    assert abs(mean_average_precision(spans) - 75.5) < 0.3
