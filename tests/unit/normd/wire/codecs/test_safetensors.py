from __future__ import annotations

import json as standard
from collections.abc import Mapping

import numpy as np
import pytest
from safetensors.numpy import load, save

from normalizers.data.arrays import Array, string_array
from normalizers.errors import DtypeError, InvalidInput, NonFiniteError, ShapeError
from normd.wire.codecs import DecodeLimits, TooLarge, Unparseable, safetensors
from normd.wire.codecs.arrays import TENSOR_DTYPES


def body(header: object, content: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else standard.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + content


def entry(begin: int, end: int, shape: list[int], dtype: str = "F64") -> dict[str, object]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def with_json(tensors: dict[str, Array], tree: Mapping[str, object]) -> bytes:
    return save(tensors, metadata={"json": standard.dumps(tree)})


ONE = np.array([1.0])


def test_tensors_stand_where_they_are_named() -> None:
    sent = with_json(
        {
            "fit.x": np.arange(6.0).reshape(2, 3),
            "runs.0.scores": np.array([1, 2], dtype=np.float32),
            "runs.1.scores": np.array([], dtype=np.float16),
            "weights.bm25~1v2.~0a": np.array(3, dtype=np.int8),
        },
        {"method": "m", "runs": [{"ids": ["a", "b"]}, {}], "fit": {"sample": True}},
    )
    document = safetensors.decode(sent)
    tree = document.tree
    assert document.encoded == frozenset()
    np.testing.assert_array_equal(tree["fit"]["x"], [[0, 1, 2], [3, 4, 5]])  # type: ignore[index]
    assert tree["runs"][0]["ids"] == ["a", "b"]  # type: ignore[index]
    assert tree["runs"][0]["scores"].dtype == np.float32  # type: ignore[index]
    assert tree["runs"][1]["scores"].shape == (0,)  # type: ignore[index]
    assert tree["weights"]["bm25.v2"]["~a"].shape == ()  # type: ignore[index]


def test_without_json_the_names_make_the_tree() -> None:
    names = [f"runs.{index}.scores" for index in range(12)]
    tree = safetensors.decode(save({name: ONE * index for index, name in enumerate(names)})).tree
    runs = tree["runs"]
    assert isinstance(runs, list)
    assert [run["scores"].tolist() for run in runs] == [[float(i)] for i in range(12)]
    assert isinstance(safetensors.decode(save({"a.1": ONE})).tree["a"], dict)
    assert isinstance(safetensors.decode(save({"a.00": ONE})).tree["a"], dict)


def test_names_extend_a_list_in_order() -> None:
    tensors = {f"a.{index}": ONE * index for index in range(12)}
    found = safetensors.decode(with_json(tensors, {"a": []})).tree["a"]
    assert [array.tolist() for array in found] == [[float(i)] for i in range(12)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "tensors, tree",
    [
        ({"a": ONE}, {"a": None}),
        ({"a.b": ONE}, {"a": 3}),
        ({"a.b": ONE}, {"a": None}),
        ({"a.b": ONE, "a": ONE}, {}),
        ({"a.0": ONE}, {"a": [1]}),
        ({"a.2": ONE}, {"a": [1]}),
        ({"a.-1": ONE}, {"a": [None]}),
        ({"a.00": ONE}, {"a": [None]}),
        ({"a.x": ONE}, {"a": [None]}),
        ({"a~2": ONE}, {}),
        ({"a~": ONE}, {}),
        ({".".join("a" * 80): ONE}, {}),
    ],
)
def test_a_tensor_that_collides_is_refused(
    tensors: dict[str, Array], tree: dict[str, object]
) -> None:
    with pytest.raises(Unparseable, match=r"tensor|the name"):
        safetensors.decode(with_json(tensors, tree))


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\0" * 7,
        b"\0" * 8,
        b"\xff" * 8 + b"{}",
        (100).to_bytes(8, "little") + b"{}",
        body(b"[]"),
        body(b"{} {}"),
        body(b'{"a":1}'),
        body(b'{"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},' * 2 + b'"b":1}', b"x" * 8),
        body({"a": entry(0, 8, [2])}, b"x" * 8),
        body({"a": entry(0, 8, [1])}, b"x" * 7),
        body({"a": entry(0, 8, [1])}, b"x" * 9),
        body({"a": entry(8, 16, [1])}, b"x" * 16),
        body({"a": entry(0, 8, [1]), "b": entry(0, 8, [1])}, b"x" * 8),
        body({"a": entry(0, 16, [2]), "b": entry(8, 16, [1])}, b"x" * 16),
        body({"a": entry(0, 8, [1]), "b": entry(16, 24, [1])}, b"x" * 24),
        body({"a": {**entry(0, 8, [1]), "more": 1}}, b"x" * 8),
        body({"a": {"dtype": "F64", "shape": [1], "data_offsets": [0]}}, b"x" * 8),
        body({"a": {"dtype": "F64", "shape": [1], "data_offsets": [0.0, 8.0]}}, b"x" * 8),
        body({"a": {"dtype": "F64", "shape": [1], "data_offsets": [8, 0]}}, b"x" * 8),
        body({"a": {"dtype": "F64", "shape": [2**62, 4], "data_offsets": [0, 0]}}),
        body({"__metadata__": {"json": "{}", "format": "pt"}}),
        body({"__metadata__": {"format": "pt"}}),
        body({"__metadata__": []}),
        body({"__metadata__": {"json": {}}}),
        body({"__metadata__": {"json": "{"}}),
        body({"__metadata__": {"json": ""}}),
        body({"__metadata__": {"json": '{"a":1,"a":1}'}}),
        body({"__metadata__": {"json": '{"a":NaN}'}}),
        body(b'{"__metadata__":{"json":"\\ud800"}}'),
        body(b'{"__metadata__":{"json":"{}"},"__metadata__":{"json":"{}"}}'),
        body(b"[" * 100_000),
    ],
)
def test_files_that_do_not_hold_together_are_unparseable(sent: bytes) -> None:
    with pytest.raises(Unparseable):
        safetensors.decode(sent)


