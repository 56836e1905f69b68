"""Whichever way a body is read, it says the same: numbers to the bit, errors to the word."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from normalizers.data.json_numbers import ParsedNumbers
from normalizers.errors import NormalizerError
from normalizers.validation.numbers import number_array
from normd.wire.codecs import DecodeLimits, Document, json
from normd.wire.codecs.errors import CodecError
from normd.wire.codecs.fast_json import parse_fast
from tests.unit.normd.wire.codecs.fast_ways import TOKENS, WAYS, force

ROW = "[0.25, -1.5e-3, 7, 1e300]"


@pytest.fixture(
    params=[
        (way, *sizes) for way in WAYS for sizes in ((1, 10**9), (10**9, 10**9), (1, 4), (10**9, 4))
    ],
    ids=str,
)
def fast(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the shortest lists the fast way: row by row, and all at once; whole, and in pieces."""
    way, wide, piece = request.param
    force(monkeypatch, way, wide=wide, piece=piece)


def said(
    decode: Callable[[bytes, DecodeLimits], Document], body: bytes, bounds: DecodeLimits
) -> object:
    """Return what a body says, in lists whose repr shows every bit, or what is wrong with it."""
    try:
        document = decode(body, bounds)
    except (CodecError, NormalizerError) as error:
        return type(error), str(error), error.path, getattr(error, "limit", None)
    return repr(_listed(document.tree)), document.encoded


def _listed(node: object) -> object:
    if isinstance(node, ParsedNumbers):
        lists = node.lists()
        assert number_array(lists, "x").tobytes() == node.array.tobytes()
        assert number_array(lists, "x").shape == node.array.shape
        return lists
    if isinstance(node, dict):
        return {key: _listed(child) for key, child in node.items()}
    return node


def same(body: str | bytes, bounds: DecodeLimits | None = None) -> None:
    text = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    chosen = bounds or DecodeLimits()
    assert said(json.decode, text, chosen) == said(json.decode_lists, text, chosen)


def written(body: bytes) -> list[ParsedNumbers]:
    def found(node: object) -> Iterator[ParsedNumbers]:
        if isinstance(node, ParsedNumbers):
            yield node
        for child in node.values() if isinstance(node, dict) else ():
            yield from found(child)

    return list(found(json.decode(body).tree))


@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("token", TOKENS)
def test_one_odd_token_among_numbers(token: str) -> None:
    for lists in (
        f"[{token}]",
        f"[{token}, 1.5, 2]",
        f"[1.5, 2, {token}]",
        f"[1.5, {token} , 2]",
        f"[[{token}, 2], [3, 4]]",
        f"[[1, 2], [3, {token}]]",
        f"[[1, 2]{token}, [3, 4]]",
        f"[[1, 2], [3, 4]{token}]",
        f"[[1, 2] {token} [3, 4]]",
        f"[{token}[1, 2], [3, 4]]",
        f"[[[1, {token}], [3, 4]], [[5, 6], [7, 8]]]",
        f"{token}[1, 2]",
        f"[1, 2]{token}",
    ):
        same(f'{{"input": {{"x": {lists}}}}}')


