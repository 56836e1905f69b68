from __future__ import annotations

import pytest

from normd.cli.errors import Misuse
from normd.cli.options.parameters import MethodOption, assignments, literal

TEXT = {"type": "string"}
NUMBER = {"type": "number"}
NUMBERS = {"type": "array", "items": NUMBER}
TEXTS = {"type": "array", "items": TEXT}
NAMED = {"type": "object", "additionalProperties": NUMBER}
ANY = {"type": "array", "items": {}}


def option(*alternatives: dict[str, object], **said: object) -> MethodOption:
    return MethodOption("some_name", {"anyOf": [*alternatives, {"type": "null"}], **said})


@pytest.mark.parametrize(
    "alternatives, text, value",
    [
        ([TEXT], "3", "3"),
        ([NUMBER], "3", 3),
        ([NUMBER], "1e-3", 0.001),
        ([NUMBER], "three", "three"),
        ([NUMBER], "NaN", "NaN"),
        ([{"enum": ["none", "auto"], "type": "string"}, NUMBER], "auto", "auto"),
        ([{"enum": ["none", "auto"], "type": "string"}, NUMBER], "0.5", 0.5),
        ([NUMBERS], "5,95", [5, 95]),
        ([NUMBERS], "[5, 95]", [5, 95]),
        ([NUMBERS], "5", [5]),
        ([TEXTS], "fr,1", ["fr", "1"]),
        ([NUMBERS, NAMED], "a=1,b=0.5", {"a": 1, "b": 0.5}),
        ([NUMBERS, NAMED], '{"a": 1}', {"a": 1}),
        ([NUMBERS, NUMBER], "5", 5),
        ([ANY], '["min_max"]', ["min_max"]),
        ([ANY], "min_max", ["min_max"]),
    ],
)
def test_a_text_means_what_the_schema_admits(
    alternatives: list[dict[str, object]], text: str, value: object
) -> None:
    assert option(*alternatives).value(text) == value


@pytest.mark.parametrize(
    "alternatives, metavar",
    [
        ([{"enum": ["a", "b"], "type": "string"}], "a|b"),
        ([{"const": "auto", "type": "string"}, NUMBER], "auto|NUMBER"),
        ([NUMBERS, NAMED], "NUMBER,...|NAME=NUMBER,..."),
        ([ANY], "JSON"),
        ([{}], "JSON"),
    ],
)
def test_a_metavar_shows_what_a_value_looks_like(
    alternatives: list[dict[str, object]], metavar: str
) -> None:
    assert option(*alternatives).metavar == metavar


def test_help_says_bounds_and_what_holds_without_it() -> None:
    said = option({"type": "number", "exclusiveMinimum": 0}, description="how much", default=2.0)
    assert said.help == "how much (> 0; default: 2.0)"
    resolved = option(NUMBER, **{"description": "how much", "x-resolves": "the data's"})
    assert resolved.help == "how much (default: the data's)"


def test_flags_have_dashes_and_switches_are_recognised() -> None:
    assert option(NUMBER).flag == "--some-name"
    assert option({"type": "boolean"}).is_switch
    assert not option({"type": "boolean"}, NUMBER).is_switch


@pytest.mark.parametrize(
    "text, value", [("null", None), ('"a"', "a"), ("[1", "[1"), ("Infinity", "Infinity")]
)
def test_literals(text: str, value: object) -> None:
    assert literal(text) == value


def test_assignments_are_read_as_their_options_would() -> None:
    known = [MethodOption("names", TEXTS), MethodOption("size", NUMBER)]
    assert assignments(["names=a,b", "size=3"], known) == {"names": ["a", "b"], "size": 3}
    for wrong in (["size"], ["sise=3"], ["size=3", "size=4"]):
        with pytest.raises(Misuse, match="--param"):
            assignments(wrong, known)
