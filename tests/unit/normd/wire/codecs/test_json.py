from __future__ import annotations

import json as standard
import math
from base64 import b64encode
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from normalizers.data.arrays import Array, string_array
from normalizers.data.json_numbers import ParsedNumbers
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, NonFiniteError, ShapeError
from normd.wire.codecs import DecodeLimits, Document, TooLarge, Unparseable, json
from normd.wire.codecs.arrays import MEMBERS, TENSOR_DTYPES


def array_object(array: Array, **changed: object) -> dict[str, object]:
    encoded = b64encode(array.tobytes()).decode()
    return {"dtype": array.dtype.name, "shape": [*array.shape], "base64": encoded} | changed


def decode(tree: Mapping[str, object]) -> Document:
    return json.decode(standard.dumps(tree).encode())


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"  \n",
        b"{",
        b'{"a":1,}',
        b'{"a":1} {"b":2}',
        b'{"a":01}',
        b'{"a":1, "a":2}',
        b'{"x":{"b":1,"b":1}}',
        b'{"a":NaN}',
        b'{"a":[1,[2,-Infinity]]}',
        b"NaN",
        b'{"a":"\t"}',
        b"{'a':1}",
        b'{"a":' + b"9" * 5000 + b"}",
        '{"a":1}'.encode("utf-16"),
        '{"a":1}'.encode("utf-16-le"),
        b'\xef\xbb\xbf\xef\xbb\xbf{"a":1}',
        b' \xef\xbb\xbf{"a":1}',
        b'{"a":"\xff"}',
        b'{"a":"\xed\xa0\x80"}',
        b'{"a":["\\ud800"]}',
        b'{"a":{"\\uDC00":1}}',
        b'{"a":[["x","\\ud800y"]]}',
    ],
)
def test_what_is_not_strict_json_is_unparseable(body: bytes) -> None:
    with pytest.raises(Unparseable):
        json.decode(body)


@pytest.mark.parametrize("body", [b"null", b"[]", b"3", b'"x"', b"true"])
def test_only_an_object_is_a_body(body: bytes) -> None:
    with pytest.raises(InvalidInput, match="object is needed"):
        json.decode(body)


@pytest.mark.parametrize("items", [2, 2000])
def test_r24_one_byte_order_mark_before_the_text_is_skipped(items: int) -> None:
    for tree in ({"input": {"x": [1.5] * items}}, {"runs": [{"ids": ["a"] * items}]}):
        text = standard.dumps(tree).encode()
        marked = json.decode(b"\xef\xbb\xbf" + text).tree
        assert standard.dumps(marked, default=_plain) == standard.dumps(
            json.decode(text).tree, default=_plain
        )


def _plain(value: object) -> object:
    return value.lists() if isinstance(value, ParsedNumbers) else value


def test_faults_carry_their_place() -> None:
    with pytest.raises(Unparseable) as nan:
        json.decode(b'{"fit":{"x":[[1,2],[3,NaN]]}}')
    assert nan.value.path == "fit.x[1][1]"
    for number in (b"1e400", b"-1e400", b"9" * 400, b"-" + b"9" * 400):
        with pytest.raises(InvalidInput) as beyond:
            json.decode(b'{"fit":{"x":[[1,2],[3,null,' + number + b"]]}}")
        assert beyond.value.path == "fit.x[1][2]"
    with pytest.raises(InvalidInput) as alone:
        json.decode(b'{"params":{"eps":1e999}}')
    assert alone.value.path == "params.eps"


def test_opposite_overflows_do_not_hide_each_other() -> None:
    with pytest.raises(InvalidInput):
        json.decode(b'{"x":[1e400,-1e400,0]}')


def test_the_repeated_key_is_named_without_control_characters() -> None:
    with pytest.raises(Unparseable, match=r"'a\\nb'"):
        json.decode(b'{"a\\nb":1,"a\\nb":2}')


def test_surrogate_pairs_are_characters() -> None:
    assert json.decode(b'{"a":"\\ud83d\\ude00"}').tree == {"a": "\U0001f600"}
    assert json.decode(b'{"a":"\\\\ud800"}').tree == {"a": "\\ud800"}


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_deep_nesting_is_refused_without_recursion(opening: bytes) -> None:
    for levels in (64, 2_000, 100_000):
        with pytest.raises(Unparseable, match="deep"):
            json.decode(b'{"x":' + opening * levels)