@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize(
    "lists",
    [
        "[]", "[[]]", "[[], []]", "[[1], []]", "[[], [1]]", "[[1, 2], [3]]", "[[1], [2, 3]]",
        "[[1, 2], 3]", "[1, [2, 3]]", "[[1, [2]], [3, 4]]", "[[1, 2], [3, [4]]]", "[[[1]], [2]]",
        "[[1], [[2]]]", "[[1, 2,], [3, 4]]", "[[1, 2], [3, 4],]", "[[1, 2],, [3, 4]]",
        "[[1, 2] [3, 4]]", "[[1, 2]], [[3, 4]]", "[[1, 2], [3, 4]]]", "[[[1, 2], [3, 4]]",
        "[[[1]], []]", "[[], [[1]]]", "[[[], []], []]", "[[[], []], [[], []]]",
        "[[1,2],[3,4]", "[1, 2]]", "[[1, 2]", "[1, 2][3, 4]", "[1][2]", "[1]2", "-[1, 2]",
        "1[2, 3]", "[ \t\n\r[ 1 ,\n2 ]\t,\r\n[ 3 , 4 ] ]", "[\x0b[1, 2]]", "[[1, 2]\x0c]",
        "[[1], [2], [3]]", "[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]", "[[[1, 2]], [[3, 4], [5, 6]]]",
        "[[[[1, 2]]]]", "[[[[[1, 2]]]]]", "[[[[[[1, 2]]]]]]", "[[[[[[[[1]]]]]]]]",
        "[1, 2], 3", "[1, 2}", "[[1, 2], {}]", '[1, 2], "y": [3, 4]', '[1, 2], "x": [3, 4]',
        "[1, 2]} , {", "true[1]", "[1]true", "NaN, [1]", "[[1,2],[3,4]] [[5,6]]",
    ],
)  # fmt: skip
def test_one_odd_list(lists: str) -> None:
    for body in (
        f'{{"input": {{"x": {lists}}}}}',
        f'{{"input": {{"x": {lists}, "y": {ROW}}}}}',
        f'{{"fit": {{"y": {ROW}}}, "input": {{"x": {lists}}}, "method": "m"}}',
    ):
        same(body)


@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize(
    "body",
    [
        ROW,
        f"[{ROW}]",
        f'{{"input": {ROW}}}',
        f'{{"input": [{{"x": {ROW}}}]}}',
        f'{{"params": {{"x": {ROW}}}, "input": {{"x": {ROW}}}}}',
        f'{{"input": {{"state": {{"x": {ROW}}}, "x": {ROW}}}}}',
        f'{{"runs": [{{"ids": ["a"], "scores": {ROW}}}]}}',
        f'{{"input": {{"x": {ROW}}}, "input": {{"x": {ROW}}}}}',
        f'{{"input": {{"x": {ROW}, "x": {ROW}}}}}',
        f'{{"input": {{"x": {ROW}, "\\u0078": {ROW}}}}}',
        f'{{"input": {{"x": "{ROW}"}}}}',
        f'{{"input": {{"x": "a\\\\", "y": {ROW}}}}}',
        f'{{"input": {{"x": "a\\"", "y": {ROW}}}}}',
        f'{{"input": {{"x": "a\\{ROW}"}}}}',
        f'{{"input": {{"x": "a\\{ROW},"y": 1}}}}',
        f'{{"input": {{{ROW}: 1}}}}',
        f'{{"input": {{"{ROW}": {ROW}}}}}',
        f'{{"input": {{"x": "{ROW}", "y": NaN}}}}',
        f'{{"input": {{"x": {ROW}, "y": NaN}}}}',
        f'{{"input": {{"x": {ROW}, "y": -Infinity}}}}',
        f'{{"input": {{"x": "{ROW}", "y": -Infinity}}}}',
        f'{{"input": {{"x": {ROW}, "y": "NaN"}}}}',
        f'{{"input": {{"x": {ROW}, "NaN": 1, "y": 01}}}}',
        f'{{"input": {{"x": {ROW}, "y": "\\ud800"}}}}',
        f'{{"input": {{"x": {ROW}, "y": "\ud800"}}}}',
        f'{{"input": {{"x": {ROW}, "y": "\u00e9\U0001f600"}}}}',
        f'{{"input": {{"x": {ROW}, "y": 1e400}}}}',
        f'{{"input": {{"dtype": "float64", "shape": {ROW}}}}}',
        f'{{"input": {{"dtype": "float64", "shape": [4], "base64": {ROW}}}}}',
        f'{{"input": {{"x": {{"dtype": "float64", "shape": {ROW}, "base64": ""}}}}}}',
        f'{{"input": {{"x": {{"dtype": "uint8", "shape": [1], "base64": "AA=="}}, "y": {ROW}}}}}',
        f'{{"input": {{"x": {ROW}}}}} {{}}',
        f'{{"input": {{"x": {ROW}}}',
        f'\ufeff{{"input": {{"x": {ROW}}}}}',
        f'{{"input": {{"x": {ROW}, "y": [["a", 1], ["b", 2]], "z": [[1, null], [2, 3]]}}}}',
        f'{{"weights": {{"W": [{ROW}, {ROW}]}}, "input": {{"ids": [1, 2, 3]}}}}',
    ],
)
def test_one_odd_place(body: str) -> None:
    same(body)


