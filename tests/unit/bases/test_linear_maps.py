"""What every linear map of vectors does around its matrix."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Whitening
from normalizers.errors import InvalidParams, ShapeError
from tests.unit.embeddings.covariance.whitening.samples import FULL, rows


def test_the_first_columns_of_a_pca_form_are_the_smaller_fit() -> None:
    x = rows(200, 6)
    short = Whitening(variant="pca", n_components=2, post="l2", **FULL).fit(x)
    cut = Whitening(variant="pca", truncate_to=2, post="l2", **FULL).fit(x)
    np.testing.assert_allclose(cut.transform(x), short.transform(x), atol=1e-12)


def test_k23_a_truncated_answer_comes_back_as_its_projection() -> None:
    x = rows(200, 6)
    short = Whitening(variant="pca", n_components=2, **FULL).fit(x)
    cut = Whitening(variant="pca", truncate_to=2, **FULL).fit(x)
    back = cut.inverse_transform(cut.transform(x))
    np.testing.assert_allclose(back, short.inverse_transform(short.transform(x)), atol=1e-10)
    with pytest.raises(ShapeError):
        cut.inverse_transform(np.zeros((2, 6)))


def test_more_columns_than_there_are_is_told() -> None:
    method = Whitening(variant="pca", truncate_to=9).fit(rows(50, 4))
    assert method.transform(rows(3, 4)).shape == (3, 4)
    assert [w.code for w in method.apply_to(rows(3, 4)).warnings] == ["truncate_to_clamped"]


def test_zca_is_not_nested() -> None:
    with pytest.raises(InvalidParams, match="variant 'pca'"):
        Whitening(truncate_to=2).fit(rows(50, 4))


def test_layer_norm_goes_before_the_map_in_the_fit_and_after() -> None:
    x = rows(80, 5, offset=2.0)
    centred = x - x.mean(axis=1, keepdims=True)
    standard = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)
    inside = Whitening(pre="layer_norm", eps_rel=1.0).fit(x)
    outside = Whitening(eps_rel=1.0).fit(standard)
    np.testing.assert_allclose(inside.transform(x), outside.transform(standard), atol=1e-9)
