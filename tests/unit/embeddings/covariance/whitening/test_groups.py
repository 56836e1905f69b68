"""A mean and a matrix for each group: scope 'group'."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers import Whitening, load
from normalizers.errors import InvalidInput, InvalidParams, NotEnoughData
from tests.unit.embeddings.covariance.whitening.samples import FULL, rows

DE, EN = rows(300, 5, seed=1, offset=2.0), rows(200, 5, seed=2, offset=-3.0)
X = np.vstack([DE, EN])
GROUPS = ["de"] * 300 + ["en"] * 200


def test_every_group_is_whitened_as_it_would_be_alone(tmp_path: Path) -> None:
    method = Whitening(scope="group", **FULL).fit(X, groups=GROUPS)
    y = method.transform(X, groups=GROUPS)
    alone = [Whitening(**FULL).fit(part).transform(part) for part in (DE, EN)]
    np.testing.assert_allclose(y, np.vstack(alone), atol=1e-10)
    np.testing.assert_allclose(method.inverse_transform(y, groups=GROUPS), X, atol=1e-10)
    method.save(tmp_path / "groups.safetensors")
    loaded = load(tmp_path / "groups.safetensors")
    np.testing.assert_array_equal(loaded.transform(X, groups=GROUPS), y)
    assert [one["keys"] for one in method.report_["groups"]] == [["de"], ["en"]]
    assert all("advice" in one for one in method.report_["groups"])


def test_batches_of_groups_add_up_to_one_fit() -> None:
    whole = Whitening(scope="group").fit(X, groups=GROUPS)
    parts = Whitening(scope="group")
    for some in (slice(0, 250), slice(250, 310), slice(310, 500)):
        parts.partial_fit(X[some], groups=GROUPS[some])
    np.testing.assert_allclose(parts.fitted_["W"], whole.fitted_["W"], atol=1e-10)


@pytest.mark.parametrize("policy", ["global", "pass"])
def test_a_group_that_is_not_known_follows_its_policy_and_is_flagged(policy: str) -> None:
    method = Whitening(scope="group", unknown_group=policy, **FULL).fit(X, groups=GROUPS)
    answer = method.apply_to(X[:2], groups=["de", "fr"])
    expected = X[1] if policy == "pass" else Whitening(**FULL).fit(X).transform(X[1:2])[0]
    np.testing.assert_allclose(answer.output["y"][1], expected, atol=1e-10)
    assert answer.flags["unknown_group"].tolist() == [1]


def test_an_unknown_group_and_a_group_of_one_row_are_refused_by_name() -> None:
    method = Whitening(scope="group").fit(X, groups=GROUPS)
    with pytest.raises(InvalidInput, match="does not know the group 'fr'"):
        method.transform(X[:1], groups=["fr"])
    with pytest.raises(NotEnoughData, match="group 'en': a covariance needs at least 2 rows"):
        Whitening(scope="group").fit(X[:3], groups=["de", "de", "en"])


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({"scope": "group", "variant": "pca"}, "params.variant"),
        ({"scope": "group", "n_components": 2}, "params.n_components"),
        ({"scope": "group", "truncate_to": 2}, "params.truncate_to"),
        ({"group_by": ["language"]}, "params.group_by"),
        ({"unknown_group": "pass"}, "params.unknown_group"),
    ],
)
def test_groups_without_coordinates_in_common_and_words_of_groups_alone_are_refused(
    params: dict[str, object], path: str
) -> None:
    with pytest.raises(InvalidParams) as refused:
        Whitening(**params).fit(X, groups=GROUPS)
    assert refused.value.path == path


def test_rows_with_missing_values_leave_the_fit_with_their_group() -> None:
    holes = np.vstack([X, np.full((1, 5), np.nan)])
    method = Whitening(scope="group", nan_policy="omit").fit(holes, groups=[*GROUPS, "de"])
    whole = Whitening(scope="group").fit(X, groups=GROUPS)
    np.testing.assert_allclose(method.fitted_["W"], whole.fitted_["W"], atol=1e-12)


def test_missing_values_are_refused_where_nothing_says_otherwise() -> None:
    holes = np.vstack([X, np.full((1, 5), np.nan)])
    with pytest.raises(InvalidInput):
        Whitening(scope="group").fit(holes, groups=[*GROUPS, "de"])