@pytest.mark.usefixtures("fast")
def test_bounds_are_kept_to_the_value_and_the_level() -> None:
    body = f'{{"fit": {{"x": [{ROW}, {ROW}]}}, "input": {{"x": {ROW}, "y": [1, "a"]}}}}'
    for values in range(16):
        same(body, DecodeLimits(values=values))
    for depth in range(7):
        same(body, DecodeLimits(depth=depth))


FINITE = st.floats(allow_nan=False, allow_infinity=False).map(repr)
LISTS = st.recursive(
    st.sampled_from(TOKENS[:36]) | FINITE,
    lambda inner: st.lists(inner, max_size=4).map(lambda items: f"[{', '.join(items)}]"),
    max_leaves=12,
)
RECTANGLES = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda shape: st.lists(
        st.lists(
            st.sampled_from(TOKENS[:24]) | FINITE,
            min_size=shape[1], max_size=shape[1],
        ).map(lambda row: f"[{','.join(row)}]"),
        min_size=shape[0], max_size=shape[0],
    ).map(lambda rows: f"[{', '.join(rows)}]")
)  # fmt: skip
EDITS = '[]{},:"\\0123456789.eE+- \nNaInftyrul\u00e9'


@pytest.mark.usefixtures("fast")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(LISTS | RECTANGLES, min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_any_lists_and_any_slips_of_the_pen(fields: list[str], chance: random.Random) -> None:
    members = ", ".join(f'"{name}": {lists}' for name, lists in zip("xyz", fields, strict=False))
    body = f'{{"method": "m", "input": {{{members}}}, "options": {{"a": "[1,2]"}}}}'
    same(body)
    for _ in range(3):
        place = chance.randrange(len(body))
        cut = chance.choice([0, 1, 2])
        same(body[:place] + chance.choice(["", *EDITS]) + body[place + cut :])


@pytest.mark.usefixtures("fast")
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_read_to_the_bit(numbers: list[float]) -> None:
    array = np.array([numbers, numbers[::-1]])
    (field,) = written(json.encode({"input": {"x": array}}))
    assert field.array.tobytes() == array.tobytes()


@pytest.mark.parametrize("way", WAYS)
def test_long_lists_come_as_arrays_and_short_ones_as_lists(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    force(monkeypatch, way, shortest=1024, wide=1024)
    rows = np.random.default_rng(5).standard_normal((7, 300))
    body = json.encode(
        {"fit": {"x": rows, "y": rows[0, :5]}, "input": {"x": rows[:, :9], "ids": [1]}}
    )
    assert [field.array.shape for field in written(body)] == [(7, 300), (7, 9)]
    assert json.decode(body).tree["input"]["ids"] == [1]  # type: ignore[index]
    assert json.decode_lists(body, DecodeLimits()).tree["fit"]["x"] == rows.tolist()  # type: ignore[index]


def test_only_fields_come_as_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    force(monkeypatch, "msgspec")
    body = '{"params": {"a": [1]}, "statistics": {"a": [1]}, "options": {"a": [1]}, "a": [1], '
    deeper = '"runs": [{"scores": [1]}], "input": {"state": {"a": [1]}, "hits": [{"a": [1]}]}}'
    assert written((body + deeper).encode()) == []


def test_a_doubtful_span_costs_the_others_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    force(monkeypatch, "msgspec")
    tree = parse_fast(
        b'{"input": {"x": [[1, 2]], "y": [[1], [2, 3]], "z": [1, null]}}', DecodeLimits()
    )
    kinds = {name: type(value) for name, value in tree["input"].items()}  # type: ignore[index]
    assert kinds == {"x": ParsedNumbers, "y": list, "z": list}