def test_bytes_no_tensor_takes_are_counted() -> None:
    with pytest.raises(Unparseable, match="the tensors take 8 bytes, but 9 were sent"):
        safetensors.decode(body({"a": entry(0, 8, [1])}, b"x" * 9))


@pytest.mark.parametrize("dtype", ["F4", "F8_E8M0", "C64", "I128", 3, None])
def test_other_dtypes_name_those_that_are_read(dtype: object) -> None:
    sent = body({"fit.x": {"dtype": dtype, "shape": [4], "data_offsets": [0, 8]}}, b"x" * 8)
    with pytest.raises(DtypeError, match="F64") as error:
        safetensors.decode(sent)
    assert error.value.path == "fit.x"


@pytest.mark.parametrize("shape", [None, [True], [-1], [1.0], [1] * 40])
def test_wrong_shapes_name_their_tensor(shape: object) -> None:
    sent = body({"fit.x": {"dtype": "U8", "shape": shape, "data_offsets": [0, 1]}}, b"x")
    with pytest.raises(ShapeError) as error:
        safetensors.decode(sent)
    assert error.value.path == "fit.x"


def test_a_bool_is_0_or_1() -> None:
    with pytest.raises(InvalidInput, match="bool"):
        safetensors.decode(body({"mask": entry(0, 1, [1], "BOOL")}, b"\x02"))


def test_the_json_beside_tensors_must_be_an_object() -> None:
    with pytest.raises(InvalidInput, match="object"):
        safetensors.decode(body({"__metadata__": {"json": "[]"}}))


def test_too_many_values_name_the_setting() -> None:
    sent = save({"x": np.zeros((2, 3))})
    safetensors.decode(sent, DecodeLimits(values=6))
    with pytest.raises(TooLarge, match="NORMD_MAX_VALUES"):
        safetensors.decode(sent, DecodeLimits(values=5))


@pytest.mark.parametrize(
    "dtype",
    sorted(TENSOR_DTYPES),
)
@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (2, 3)])
def test_arrays_round_trip_bit_for_bit(dtype: str, shape: tuple[int, ...]) -> None:
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    decoded = safetensors.decode(safetensors.encode({"output": {"y": array}})).tree
    found = decoded["output"]["y"]  # type: ignore[index]
    assert found.dtype == array.dtype
    assert found.shape == shape
    assert found.tobytes() == array.tobytes()


@pytest.mark.parametrize("dtype", ["float32", ">f8", ">i2"])
def test_strides_and_byte_orders_are_written_right(dtype: str) -> None:
    array = np.arange(12).reshape(3, 4).astype(dtype)
    for view in (array.T, array[::-1], array[:, ::2], np.broadcast_to(array[0], (2, 4))):
        np.testing.assert_array_equal(load(safetensors.encode({"y": view}))["y"], view)


def test_the_rest_of_an_answer_stays_json() -> None:
    tree = {
        "method": "m",
        "output": {"y": np.array([1.0, np.nan]), "ids": string_array(["a", "b"])},
        "parts": [np.array([1]), {"z": np.array([2])}, "text"],
        "flags": {"missing": np.array([1])},
        "report": {"n": np.array([3]), "share": np.nan},
        "effective_params": {"range": (0.0, 1.0)},
        "a.b~c": np.array([4]),
    }
    sent = safetensors.encode(tree)
    assert sorted(load(sent)) == ["a~1b~0c", "output.y", "parts.0", "parts.1.z"]
    header = standard.loads(sent[8 : 8 + int.from_bytes(sent[:8], "little")])
    assert standard.loads(header["__metadata__"]["json"]) == {
        "method": "m",
        "output": {"ids": ["a", "b"]},
        "parts": [None, {}, "text"],
        "flags": {"missing": [1]},
        "report": {"n": [3], "share": None},
        "effective_params": {"range": [0.0, 1.0]},
    }
    again = safetensors.decode(sent).tree
    assert again["a.b~c"].tolist() == [4]  # type: ignore[attr-defined]
    assert again["parts"][0].tolist() == [1]  # type: ignore[index]
    assert again["parts"][2] == "text"  # type: ignore[index]


def test_an_infinity_never_leaves() -> None:
    for tree in ({"output": {"y": np.array([np.inf])}}, {"report": {"y": np.array([np.inf])}}):
        with pytest.raises(NonFiniteError):
            safetensors.encode(tree)


def test_the_same_answer_has_the_same_bytes() -> None:
    tree = {"b": np.arange(3.0), "a": {"c": np.arange(2), "d": "x"}}
    assert safetensors.encode(tree) == safetensors.encode(tree)


def test_r22_narrow_floats_are_read_as_float32() -> None:
    header = {
        "input.x": entry(0, 4, [1, 2], "BF16"),
        "fit.x": entry(4, 6, [2], "F8_E4M3"),
        "fit.y": entry(6, 8, [2, 1], "F8_E5M2"),
    }
    sent = body(header, b"\xc0\x3f\x00\xc0" + b"\x3c\xc0" + b"\x3e\xc0")
    tree = safetensors.decode(sent).tree
    arrays = [tree["input"]["x"], tree["fit"]["x"], tree["fit"]["y"]]  # type: ignore[index]
    assert [array.dtype for array in arrays] == [np.float32] * 3
    assert [array.tolist() for array in arrays] == [[[1.5, -2.0]], [1.5, -2.0], [[1.5], [-2.0]]]
