"""Bodies that are no JSON, and JSON that is odd (reports 1, 2 and 16)."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.api.bad_bodies.nesting import LEVELS
from tests.api.conftest import Serve
from tests.api.problem import MARKER, paths_of, read_problem, slug_of
from tests.api.routes import ROUTES, Route, hold

DEEP = [b"[" * LEVELS, b'{"a":' * LEVELS, b"[" * LEVELS + b"]" * LEVELS, b'[{"a":' * LEVELS]

# Whatever a body is, these are no JSON text at all.
NO_JSON = {
    "empty": b"",
    "blank": b" \n ",
    "cut off": b'{"method": "min_max"',
    "trailing comma": b'{"method": "min_max",}',
    "two documents": b'{"method": "min_max"} {"method": "min_max"}',
    "a comment": b'{"method": "min_max"} // yes',
    "single quotes": b"{'method': 'min_max'}",
    "UTF-16": '{"method": "min_max"}'.encode("utf-16"),
    "two byte order marks": b"\xef\xbb\xbf" * 2 + b'{"method": "min_max"}',
    "not UTF-8": b'{"method": "\xff\xfe"}',
    "a control character": b'{"method": "min\nmax"}',
    "a repeated key": b'{"method": "min_max", "method": "min_max"}',
    "a nested repeated key": b'{"a": [{"b": 1, "b": 2}]}',
    "a lone surrogate as a key": b'{"\\ud800": 1}',
    "5,000 digits": b'{"a": ' + b"1" * 5000 + b"}",
}
NO_OBJECT = {
    "null": b"null",
    "a list": b"[]",
    "a number": b"5",
    "a string": b'"text"',
    "true": b"true",
}

# At the place of one number: what is sent, and which problem it is.
NO_NUMBER = {
    "NaN": (b"NaN", "unparseable"),
    "Infinity": (b"Infinity", "unparseable"),
    "minus Infinity": (b"-Infinity", "unparseable"),
    "nan in words": (b"nan", "unparseable"),
    "a leading zero": (b"01", "unparseable"),
    "a plus": (b"+1", "unparseable"),
    "hexadecimal": (b"0x1", "unparseable"),
    "a lone surrogate": (b'"\\ud800"', "unparseable"),
    "1e400": (b"1e400", None),
    "minus 1e400": (b"-1e400", None),
    "400 digits": (b"1" * 400, None),
    "true": (b"true", None),
    "false": (b"false", None),
    "a string of digits": (b'"1"', None),
    "nan as a string": (b'"nan"', None),
    "a marker": (b'"' + MARKER.encode() + b'"', None),
    "an empty list": (b"[]", None),
    "a list": (b"[1.0]", None),
    "an empty object": (b"{}", None),
    "an object": (b'{"a": 1}', None),
    "base64 of two values": (
        b'{"dtype": "float64", "shape": [2], "base64": "AAAAAAAAAAAAAAAAAAAAAA=="}',
        None,
    ),
}
PLACED = {"NaN", "Infinity", "minus Infinity", "1e400", "minus 1e400", "400 digits", "true"} | {
    "a string of digits",
    "a marker",
    "a lone surrogate",
}


def test_the_bodies_work_until_they_are_spoiled(serve: Serve) -> None:
    own = serve()
    hold(own)
    for route in ROUTES.values():
        response = route.send(own, route.works)
        assert response.status_code in (200, 201), (route, response.content)


@pytest.mark.parametrize("body", NO_JSON.values(), ids=NO_JSON.keys())
def test_report_16_what_is_no_json_is_400(client: TestClient, route: Route, body: bytes) -> None:
    assert slug_of(route.send(client, body)) == "unparseable"


@pytest.mark.parametrize("body", NO_OBJECT.values(), ids=NO_OBJECT.keys())
def test_report_16_json_that_is_no_object(client: TestClient, route: Route, body: bytes) -> None:
    assert slug_of(route.send(client, body)) == "invalid-input"


@pytest.mark.parametrize("body", DEEP, ids=["lists", "objects", "closed", "both"])
def test_report_16_100_000_levels_of_nesting(client: TestClient, route: Route, body: bytes) -> None:
    assert slug_of(route.send(client, body)) == "unparseable"
    assert slug_of(route.send(client, route.with_value(body))) == "unparseable"


@pytest.mark.parametrize("name", NO_NUMBER)
def test_reports_1_and_2_what_is_no_number(client: TestClient, route: Route, name: str) -> None:
    value, slug = NO_NUMBER[name]
    response = route.send(client, route.with_value(value))
    problem = read_problem(response)
    assert response.status_code == (400 if slug == "unparseable" else 422)
    if name in PLACED:
        assert paths_of(response)[0] == route.place
        assert route.place in str(problem["detail"])


def test_a_null_where_it_has_no_meaning(client: TestClient, route: Route) -> None:
    text = route.text.replace("@", route.number)
    for member in ("method", "name", "input", "runs", "from", "version"):
        start = f'"{member}": '
        if start not in text:
            continue
        tail = text[text.index(start) + len(start) :]
        value = _value_at(tail)
        response = route.send(client, text.replace(start + value, start + "null").encode())
        assert response.status_code == 422
        assert paths_of(response)[0].split(".")[0].split("[")[0] == member


def _value_at(text: str) -> str:
    import json

    _, end = json.JSONDecoder().raw_decode(text)
    return text[:end]


def test_an_unknown_member_is_named_with_the_nearest(client: TestClient, route: Route) -> None:
    body = route.works.replace(b"{", f'{{"{route.near}": "{MARKER}", '.encode(), 1)
    response = route.send(client, body)
    assert response.status_code == 422
    assert paths_of(response) == [route.near]
    assert f"did you mean '{route.missing}'" in str(read_problem(response)["detail"])


def test_long_and_odd_names_of_members_stay_short(client: TestClient, route: Route) -> None:
    for name in ("x" * 100_000, "a\\r\\nb", "\\u0000", "\\u2028", "", "__class__", "é" * 5000):
        body = route.works.replace(b"{", f'{{"{name}": 1, '.encode(), 1)
        response = route.send(client, body)
        assert response.status_code == 422
        read_problem(response)


def test_an_empty_object_lacks_what_it_needs(client: TestClient, route: Route) -> None:
    response = route.send(client, b"{}")
    assert response.status_code == 422
    assert paths_of(response)