def test_the_deepest_allowed_nesting_is_read() -> None:
    body = b'{"x":' + b"[" * 63 + b"]" * 63 + b"}"
    assert standard.dumps(json.decode(body).tree, separators=(",", ":")).encode() == body


NAMES = st.text().filter(lambda name: name not in MEMBERS)


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner)))
def test_depth_is_counted_outside_strings(value: object) -> None:
    def depth(node: object) -> int:
        if isinstance(node, dict):
            return 1 + max(map(depth, node.values()), default=0)
        if isinstance(node, list):
            return 1 + max(map(depth, node), default=0)
        return 0

    tree = {"x": value}
    for ascii_only in (True, False):
        body = standard.dumps(tree, ensure_ascii=ascii_only).encode("utf-8", "replace")
        deepest = depth(tree)
        json.decode(body, DecodeLimits(depth=deepest))
        with pytest.raises(Unparseable, match="deep"):
            json.decode(body, DecodeLimits(depth=deepest - 1))


def test_brackets_and_quotes_inside_strings_do_not_count() -> None:
    text = '[{"\\' * 100
    assert json.decode(standard.dumps({"a": text}).encode(), DecodeLimits(depth=1)).tree == {
        "a": text
    }


def test_too_many_values_name_the_setting() -> None:
    bounds = DecodeLimits(values=5)
    json.decode(b'{"x":[[1,2],[3]],"y":[4,5]}', bounds)
    for body in (b'{"x":[[1,2],[3]],"y":[4,5,6]}', b'{"x":[{"a":[1,2,3]},{"a":[4,5,6]}]}'):
        with pytest.raises(TooLarge, match="NORMD_MAX_VALUES") as error:
            json.decode(body, bounds)
        assert error.value.limit == 5


@pytest.mark.parametrize(
    "dtype",
    sorted(TENSOR_DTYPES),
)
def test_base64_arrays_round_trip(dtype: str) -> None:
    array = np.array([[0, 1, 1], [1, 0, 1]], dtype=dtype)
    document = decode({"input": {"x": array_object(array)}, "runs": [{"s": array_object(array)}]})
    assert document.encoded == {"input.x", "runs.0.s"}
    decoded = document.tree["input"]["x"]  # type: ignore[index]
    assert decoded.dtype == array.dtype
    np.testing.assert_array_equal(decoded, array)
    again = json.decode(json.encode(document.tree, document.encoded))
    assert again.encoded == document.encoded
    np.testing.assert_array_equal(again.tree["input"]["x"], array)  # type: ignore[index]


@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (3, 0), (1, 1, 2)])
def test_base64_shapes_round_trip(shape: tuple[int, ...]) -> None:
    array = np.full(shape, 1.5)
    decoded = decode({"x": array_object(array)}).tree["x"]
    assert isinstance(decoded, np.ndarray)
    assert decoded.shape == shape
    np.testing.assert_array_equal(decoded, array)


@pytest.mark.parametrize(
    "changed, path",
    [
        ({"dtype": "object"}, "x.dtype"),
        ({"dtype": "<f8"}, "x.dtype"),
        ({"dtype": "complex128"}, "x.dtype"),
        ({"dtype": ["float64"]}, "x.dtype"),
        ({"shape": [3]}, "x"),
        ({"shape": [10**30]}, "x"),
        ({"shape": [0, 10**30]}, "x"),
        ({"shape": [-1]}, "x.shape"),
        ({"shape": [2.0]}, "x.shape"),
        ({"shape": [True, 2]}, "x.shape"),
        ({"shape": 2}, "x.shape"),
        ({"shape": [1] * 40 + [2]}, "x.shape"),
        ({"base64": "A" * 22 + "!="}, "x.base64"),
        ({"base64": "\u00e9" * 24}, "x.base64"),
        ({"base64": 3}, "x.base64"),
        ({"base64": "A" * 24}, "x"),
        ({"dtype": "bool", "shape": [16], "base64": b64encode(b"\x02" * 16).decode()}, "x"),
    ],
)
def test_arrays_that_lie_are_refused_with_their_place(
    changed: dict[str, object], path: str
) -> None:
    if changed.get("shape") == [0, 10**30]:
        changed = {**changed, "base64": ""}
    with pytest.raises(InvalidInput) as error:
        decode({"x": array_object(np.array([1.0, 2.0]), **changed)})
    assert error.value.path == path


