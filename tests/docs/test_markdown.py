"""Markdown that means what the code says: no accidental emphasis, no broken table."""

from __future__ import annotations

import json

import pytest

from docs.markdown import LONGEST_LINE, prose, readable, table
from docs.parameters import values_of


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("every b_c * d", r"every b\_c \* d"),
        ("`a*b` and ``c_d`` * e", r"`a*b` and ``c_d`` \* e"),
        ("x < y, S[b, j]", r"x &lt; y, S\[b, j\]"),
        ("", ""),
    ],
)
def test_prose_is_meant_literally(text: str, escaped: str) -> None:
    assert prose(text) == escaped


def test_a_bar_in_a_cell_ends_no_column() -> None:
    assert table(("a",), [("x | y `p|q`",)]).splitlines()[-1] == r"| x \| y `p|q` |"


def test_json_stays_json_and_short() -> None:
    value = {
        "short": [1.5, None, True],
        "long": [{"name": "n" * 30, "values": list(range(40))}, "ü"],
        "empty": {},
    }
    text = readable(value)
    assert json.loads(text) == value
    assert '  "short": [1.5, null, true],\n' in text
    assert max(map(len, text.splitlines())) <= LONGEST_LINE


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}, "integer ≥ 1"),
        ({"type": "number", "exclusiveMinimum": 0, "maximum": 1}, "number > 0 and ≤ 1"),
        ({"enum": ["a", 2]}, '`"a"`, `2`'),
        ({"const": None}, "`null`"),
        (
            {"type": "array", "items": {"type": "number"}, "minItems": 2},
            "list of numbers of length ≥ 2",
        ),
        (
            {
                "type": "array",
                "items": {"type": "array", "items": {"type": "number", "minimum": 0}},
            },
            "list of lists of numbers ≥ 0",
        ),
        ({"type": "array", "items": {}}, "list"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "object of texts"),
        ({}, "any"),
        ({"anyOf": [{"enum": ["auto"]}, {"type": "boolean"}]}, '`"auto"` or boolean'),
    ],
)
def test_the_values_of_a_schema_are_told_in_words(schema: dict[str, object], words: str) -> None:
    assert values_of(schema) == words
