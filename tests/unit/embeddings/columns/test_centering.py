"""Centring, of all rows and by group."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers import Centering, GroupCentering
from normalizers.errors import InvalidInput, UnsupportedOperation

X = np.random.default_rng(7).normal(3.0, 2.0, size=(12, 4))
LABELS = ["de", "en", "en"] * 4
DE, EN = X[::3].mean(axis=0), np.concatenate([X[1::3], X[2::3]]).mean(axis=0)
ALL = X.mean(axis=0)
DATA = Path(__file__).parents[5] / "shared" / "data" / "embeddings"


def test_a_row_at_the_mean_has_no_direction() -> None:
    method = Centering(post="l2").fit(X)
    answer = method.apply_to(np.stack([ALL, ALL + 1e-15, X[0]]))
    assert answer.output["y"][:2].tolist() == [[0.0] * 4] * 2
    assert answer.flags["zero_norm"].tolist() == [0, 1]
    assert np.linalg.norm(answer.output["y"][2]) == pytest.approx(1.0, rel=1e-15)
    with pytest.raises(UnsupportedOperation, match="inverse"):
        method.inverse_transform(answer.output["y"])


def test_rounding_of_float32_is_no_direction() -> None:
    single = X.astype(np.float32)
    method = Centering(post="l2").fit(single)
    row = (single.astype(np.float64).mean(axis=0)).astype(np.float32)
    assert method.apply_to(row[None]).flags["zero_norm"].tolist() == [0]


def test_a_constant_column_is_centred_without_a_flag() -> None:
    method = Centering().fit([[5.0, 1.0], [5.0, 3.0]])
    answer = method.apply_to([[6.0, 2.0]])
    assert answer.output["y"].tolist() == [[1.0, 0.0]]
    assert not answer.flags
    assert not answer.warnings


def test_the_report_tells_cosines_before_and_after() -> None:
    gappy = np.concatenate([X, [[np.nan, 0.0, 0.0, 0.0]]])
    for method, more in (
        (Centering(nan_policy="omit"), {}),
        (GroupCentering(nan_policy="omit"), {"groups": [*LABELS, "de"]}),
    ):
        told = method.fit(gappy, **more).report_
        labels = {name: value[:12] for name, value in more.items()}
        for rows, found in ((X, told), (method.transform(X, **labels), told["outputs"])):
            unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
            assert found["average_cosine"] == pytest.approx((np.sum(unit @ unit.T) - 12) / 132)
        assert told["outputs"]["n"] == 12
    assert "outputs" not in Centering().fit([1.0, 2.0, 4.0]).report_


def test_every_group_is_centred_by_its_own_mean() -> None:
    method = GroupCentering().fit(X, groups=LABELS)
    y = method.transform(X[:2], groups=["de", "en"])
    np.testing.assert_allclose(y, [X[0] - DE, X[1] - EN], rtol=1e-12)
    np.testing.assert_allclose(method.inverse_transform(y, groups=["de", "en"]), X[:2])


@pytest.mark.parametrize(
    ("unknown", "added", "subtracted"),
    [
        ("global", False, ALL),
        ("median", False, (DE + EN) / 2),
        ("pass", False, 0.0),
        ("global", True, 0.0),
        ("median", True, (DE + EN) / 2 - ALL),
        ("pass", True, 0.0),
    ],
)
def test_an_unknown_group_is_treated_as_was_said(
    unknown: str, added: bool, subtracted: np.ndarray | float
) -> None:
    method = GroupCentering(unknown_group=unknown, add_global_mean=added).fit(X, groups=LABELS)
    answer = method.apply_to(X[:1], groups=["fr"])
    np.testing.assert_allclose(answer.output["y"][0], X[0] - subtracted, rtol=1e-12)
    assert answer.flags["unknown_group"].tolist() == [0]


def test_an_unknown_group_is_refused_by_its_name() -> None:
    with pytest.raises(InvalidInput, match="the fit does not know the group 'fr'"):
        GroupCentering().fit(X, groups=LABELS).transform(X[:1], groups=["fr"])


def test_a_prior_pulls_a_group_towards_all_rows() -> None:
    method = GroupCentering(prior_n=4).fit(X, groups=LABELS)
    np.testing.assert_allclose(method.fitted_["loc"][0], ALL + (DE - ALL) * (4 / 8), rtol=1e-12)
    np.testing.assert_allclose(method.fitted_["loc"][1], ALL + (EN - ALL) * (8 / 12), rtol=1e-12)


def test_what_sets_a_group_apart_is_taken_away_alone() -> None:
    method = GroupCentering(add_global_mean=True).fit(X, groups=LABELS)
    y = method.transform(X, groups=LABELS)
    np.testing.assert_allclose(y.mean(axis=0), ALL, rtol=1e-12)
    np.testing.assert_allclose(y[::3].mean(axis=0), ALL, rtol=1e-12)


def test_groups_unite_when_fits_are_merged() -> None:
    first = GroupCentering().fit(X[:5], groups=LABELS[:5])
    other = GroupCentering().fit(X[5:], groups=[*LABELS[5:-1], "fr"])
    merged = first.merge(other)
    assert merged.fitted_["keys"].ravel().tolist() == ["de", "en", "fr"]
    whole = GroupCentering().fit(X, groups=[*LABELS[:-1], "fr"])
    np.testing.assert_allclose(merged.fitted_["loc"], whole.fitted_["loc"], rtol=1e-12)


def test_two_sides_of_a_search_are_groups() -> None:
    sides = ["query"] * 6 + ["gallery"] * 6
    method = GroupCentering(post="l2").fit(X, groups=sides)
    y = method.transform(X, groups=sides)
    np.testing.assert_allclose(np.linalg.norm(y, axis=1), 1.0, rtol=1e-14)


def test_scores_in_one_column_stay_a_list() -> None:
    method = GroupCentering().fit(X[:, 0], groups=LABELS)
    assert method.transform(X[:3, 0], groups=LABELS[:3]).shape == (3,)


def mean_average_precision(vectors: np.ndarray) -> float:
    """Return how well each sentence finds its translations among all others, in percent."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    similarity = unit @ unit.T
    np.fill_diagonal(similarity, -np.inf)
    sentence = np.arange(len(unit)) % 250
    order = np.argsort(-similarity, axis=1, kind="stable")[:, :-1]
    relevant = sentence[order] == sentence[:, None]
    precision = np.cumsum(relevant, axis=1) / np.arange(1, order.shape[1] + 1)
    return 100 * float(np.mean(np.sum(precision * relevant, axis=1) / relevant.sum(axis=1)))


@pytest.mark.skipif(not DATA.exists(), reason="the shared data are not here")
def test_a_mean_for_each_language_gives_the_published_precision() -> None:
    with np.load(DATA / "e5_parallel.npz", allow_pickle=False) as found:
        languages = {name: found[name].astype(np.float64) for name in found}
    fit = np.concatenate([rows[:250] for rows in languages.values()])
    test = np.concatenate([rows[250:] for rows in languages.values()])
    labels = np.repeat(list(languages), 250).astype(object)
    by_language = GroupCentering(post="l2").fit(fit, groups=labels)
    assert abs(mean_average_precision(by_language.transform(test, groups=labels)) - 75.406) < 0.2
    assert abs(mean_average_precision(Centering().fit(fit).transform(test)) - 45.945) < 0.2
