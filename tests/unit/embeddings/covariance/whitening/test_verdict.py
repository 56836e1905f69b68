"""The verdict on real vectors, few and many, on their transposes, and on other data."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits

from normalizers import GroupCentering, Whitening

FOLDER = Path(__file__).parents[6] / "shared" / "data" / "embeddings"
LANGUAGES = ("en", "de", "es", "ru", "zh")


@cache
def space(name: str) -> np.ndarray:
    if name == "digits":
        return np.asarray(load_digits(return_X_y=True)[0])
    file, _, part = name.partition(":")
    path = FOLDER / f"{file}.npz"
    if not path.exists():
        pytest.skip("the embeddings are not here")
    with np.load(path) as found:
        parts = LANGUAGES if part == "all" else (part or "emb",)
        x = np.vstack([np.asarray(found[one], dtype=np.float64) for one in parts])
    return np.asarray(np.random.default_rng(0).permutation(x))


def verdict_on(x: np.ndarray) -> str:
    return str(Whitening().fit(x).report_["verdict"]["code"])


@pytest.mark.parametrize("n", [20, 50, 0, 2000])  # 0 stands for the number of dims
@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("minilm_stsb_fit", "leave_alone"),
        ("minilm_stsb_test", "leave_alone"),
        ("wordavg_stsb_fit", "full"),
        ("wordavg_stsb_test", "full"),
        ("e5_parallel:en", "centre"),
        ("e5_parallel:all", "centre"),
        ("digits", "centre"),
    ],
)
def test_the_verdict_is_right_or_abstains_and_names_a_wrong_axis(
    name: str, right: str, n: int
) -> None:
    x = space(name)
    rows = x[: n or x.shape[1]]
    enough = len(rows) >= 0.1 * x.shape[1]
    assert verdict_on(rows) == (right if enough else "unknown")
    found = Whitening().fit(rows.T).report_
    assert found["verdict"]["code"] == "unknown"
    assert "the axis may be wrong" in found["verdict"]["says"]
    assert "whiten" not in {one["code"] for one in found["advice"]}


def test_languages_are_told_to_be_centred_apart_and_groups_by_chance_are_not() -> None:
    with np.load(FOLDER / "e5_parallel.npz") if FOLDER.exists() else _skip() as found:
        x = np.vstack([np.asarray(found[one], dtype=np.float64) for one in LANGUAGES])
    languages = np.repeat(LANGUAGES, len(x) // len(LANGUAGES))
    for method in (GroupCentering(), Whitening(scope="group")):
        told = type(method)(**method.explicit_params).fit(x, groups=languages).report_
        assert told["verdict"]["code"] == "centre_by_group"
        drawn = np.random.default_rng(1).permutation(languages)
        told = type(method)(**method.explicit_params).fit(x, groups=drawn).report_
        assert told["verdict"]["code"] == "centre"


def _skip() -> None:
    pytest.skip("the embeddings are not here")


def test_the_verdict_carries_its_evidence_and_where_it_was_measured() -> None:
    told = Whitening().fit(load_digits(return_X_y=True)[0]).report_["verdict"]
    assert told["evidence"]["unbiased_isoscore"] == pytest.approx(0.195, abs=0.01)
    assert "sentence vectors" in told["measured_on"]


def test_columns_that_were_standardized_are_no_wrong_axis() -> None:
    x = np.random.default_rng(0).normal(size=(200, 12)) @ np.random.default_rng(1).normal(
        size=(12, 12)
    )
    assert verdict_on((x - x.mean(axis=0)) / x.std(axis=0)) != "unknown"


def test_a_spectrum_between_the_bounds_is_whitened_softly() -> None:
    values = np.array([1 + 1.7 * 4.6, *[1 - 1.7 * 4.6 / 21] * 21])
    ratio = values.sum() ** 2 / np.sum(values**2)
    assert 0.12 < (ratio - 1) / 21 < 0.3
    posted = {"n": 10_000, "mean": [0.0] * 22, "cov": np.diag(values), "ddof": 1}
    code = Whitening().fit_statistics(scatter=posted).report_["verdict"]["code"]
    assert code == ("soft" if (ratio - 1) / 21 <= 0.16 else "leave_alone")
