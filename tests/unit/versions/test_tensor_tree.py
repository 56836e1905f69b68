"""Trees of arrays as flat tensors: any strides, byte order and text, and back."""

from __future__ import annotations

import numpy as np
import pytest
from safetensors.numpy import load

from normalizers.data.arrays import Array, string_array
from normalizers.errors import CorruptVersion
from normalizers.versions.tensor_tree import flat, leaves, nested, pack, serialized, unpack

MATRIX = np.arange(12.0).reshape(3, 4)


@pytest.mark.parametrize(
    "array",
    [
        MATRIX.T,
        MATRIX[::2],
        MATRIX[:, ::-1],
        np.broadcast_to(np.arange(4.0), (3, 4)),
        np.asfortranarray(MATRIX),
        MATRIX.astype(">f8"),
        MATRIX.astype(">i8"),
        np.asarray(3.5),
        np.zeros((0, 3)),
        np.array([], dtype=np.int64),
        np.frombuffer(b"abc", dtype=np.uint8),
    ],
)
def test_arrays_of_any_memory_come_back(array: Array) -> None:
    (found,) = unpack(pack({"x": array})).values()
    assert isinstance(found, np.ndarray)
    np.testing.assert_array_equal(found, array)
    assert found.shape == array.shape
    assert found.dtype.isnative


def test_a_tree_comes_back_with_lists_as_objects_of_indices() -> None:
    tree = {"b": {"x": np.ones(2), "labels": string_array(["é", "", "a\0"])}, "a": [np.ones(1), {}]}
    back = unpack(pack(tree))
    assert set(back) == {"a", "b"}
    assert back["a"]["0"].tolist() == [1.0]  # type: ignore[index]
    assert back["b"]["labels"].tolist() == ["é", "", "a\0"]  # type: ignore[index]
    assert unpack(pack({})) == {}


def test_the_same_tree_in_another_order_has_the_same_bytes() -> None:
    one = {"a": np.ones(2), "b": {"c": np.zeros(1), "d": np.ones(1)}}
    other = {"b": {"d": np.ones(1), "c": np.zeros(1)}, "a": np.ones(2)}
    assert pack(one) == pack(other)


def test_leaves_are_sorted_by_name_on_every_level() -> None:
    tree = {"b": np.ones(1), "a": {"z": np.ones(1), "y": [np.ones(1), np.ones(1)]}}
    assert [path for path, _ in leaves(tree)] == ["a.y.0", "a.y.1", "a.z", "b"]
    assert list(flat(tree)) == ["a.y.0", "a.y.1", "a.z", "b"]


@pytest.mark.parametrize("names", [("a", "a.b"), ("a.b", "a"), ("a.b.c", "a.b"), ("a", "a.b.c")])
def test_a_path_below_an_array_is_refused(names: tuple[str, str]) -> None:
    with pytest.raises(CorruptVersion, match=r"stands (above|below)"):
        nested({name: np.ones(1) for name in names})


def test_the_input_is_not_modified() -> None:
    array = MATRIX.T
    pack({"x": array})
    assert array.tolist() == MATRIX.T.tolist()
    assert not array.flags.c_contiguous


def test_strides_and_byte_order_are_written_as_they_read() -> None:
    whole = np.arange(12.0).reshape(3, 4)
    tensors = {"turned": whole.T, "some": whole[::2, ::-1], "big": whole.astype(">f8")}
    read = load(serialized(tensors, {"key": "text"}))
    for name, array in tensors.items():
        np.testing.assert_array_equal(read[name], array)
