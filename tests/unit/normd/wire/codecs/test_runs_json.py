"""The fast decoder of bodies with runs says what the strict one says, or nothing."""

from __future__ import annotations

import orjson
import pytest

from normalizers.errors import InvalidInput
from normd.wire.codecs import json
from normd.wire.codecs.document import DecodeLimits
from normd.wire.codecs.errors import TooLarge, Unparseable
from normd.wire.codecs.runs_json import LONG, parse_runs

IDS = [f"d:{place}" for place in range(LONG)]
SCORES = [place / 7 for place in range(LONG)]
BODY = {"method": "rrf", "k": 5, "runs": [{"name": "é", "ids": IDS, "scores": SCORES}]}


def text(**members: object) -> bytes:
    return orjson.dumps({**BODY, **members})


def test_long_scores_are_arrays_and_all_else_is_as_it_was() -> None:
    tree = parse_runs(text(), DecodeLimits())
    (run,) = tree["runs"]
    assert run["scores"].tolist() == SCORES
    assert run["ids"] == IDS
    assert {**tree, "runs": [{**run, "scores": SCORES}]} == json.decode_lists(
        text(), DecodeLimits()
    ).tree


@pytest.mark.parametrize(
    "scores", [[None, *SCORES], [*SCORES, True], [*SCORES, "1"], [SCORES, SCORES], SCORES[:5], []]
)
def test_scores_that_are_no_long_list_of_numbers_stay_lists(scores: list[object]) -> None:
    (run,) = parse_runs(text(runs=[{"ids": IDS, "scores": scores}]), DecodeLimits())["runs"]
    assert run["scores"] == scores
    assert [type(score) for score in run["scores"]] == [type(score) for score in scores]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[1]",
        text().replace(b'"k":5', b'"k":5,"k":5'),
        text().replace(b'"k":5', b'"k":5,"k" :5'),
        text().replace(b'"k":5', b'"k":NaN'),
        text().replace(b'"k":5', b'"k":18446744073709551616'),
        text().replace(b'"d:7"', b"18446744073709551616"),
        text().replace(b'"d:7"', b'"\\ud800"'),
        text().replace(b'"k":5', b'"k":1e400'),
        text().replace(b'"k":5', b'"k":' + b"[" * 80 + b"]" * 80),
        text().replace(b'"d:7"', b"\xff"),
        text()[:-1],
        text(runs=[{"ids": IDS, "scores": {"dtype": "float64", "shape": [0], "base64": ""}}]),
    ],
)
def test_what_is_not_certain_is_left_to_the_strict_decoder(body: bytes) -> None:
    with pytest.raises(Unparseable):
        parse_runs(body, DecodeLimits())


def test_a_repeated_key_is_refused_and_a_large_integer_is_an_id() -> None:
    with pytest.raises(Unparseable, match="stands twice"):
        json.decode(text().replace(b'"k":5', b'"k":5,"k":6'), DecodeLimits())
    large = json.decode(text().replace(b'"d:7"', b"18446744073709551616"), DecodeLimits()).tree
    assert large["runs"][0]["ids"][7] == 18446744073709551616
    with pytest.raises(InvalidInput, match="beyond the range"):
        json.decode(text().replace(b'"k":5', b'"k":1e400'), DecodeLimits())
    with pytest.raises(TooLarge):
        json.decode(text(), DecodeLimits(values=LONG))


def test_colons_in_strings_make_no_keys() -> None:
    assert parse_runs(text(name='a":b'.replace('"', "'")), DecodeLimits())
    with pytest.raises(Unparseable):
        parse_runs(text(name='a":b'), DecodeLimits())
