"""Suggestions for misspelt names."""

from __future__ import annotations

import pytest

from normalizers.spelling import PEERS_SPELLINGS, did_you_mean, suggestion


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("epss", ["eps", "k"], "eps"),
        ("Min-Max", ["min_max", "max_abs"], "min_max"),
        ("vectors", ["x", "groups"], "x"),
        ("indptr", ["offsets"], "offsets"),
        ("vectors", ["k"], None),
        ("zzz", ["eps"], None),
        ("", ["eps"], None),
        ("eps", [], None),
    ],
)
def test_the_nearest_name(name: str, known: list[str], expected: str | None) -> None:
    assert suggestion(name, known) == expected
    assert did_you_mean(name, known) == (f"; did you mean '{expected}'?" if expected else "")


def test_a_spelling_of_a_peer_wins_over_a_close_name() -> None:
    assert suggestion("group", ["groups", "group_by"]) == "groups"
    assert "x" not in PEERS_SPELLINGS
