"""Moment matching: two parts of one fit, the request's own statistics, columns without spread."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import MomentMatching, load
from normalizers.errors import FitError, InvalidInput, NotEnoughData
from normalizers.testing.compare import assert_close
from normalizers.versions import fitting
from normalizers.versions.file import from_bytes, to_bytes

RANDOM = np.random.default_rng(5)
X = RANDOM.normal(3.0, 2.0, size=(200, 3))
REFERENCE = RANDOM.normal(-1.0, 0.5, size=(5, 3))
BLOCKS = 9


def test_the_moments_of_the_answer_are_those_of_the_reference() -> None:
    y = MomentMatching().fit(X, reference=REFERENCE).transform(X)
    np.testing.assert_allclose(y.mean(axis=0), REFERENCE.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(y.std(axis=0, ddof=1), REFERENCE.std(axis=0, ddof=1), rtol=1e-12)


def test_k1_nine_blocks_of_two_parts_count_every_row_once() -> None:
    whole = MomentMatching().fit(X, reference=REFERENCE)
    streamed = MomentMatching()
    for block in np.array_split(X, BLOCKS):
        streamed.partial_fit(block)
    streamed.partial_fit(reference=REFERENCE)
    assert_close(streamed.statistics_.to_arrays(), whole.statistics_.to_arrays(), 1e-12)
    assert streamed.statistics_["moments_reference"].n == len(REFERENCE)


def test_k1_a_part_alone_is_no_fit_yet() -> None:
    with pytest.raises(NotEnoughData, match="no rows of 'reference'"):
        MomentMatching().fit(X)
    with pytest.raises(NotEnoughData, match="no rows of 'x'"):
        MomentMatching().fit(reference=REFERENCE)
    with pytest.raises(InvalidInput, match=r"at least one of these .* x \| reference"):
        fitting.fit(MomentMatching(), {})


def test_k11_what_is_kept_depends_on_content_not_on_the_fields_that_came() -> None:
    own = MomentMatching(content="request").fit(REFERENCE)
    assert list(own.statistics_) == ["moments_reference"]
    with pytest.raises(InvalidInput, match="'x'"):
        fitting.fit(MomentMatching(content="request"), {"reference": REFERENCE, "x": X})


def test_k2_rows_depend_on_each_other_in_one_content_and_not_in_the_other() -> None:
    assert MomentMatching().row_by_row
    assert not MomentMatching(content="request").row_by_row


def test_a_request_brings_its_own_statistics_and_what_leads_back() -> None:
    own = MomentMatching(content="request").fit(REFERENCE)
    answer = own.apply_to(X[:20])
    expected = MomentMatching().fit(X[:20], reference=REFERENCE).transform(X[:20])
    np.testing.assert_allclose(answer.output["y"], expected, rtol=1e-12)
    sides = {name: answer.output[name] for name in ("loc", "scale")}
    np.testing.assert_allclose(own.inverse_transform(answer.output["y"], **sides), X[:20])


def test_one_row_of_a_request_is_shifted_and_flagged() -> None:
    answer = MomentMatching(content="request").fit(REFERENCE).apply_to(X[:1])
    np.testing.assert_allclose(answer.output["y"], REFERENCE.mean(axis=0)[None])
    assert answer.flags["insufficient"].tolist() == [0, 1, 2]


def test_a_constant_content_is_shifted_only_and_named_by_column() -> None:
    fitted = MomentMatching().fit([[2.0, 1.0], [2.0, 3.0]], reference=[[10.0, 0.0], [14.0, 1.0]])
    answer = fitted.apply_to([[5.0, 2.0]])
    assert answer.output["y"].tolist() == [[15.0, 0.5]]
    assert answer.flags["constant"].tolist() == [0]
    assert fitted.inverse_transform([[15.0, 0.5]]).tolist() == [[5.0, 2.0]]
    with pytest.raises(FitError, match="column 0"):
        MomentMatching(on_constant="error").fit([[2.0], [2.0]], reference=[[1.0], [3.0]])


def test_a_constant_reference_gives_its_value_and_leads_back_to_the_mean() -> None:
    fitted = MomentMatching().fit([[1.0], [3.0]], reference=[[7.0], [7.0]])
    assert fitted.transform([[1.0], [9.0]]).tolist() == [[7.0], [7.0]]
    assert fitted.inverse_transform([[7.0]]).tolist() == [[2.0]]


def test_zeros_under_mask_zero_are_no_values_and_stay_zero() -> None:
    pitch = np.array([[0.0], [100.0], [0.0], [200.0], [300.0]])
    fitted = MomentMatching(mask_zero=True).fit(pitch, reference=[[10.0], [20.0], [0.0], [30.0]])
    y = fitted.transform(pitch)
    assert y.ravel().tolist() == [0.0, 10.0, 0.0, 20.0, 30.0]
    np.testing.assert_allclose(fitted.inverse_transform(y), pitch)


def test_windows_of_channels_are_matched_by_channel() -> None:
    windows = X.reshape(20, 10, 3)
    fitted = MomentMatching().fit(windows, reference=REFERENCE)
    assert_close(
        fitted.statistics_.to_arrays(),
        MomentMatching().fit(X, reference=REFERENCE).statistics_.to_arrays(),
        1e-12,
    )
    assert fitted.transform(windows).shape == windows.shape


def test_parts_of_other_widths_are_refused_with_both() -> None:
    streamed = MomentMatching().partial_fit(X).partial_fit(reference=REFERENCE[:, :2])
    with pytest.raises(FitError, match="x has 3 columns, the reference has 2"):
        streamed.transform(X)


def test_missing_values_are_left_out_by_column() -> None:
    gappy = X.copy()
    gappy[3, 1] = np.nan
    fitted = MomentMatching(nan_policy="omit").fit(gappy, reference=REFERENCE)
    answer = fitted.apply_to(gappy)
    assert np.argwhere(np.isnan(answer.output["y"])).tolist() == [[3, 1]]
    assert answer.flags["missing"].tolist() == [3]


def test_a_file_brings_it_back(tmp_path) -> None:  # type: ignore[no-untyped-def]
    fitted = MomentMatching(eps=1e-5).fit(X, reference=REFERENCE)
    fitted.save(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(
        load(tmp_path / "m.safetensors").transform(X), fitted.transform(X)
    )
    assert from_bytes(to_bytes(fitted.version_)).n == fitted.version_.n
