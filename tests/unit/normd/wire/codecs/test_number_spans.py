from __future__ import annotations

import json

import pytest

from normd.wire.codecs import number_spans
from normd.wire.codecs.number_spans import Span, find_spans, without

LONG = json.dumps([0.5] * number_spans.SHORTEST).encode()


def found(body: bytes) -> list[bytes]:
    return [body[span.start : span.stop] for span in find_spans(body)]


@pytest.mark.parametrize("before", [b"", b'{"x": ', b'"a", null, ', b"{}, true, "])
@pytest.mark.parametrize("after", [b"", b", 1", b'}, {"y": []', b"}}", b", {}, [2]"])
def test_a_long_list_is_found_whatever_stands_around_it(before: bytes, after: bytes) -> None:
    assert found(before + LONG + after) == [LONG]


def test_every_long_list_is_found_between_many_short_strings() -> None:
    ids = json.dumps(["a", "bb", "ccc"] * 1000).encode()
    body = b'{"ids": ' + ids + b', "x": ' + LONG + b', "more": {"ids": ' + ids + b', "y":' + LONG
    assert found(body + b'}, "z": [1, 2]}') == [LONG, LONG]


def test_what_is_short_or_no_list_is_left() -> None:
    objects = b"[" + b",".join([b'{"a": 1}'] * 2000) + b"]"
    for body in (b"", b"[1, 2]", b"1" * 9000, b'"' + b"a" * 9000, objects, b"]" * 9000 + b"["):
        assert find_spans(body) == []


@pytest.mark.parametrize("length", [number_spans.SHORTEST - 1, number_spans.SHORTEST])
def test_the_shortest_list_that_is_found(length: int) -> None:
    body = b"[" + b"1" * (length - 1) + b"]"
    assert len(find_spans(b'{"x":' + body + b"}")) == (length == number_spans.SHORTEST)


def test_cutting_leaves_one_token_each_unless_it_stands_there() -> None:
    body = b'{"x":[1,2],"y":[3]}'
    spans = [Span(5, 10), Span(15, 18)]
    assert without(body, spans) == b'{"x":NaN,"y":NaN}'
    assert without(body, spans[1:]) == b'{"x":[1,2],"y":NaN}'
    assert without(body, []) == body
    assert without(b'{"x":[1,2],"NaN":1}', spans[:1]) is None
