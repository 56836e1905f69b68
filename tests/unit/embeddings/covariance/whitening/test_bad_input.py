"""What a whitening cannot be fitted on, or be asked: each with an error that names it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from normalizers import AllButTheTop, Quantization, Whitening
from normalizers.errors import NormalizerError

X = np.random.default_rng(0).normal(size=(30, 3))
HOLE = np.where(np.arange(90).reshape(30, 3) == 4, np.nan, X)
COV = {"n": 30, "mean": [0.0, 0.0], "ddof": 1}

CASES: dict[str, tuple[Callable[[], object], str]] = {
    "non-finite": (lambda: Whitening().fit(HOLE), "missing"),
    "infinite": (lambda: Whitening().fit(np.where(np.isnan(HOLE), np.inf, X)), "infinit|finite"),
    "one row": (lambda: Whitening().fit(X[:1]), "at least 2 rows"),
    "rank 0": (lambda: Whitening().fit(np.ones((5, 3))), "rank 0"),
    "asymmetric": (
        lambda: Whitening().fit_statistics(scatter={**COV, "cov": [[1.0, 0.5], [0.1, 1.0]]}),
        "symmetric",
    ),
    "indefinite": (
        lambda: Whitening().fit_statistics(scatter={**COV, "cov": [[1.0, 2.0], [2.0, 1.0]]}),
        "negative|definite|eigenvalue",
    ),
    "other dims": (lambda: Whitening().fit(X).transform(np.ones((1, 4))), "4"),
    "negative weights": (
        lambda: Whitening(weight_kind="frequency").fit(X, sample_weights=[-1.0] * 30),
        "a weight is 0 or between",
    ),
    "no way back": (
        lambda: Whitening(post="l2").fit(X).inverse_transform(X),
        "inverse|way back",
    ),
    "no calibration": (lambda: Quantization(precision="int8").transform(X), "fit"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_refused_by_what_is_wrong(case: str) -> None:
    work, message = CASES[case]
    with pytest.raises(NormalizerError, match=message):
        work()


def test_more_directions_than_there_are_is_a_warning_of_the_fit() -> None:
    warnings = AllButTheTop(n_remove=9).fit(X).report_["warnings"]
    assert any("clamped" in one["code"] for one in warnings), warnings
