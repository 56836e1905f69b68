"""What a whitening cannot be fitted on, or be asked: each with an error that names it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from normalizers import (
    AllButTheTop,
    GroupCentering,
    GroupSpanRemoval,
    IsotropicStandardization,
    IterativeWhitening,
    Quantization,
    RandomProjection,
    Whitening,
)
from normalizers.errors import NormalizerError

X = np.random.default_rng(0).normal(size=(30, 3))
HOLE = np.where(np.arange(90).reshape(30, 3) == 4, np.nan, X)
COV = {"n": 30, "mean": [0.0, 0.0], "ddof": 1}
LANGUAGES = ["de", "en"] * 15

CASES: dict[str, tuple[Callable[[], object], str]] = {
    "non-finite": (lambda: Whitening().fit(HOLE), "missing"),
    "infinite": (lambda: Whitening().fit(np.where(np.isnan(HOLE), np.inf, X)), "infinit|finite"),
    "one row": (lambda: Whitening().fit(X[:1]), "at least 2 rows"),
    "rank 0": (lambda: Whitening().fit(np.ones((5, 3))), "rank 0"),
    "rank 0, by iterations": (lambda: IterativeWhitening().fit(np.ones((5, 3))), "rank 0"),
    "rank 0, turned": (lambda: IsotropicStandardization().fit(np.ones((5, 3))), "rank 0"),
    "asymmetric": (
        lambda: Whitening().fit_statistics(scatter={**COV, "cov": [[1.0, 0.5], [0.1, 1.0]]}),
        "symmetric",
    ),
    "indefinite": (
        lambda: Whitening().fit_statistics(scatter={**COV, "cov": [[1.0, 2.0], [2.0, 1.0]]}),
        "negative|definite|eigenvalue",
    ),
    "other dims": (lambda: Whitening().fit(X).transform(np.ones((1, 4))), "4"),
    "other dims of posted statistics": (
        lambda: Whitening().fit_statistics(scatter={**COV, "cov": np.eye(3)}),
        r"\(3, 3\), not \(2, 2\)",
    ),
    "other dims of a part": (
        lambda: Whitening().fit(X).merge(Whitening().fit(X[:, :2])),
        "d is 3 here and 2 there",
    ),
    "mixed versions: rows before and after a step": (
        lambda: Whitening(pre="l2").fit(X).merge(Whitening().fit(X)),
        "'pre' is 'l2' here and 'none' there",
    ),
    "mixed versions: by group and of all": (
        lambda: Whitening(scope="group").fit(X, groups=LANGUAGES).merge(Whitening().fit(X)),
        "is .* here and .* there",
    ),
    "unknown group": (
        lambda: GroupCentering().fit(X, groups=LANGUAGES).transform(X[:1], groups=["fr"]),
        "does not know the group 'fr'",
    ),
    "removal of rows that are not there": (
        lambda: Whitening().fit(X[:5]).statistics_.minus(Whitening().fit(X).statistics_),
        "not the rows that were added",
    ),
    "negative weights": (
        lambda: Whitening(weight_kind="frequency").fit(X, sample_weights=[-1.0] * 30),
        "a weight is 0 or between",
    ),
    "no way back": (
        lambda: Whitening(post="l2").fit(X).inverse_transform(X),
        "inverse|way back",
    ),
    "no way back from fewer dims": (
        lambda: RandomProjection(n_components=2).inverse_transform(X[:, :2]),
        "no inverse",
    ),
    "no calibration": (lambda: Quantization(precision="int8").transform(X), "fit"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_refused_by_what_is_wrong(case: str) -> None:
    work, message = CASES[case]
    with pytest.raises(NormalizerError, match=message):
        work()


@pytest.mark.parametrize("method", [AllButTheTop, GroupSpanRemoval])
def test_more_directions_than_there_are_is_a_warning_of_the_fit(method: type) -> None:
    groups = {} if method is AllButTheTop else {"groups": LANGUAGES}
    warnings = method(n_remove=9).fit(X, **groups).report_["warnings"]
    assert any("clamped" in one["code"] for one in warnings), warnings
