"""Depth and number of containers, told from the brackets of a JSON text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from normd.wire.codecs import DecodeLimits, TooLarge, Unparseable, fast_json, json_nesting
from normd.wire.codecs import json as codec
from normd.wire.codecs.json_nesting import FREE_CONTAINERS, check_containers, check_depth

TREES = st.recursive(
    st.text(alphabet='[]{}"\\a,é', max_size=6) | st.integers(0, 9),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text('[{"\\', max_size=3), inner)
    ),
    max_leaves=12,
)


def depth_of(tree: object) -> int:
    children = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    inside = max(map(depth_of, children), default=0)
    return inside + isinstance(tree, (list, dict))


@given(tree=TREES, ascii=st.booleans(), chunk=st.integers(1, 9))
def test_only_brackets_outside_strings_nest(tree: object, ascii: bool, chunk: int) -> None:
    body = json.dumps(tree, ensure_ascii=ascii).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_nesting, "CHUNK_BYTES", chunk)
        check_depth(body, depth_of(tree))
        if depth_of(tree):
            with pytest.raises(Unparseable, match="nested"):
                check_depth(body, depth_of(tree) - 1)


@pytest.mark.parametrize("written, weight", [(b"[]", 4), (b"[1]", 4), (b"{}", 16)])
def test_containers_count_as_values(written: bytes, weight: int) -> None:
    bounds = DecodeLimits(values=1000)
    most = (1000 + FREE_CONTAINERS - 4) // weight
    check_containers(b"[" + b",".join([written] * most) + b"]", bounds)
    for check in (check_containers, codec.decode, codec.decode_lists):
        with pytest.raises(TooLarge, match=r"lists and objects.* 1000, set by NORMD_MAX_VALUES"):
            check(b"[" + b",".join([written] * (most + 1)) + b"]", bounds)


def test_brackets_in_strings_are_no_containers() -> None:
    body = b'{"name":"' + b"[{" * 10_000 + b'"}'
    check_containers(body, DecodeLimits(values=1))


def test_they_are_counted_before_anything_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(codec, "parse")
    monkeypatch.delattr(fast_json, "parse")
    monkeypatch.delattr(fast_json, "read_numbers")
    for body in (
        b"[" * 10_000,
        b'{"a":[' + b"{}," * 10_000 + b"{}]}",
    ):
        with pytest.raises(TooLarge):
            codec.decode(body, DecodeLimits(values=1000))


def test_short_lists_are_counted_before_they_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(codec, "parse")
    wide = b"[" + b"1," * 1000 + b"1]"
    empty = b"[]," * 10_000 + b"[]]"
    for field in (b"[" + empty, b"[[" + wide + b"," + empty + b"]", b"[1," + empty):
        body = b'{"input":{"x":' + field + b"}}"
        with pytest.raises(TooLarge):
            codec.decode(body, DecodeLimits(values=1000))
