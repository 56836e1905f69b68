"""The demonstration ends by itself, and README shows what it prints."""

from __future__ import annotations

import re

import numpy as np
import pytest

from demo import measures
from demo.table import Row, Section, render
from tests.docs.demonstration import demonstrated, shown

# The third decimal may turn with the last bits of a solved matrix.
TOLERANCE = 0.002
ROUNDING = 1e-14


def cells(table: str) -> list[list[str]]:
    """Return the cells of every row, without title lines."""
    lines = [line.strip() for line in table.splitlines() if line.startswith("  ")]
    return [re.split(r" {2,}", line) for line in lines]


def agree(shown: str, printed: str) -> bool:
    if re.fullmatch(r"0\.\d+", shown):
        return abs(float(shown) - float(printed)) <= TOLERANCE
    if re.fullmatch(r"\de-\d+", shown):
        return float(printed) < ROUNDING
    return shown == printed


def test_the_readme_shows_what_it_prints() -> None:
    told = cells(shown())
    printed = cells(demonstrated())
    assert [len(row) for row in told] == [len(row) for row in printed]
    for expected, row in zip(told, printed, strict=True):
        assert all(map(agree, expected, row)), f"shown {expected}, printed {row}: run make readme"


def test_average_precision_by_hand() -> None:
    scores = np.array([[0.9, 0.5, 0.7], [0.1, 0.3, 0.2]])
    relevant = np.array([[True, False, True], [True, False, False]])
    assert measures.mean_average_precision(scores, relevant) == pytest.approx((1 + 1 / 3) / 2)
    assert measures.top_one(scores, relevant) == 0.5
    assert measures.average_precision_at(np.array([True, False]), 4) == 0.25
    assert measures.never_found(scores, 1) == pytest.approx(1 / 3)


def test_threshold_takes_ties_together() -> None:
    scores = np.array([0.9, 0.5, 0.5, 0.1])
    relevant = np.array([True, True, False, False])
    threshold = measures.best_threshold(scores, relevant)
    assert threshold == 0.5
    assert measures.f1(scores >= threshold, relevant) == pytest.approx(0.8)


def test_pairs_in_order() -> None:
    assert measures.pair_accuracy(np.array([1.0, 3.0, 2.0]), np.array([1.0, 2.0, 3.0])) == 2 / 3


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (Row("a", "b", 0.5, 0.6), "better"),
        (Row("a", "b", 0.5, 0.4), "WORSE"),
        (Row("a", "b", 0.5, 0.5002), "no change"),
        (Row("a", "b", 0.5, 0.4, lower_is_better=True), "better"),
        (Row("a", "b", "", "yes"), ""),
    ],
)
def test_verdict_follows_what_is_shown(row: Row, verdict: str) -> None:
    assert row.verdict == verdict
    assert (
        render([Section("title", [row])])
        .splitlines()[-1]
        .rstrip()
        .endswith(row.cells[3] + (f"  {verdict}" if verdict else ""))
    )
