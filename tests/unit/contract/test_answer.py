"""What a request may ask for, and what a method answers."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.contract.answer import Answer, Options, answer
from normalizers.data.batch import notice
from normalizers.errors import InvalidInput, InvalidParams

VALUES = np.array([1.0, 2.0])


def test_options_are_off_when_they_are_not_asked_for() -> None:
    for none in (None, {}):
        options = Options.read(none)
        assert (options.explain, options.strict) == (False, False)
        assert options.asked == frozenset()
    assert Options.read({"explain": True, "depth": 3}).asked == {"explain", "depth"}


@pytest.mark.parametrize(
    ("given", "place", "what"),
    [
        ({"explian": True}, "options.explian", "did you mean 'explain'"),
        ({"x" * 500: 1}, "options." + "x" * 60 + "...", "known: explain"),
        ({"explain": 1}, "options.explain", "valid boolean"),
        ({"explain": None}, "options.explain", "valid boolean"),
        ({"depth": 0}, "options.depth", "greater than or equal to 1"),
        ({"depth": True}, "options.depth", "valid integer"),
        ({"depth": "3"}, "options.depth", "valid integer"),
        ({"offset": -1}, "options.offset", "greater than or equal to 0"),
        ({"min_score": float("nan")}, "options.min_score", "finite"),
        ({"layout": 3}, "options.layout", "valid string"),
    ],
)
def test_wrong_options_are_named(given: dict[str, object], place: str, what: str) -> None:
    with pytest.raises(InvalidParams, match=what) as caught:
        Options.read(given)
    assert caught.value.path == place


def test_flags_add_up_sorted_and_without_repeats() -> None:
    made = answer(VALUES, "values", constant=np.array([2]), clipped=np.array([], dtype=np.int64))
    made = made.flagged("constant", np.array([0, 2]))
    made = made.flagged("missing", np.array([[1, 0], [0, 1]]))
    made = made.flagged("missing", np.array([[1, 0]]))
    assert {name: places.tolist() for name, places in made.flags.items()} == {
        "constant": [0, 2],
        "missing": [[0, 1], [1, 0]],
    }
    assert made["values"] is VALUES


def test_an_answer_is_never_changed() -> None:
    made = Answer({"values": VALUES})
    made.flagged("constant", np.array([0]))
    made.warned(notice("few_rows", "few"))
    assert (dict(made.flags), made.warnings) == ({}, ())
    assert [noted.code for noted in made.warned(notice("a", "b"), notice("c", "d")).warnings] == [
        "a",
        "c",
    ]


def test_strict_refuses_flags_and_clamped_sizes() -> None:
    made = Answer({"values": VALUES})
    made.require_clean()
    made.warned(notice("few_rows", "few")).require_clean()
    for unclean in (
        made.flagged("constant", np.array([0])),
        made.warned(notice("depth_clamped", "too deep")),
    ):
        with pytest.raises(InvalidInput, match=r"carries (constant|depth_clamped)") as caught:
            unclean.require_clean()
        assert caught.value.path == "options.strict"
