from __future__ import annotations

import numpy as np
import pytest

from normalizers import Percentile
from normalizers.evaluation import drift


def compared(fitted: np.ndarray, live: np.ndarray) -> dict[str, object]:
    version = Percentile().fit(fitted.tolist()).version_
    found = drift(version, version.read({"scores": live.tolist()}))["verdict"]
    assert isinstance(found, dict)
    return found


def test_a_large_sample_does_not_make_a_small_difference_one() -> None:
    random = np.random.default_rng(0)
    found = compared(random.normal(size=20_000), random.normal(loc=0.08, size=20_000))
    assert found["ks"] > found["chance"]  # type: ignore[operator]
    assert (found["drifted"], found["size"]) == (False, "none")


def test_a_small_sample_says_nothing_by_its_noise_alone() -> None:
    random = np.random.default_rng(0)
    drifted = [
        compared(random.normal(size=40), random.normal(size=12))["drifted"] for _ in range(60)
    ]
    assert sum(map(bool, drifted)) <= 4


@pytest.mark.parametrize(("loc", "size"), [(0.4, "small"), (2.0, "large")])
def test_the_size_of_a_shift_is_told_in_spreads(loc: float, size: str) -> None:
    random = np.random.default_rng(0)
    found = compared(10 * random.normal(size=2000), 10 * random.normal(loc=loc, size=1500))
    assert found["shift"] == pytest.approx(loc, abs=0.12)
    assert (found["drifted"], found["size"]) == (True, size)


def test_what_has_no_spread_has_no_shift() -> None:
    found = compared(np.ones(50), np.full(50, 2.0))
    assert found["shift"] is None
    assert (found["drifted"], found["ks"], found["out_of_range"]) == (True, 1.0, 1.0)


@pytest.mark.parametrize(
    ("moved", "told"), [(100.0, "100 % out of range"), (0.0, "0 % out of range")]
)
def test_a_share_is_told_in_percent(moved: float, told: str) -> None:
    values = np.arange(50.0)
    assert told in str(compared(values, values + moved)["text"])
