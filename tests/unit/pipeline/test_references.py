"""Fitted normalizers as steps."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from normalizers import MinMax, Whitening
from normalizers.errors import NotFitted, ShapeError
from normalizers.versions import fitting
from normalizers.versions.file import read_manifest, to_bytes
from tests.unit.pipeline.samples import (
    QUERY_ENDS,
    QUERY_RANKS,
    ROWS,
    array,
    clone_fitted,
    pipeline,
    through_a_file,
)


def test_a_fitted_normalizer_is_a_reference() -> None:
    ends = MinMax().fit([0.0, 10.0])
    for step in (ends, ends.version_):
        assert pipeline(step).transform([2.0, 20.0]).tolist() == [0.2, 1.0]
        assert pipeline(step, QUERY_RANKS).transform([2.0, 20.0, 30.0]).tolist() == pytest.approx(
            [1 / 6, 2 / 3, 2 / 3]
        )


def test_a_normalizer_that_is_not_fitted_is_no_reference() -> None:
    assert pipeline(MinMax()).transform([2.0, 20.0]).tolist() == [0.0, 1.0]
    with pytest.raises(NotFitted):
        pipeline(Whitening()).transform(ROWS)


def test_a_reference_stays_as_it_was_when_its_normalizer_is_fitted_again() -> None:
    ends = MinMax().fit([0.0, 10.0])
    version = pipeline(ends).version_
    ends.fit([0.0, 1000.0])
    assert array(version.transform({"scores": [5.0]})["values"]).tolist() == [0.5]


def test_a_file_with_references_serves_alone() -> None:
    whitening = Whitening(n_components=2).fit(ROWS)
    chain = pipeline(whitening, {"method": "whitening", "params": {"eps_rel": 1.0}}).fit(ROWS)
    again = through_a_file(chain.version_)
    expected = chain.transform(ROWS[:3])
    np.testing.assert_array_equal(array(again.transform({"x": ROWS[:3]})["y"]), expected)
    step = read_manifest(to_bytes(chain.version_))["resolved"]["steps"][0]  # type: ignore[index]
    assert step["hash"] is not None
    with pytest.raises(ShapeError, match="'x' has 4 for d, but the fit has 3"):
        again.transform({"x": np.ones((2, 4))})


def test_a_file_with_references_merges_alone() -> None:
    reference = Whitening(n_components=2).fit(ROWS)
    chain = pipeline(reference, "whitening")
    one, two = (clone_fitted(chain, part) for part in (ROWS[:15], ROWS[15:]))
    merged = fitting.merge(through_a_file(one).method, [through_a_file(one), through_a_file(two)])
    whole = clone_fitted(chain, ROWS)
    np.testing.assert_allclose(
        array(through_a_file(merged).transform({"x": ROWS})["y"]),
        array(whole.transform({"x": ROWS})["y"]),
        rtol=1e-9,
        atol=1e-12,
    )
    with pytest.raises(ShapeError, match="'x' has 4 for d"):
        merged.transform({"x": np.ones((2, 4))})


def test_data_of_another_width_than_the_reference_are_refused_in_the_fit() -> None:
    with pytest.raises(ShapeError, match="'x' has 4 for d, but the fit has 3") as caught:
        pipeline(Whitening().fit(ROWS), "whitening").fit(np.ones((5, 4)))
    assert caught.value.path == "fit.x"


def test_a_clone_keeps_versions_as_references() -> None:
    ends = MinMax().fit([0.0, 10.0])
    twin = clone(pipeline(ends.version_, QUERY_ENDS))
    assert twin.transform([2.0, 4.0]).tolist() == [0.0, 1.0]
    assert twin.get_params()["steps"] is not None
