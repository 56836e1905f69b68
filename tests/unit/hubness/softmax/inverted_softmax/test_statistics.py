"""Statistics of banks: merged, posted, never subtracted."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logsumexp

from normalizers import InvertedSoftmax
from normalizers.errors import IncompatibleStatistics


def test_shards_merge_and_another_beta_is_refused(bank: np.ndarray) -> None:
    parts = [InvertedSoftmax(beta=20.0).fit(bank[a : a + 4]) for a in (8, 0, 4)]
    merged = parts[0].merge(*parts[1:])
    np.testing.assert_allclose(merged.fitted_["item_lse"], logsumexp(20 * bank, axis=0), rtol=1e-13)
    with pytest.raises(IncompatibleStatistics, match="beta"):
        parts[0].merge(InvertedSoftmax(beta=21.0).fit(bank))


def test_posted_statistics_carry_their_beta(bank: np.ndarray, sims: np.ndarray) -> None:
    source = InvertedSoftmax().fit(bank, gallery_ids=list("abcdef"))
    members = source.statistics_.to_arrays()
    copy = InvertedSoftmax().fit_statistics(**members)
    np.testing.assert_array_equal(copy.transform(sims), source.transform(sims))
    assert copy.version_.resolved["beta"] == source.report_["beta"]
    with pytest.raises(IncompatibleStatistics, match="beta"):
        InvertedSoftmax(beta=3.0).fit_statistics(**members)


def test_a_posted_bias_fits_but_does_not_merge(sims: np.ndarray) -> None:
    method = InvertedSoftmax().fit_statistics(
        log_sum_exp={"beta": 2.0, "item_bias": [0.1, 0.2, 0.3, 0.0, 0.0, 0.0]}
    )
    np.testing.assert_allclose(method.transform(sims), sims - [0.1, 0.2, 0.3, 0, 0, 0])
    with pytest.raises(IncompatibleStatistics):
        method.merge(method)


def test_removal_is_no_subtraction(bank: np.ndarray) -> None:
    assert not InvertedSoftmax(beta=1.0).fit(bank).statistics_.removable


def test_duplicated_bank_rows_shift_every_bias_alike(bank: np.ndarray) -> None:
    once = InvertedSoftmax(beta=20.0).fit(bank).fitted_["item_bias"]
    thrice = InvertedSoftmax(beta=20.0).fit(np.repeat(bank, 3, axis=0)).fitted_["item_bias"]
    np.testing.assert_allclose(thrice - once, np.log(3) / 20, atol=1e-14)