@pytest.mark.parametrize(
    ("dropped", "added", "message"),
    [
        ({"shape"}, {}, "lacks shape"),
        ({"dtype"}, {}, "lacks dtype"),
        ({"base64"}, {}, "lacks base64"),
        (set(), {"order": "C"}, "no member 'order'; it has dtype, shape, base64"),
        ({"shape"}, {"Shape": [2]}, "lacks shape"),
    ],
)
def test_members_of_arrays_that_are_missing_or_too_much_are_named(
    dropped: set[str], added: dict[str, object], message: str
) -> None:
    whole = array_object(np.array([1.0, 2.0]))
    node = {name: member for name, member in whole.items() if name not in dropped} | added
    with pytest.raises(InvalidInput, match=message) as error:
        decode({"fit": {"x": node}})
    assert error.value.path == "fit.x"


@pytest.mark.parametrize(
    "node",
    [
        {"base64": {"n": 2}},
        {"base64": "text"},
        {"base64": 0.5, "dtype": 0.5},
        {"dtype": {}, "shape": {}},
        {"shape": "x"},
    ],
)
def test_objects_by_label_may_use_the_words_of_an_array(node: dict[str, object]) -> None:
    assert decode({"x": node}).tree == {"x": node}


def test_the_length_is_compared_before_anything_is_decoded() -> None:
    lying = array_object(np.array([1.0]), shape=[10**12], base64="!" * 100)
    with pytest.raises(ShapeError, match=r"take 8000000000000 bytes.* but 100 were sent"):
        decode({"x": lying})


def test_nan_is_null_and_floats_keep_their_bits() -> None:
    values = np.array([0.1, -0.0, 5e-324, 1.7976931348623157e308, 1 / 3, np.nan])
    sent = json.encode({"y": values})
    assert b"null" in sent
    decoded = json.decode(sent).tree["y"]
    assert isinstance(decoded, list)
    read = np.array([math.nan if value is None else value for value in decoded])
    assert read.tobytes() == values.tobytes()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", ">f8", "int64", ">i4", "bool"])
def test_strides_and_byte_orders_are_written_right(dtype: str) -> None:
    array = np.arange(12).reshape(3, 4).astype(dtype)
    for view in (array.T, array[::-1], array[:, ::2], np.broadcast_to(array[0], (2, 4))):
        assert standard.loads(json.encode({"y": view}))["y"] == view.tolist()


def test_other_leaves() -> None:
    tree = {
        "ids": string_array(["a\0", "b"]),
        "lists": Ragged.of([[1.0], [], [2.0, np.nan]]),
        "scalars": [np.float32(0.1), np.int64(3), np.bool_(True), np.float64(np.nan), 2**70],
        "zero_d": np.array(1.5),
        "positions": ((0, 1), (2, 3)),
        "none": None,
        "number": 3.5,
        5: "five",
    }
    assert standard.loads(json.encode(tree)) == {  # type: ignore[arg-type]
        "ids": ["a\0", "b"],
        "lists": [[1.0], [], [2.0, None]],
        "scalars": [0.1, 3, True, None, 2**70],
        "zero_d": 1.5,
        "positions": [[0, 1], [2, 3]],
        "none": None,
        "number": 3.5,
        "5": "five",
    }


@pytest.mark.parametrize(
    "leaf",
    [
        np.array([1.0, np.inf]),
        np.array(-np.inf),
        np.float32(np.inf),
        math.inf,
        [1.0, -math.inf],
        [1, math.inf],
        Ragged.of([[1.0], [np.inf]]),
    ],
)
def test_an_infinity_never_leaves(leaf: object) -> None:
    with pytest.raises(NonFiniteError) as error:
        json.encode({"output": {"y": leaf}})
    assert error.value.path.startswith("output.y")


@given(
    st.dictionaries(
        st.text(),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats(allow_infinity=False)
            | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            max_leaves=8,
        ),
    )
)  # fmt: skip
def test_what_is_encoded_decodes_to_the_same(tree: dict[str, object]) -> None:
    def expected(node: object) -> object:
        if isinstance(node, dict):
            return {key: expected(child) for key, child in node.items()}
        if isinstance(node, list):
            return [expected(child) for child in node]
        return None if isinstance(node, float) and math.isnan(node) else node

    assert json.decode(json.encode(tree)).tree == expected(tree)
