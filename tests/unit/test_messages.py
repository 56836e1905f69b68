"""Suggestions for misspelt names."""

from __future__ import annotations

import pytest

from normalizers.messages import FOREIGN_SPELLINGS, did_you_mean, printable_name, quoted, suggestion


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
    assert "x" not in FOREIGN_SPELLINGS


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("plain", "plain"),
        ("é漢", "é漢"),
        ("a\nb\t\x1b[31m\x00", "a\\nb\\t\\x1b[31m\\x00"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 60 + "..."),
        ("", ""),
        (3, "3"),
    ],
)
def test_a_name_is_shown_cut_and_without_control_characters(name: object, seen: str) -> None:
    assert printable_name(name) == seen
    assert quoted(name) == f"'{seen}'"
    assert printable_name(name).isprintable()
