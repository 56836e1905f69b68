"""Files with a right checksum and wrong content are refused or sound."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import load, save

from normalizers.data.arrays import Array
from normalizers.errors import CorruptVersion
from normalizers.versions import file as files
from tests.effort import examples
from tests.unit.versions.file.samples import (
    MISSING,
    NAMES,
    forged,
    refused_or_sound,
    replaced,
    versions,
)


def mutations(described: object, place: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    yield place
    children: list[tuple[object, object]] = []
    if isinstance(described, dict):
        children = list(described.items())
    elif isinstance(described, list):
        children = list(enumerate(described))
    for key, child in children:
        yield from mutations(child, (*place, key))


WRONG = [None, True, -1, 1.5, 10**30, "x", "", [], {}, [1], {"a": 1}, [[]], {"0": {}}, MISSING]


@pytest.mark.parametrize("name", NAMES)
def test_every_member_of_another_type_is_refused_or_sound(name: str) -> None:
    content = files.to_bytes(versions()[name])
    tensors, described = load(content), files.read_manifest(content)
    for place in mutations(described):
        for value in WRONG:
            if place or value is not MISSING:
                refused_or_sound(forged(content, tensors, replaced(described, place, value)))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5) | st.sampled_from(sorted(files.MEMBERS)), inner)
    ),
    max_leaves=6,
)


@settings(
    max_examples=examples(300),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(name=st.sampled_from(NAMES), value=JSON, choice=st.randoms(use_true_random=False))
def test_any_mutation_of_the_manifest_is_refused_or_sound(
    name: str, value: object, choice: object
) -> None:
    content = files.to_bytes(versions()[name])
    described = files.read_manifest(content)
    place = choice.choice(list(mutations(described)))  # type: ignore[attr-defined]
    try:
        changed = forged(content, load(content), replaced(described, place, value))
    except ValueError:  # not JSON, or a lone surrogate: no such file can be sealed
        text = json.dumps(replaced(described, place, value))
        changed = bytes(save(load(content), metadata={files.MANIFEST: text}))
    refused_or_sound(changed)


@pytest.mark.parametrize(
    ("place", "value", "what"),
    [
        (("method",), "no_such", "unknown method"),
        (("method",), 3, "'method' of the file is not text"),
        (("method",), "percentile", "unknown parameter 'bounds'"),
        (("n",), 5, "'n' of the file is not that of its statistics"),
        (("n",), True, "'n' of the file is not a count"),
        (("sizes",), {"d": -1}, "'sizes.d' of the file is not a count"),
        (("sizes",), {"d": 2**70}, "'sizes.d' of the file is not a count"),
        (("sizes",), [], "'sizes' of the file is not an object"),
        (("columns",), "abc", "'columns' of the file is not a list"),
        (("columns",), [1], "'columns' of the file is not text"),
        (("given",), {"bounds": "x"}, "does not describe a version"),
        (("given",), {"x": 1}, "unknown parameter 'x'"),
        (("resolved",), {"x": 1}, "unknown parameter 'x'"),
        (("resolved", "scope"), "query", "does not describe|other|statistic"),
        (("format",), True, "'format' of the file is not a count"),
        (("note",), "hello", "other members"),
        (("n",), MISSING, "other members"),
    ],
)
def test_a_wrong_member_is_named(place: tuple[str, ...], value: object, what: str) -> None:
    content = files.to_bytes(versions()["extrema"])
    changed = replaced(files.read_manifest(content), place, value)
    with pytest.raises(CorruptVersion, match=what):
        files.from_bytes(forged(content, load(content), changed))


@pytest.mark.parametrize("name", NAMES)
def test_every_changed_tensor_is_refused_or_sound(name: str) -> None:
    content = files.to_bytes(versions()[name])
    tensors = load(content)
    for path, array in tensors.items():
        number = array.astype(np.float64)
        for changed in (
            np.asarray(number * np.nan),
            np.asarray(number * 0 + 1e308),
            np.asarray(array[None]),
            np.asarray(array.reshape(-1)),
            np.zeros(0, dtype=array.dtype),
            np.asarray(-array) if array.dtype != np.uint8 else array[::-1].copy(),
            np.asarray(array.astype(np.int64)),
            np.asarray(number),
        ):
            refused_or_sound(forged(content, {**tensors, path: changed}))
        rest = {other: value for other, value in tensors.items() if other != path}
        refused_or_sound(forged(content, rest))
        refused_or_sound(forged(content, {**rest, f"{path}x": array}))
        refused_or_sound(forged(content, {**tensors, f"{path}.x": array}))


@pytest.mark.parametrize(
    ("path", "array", "what"),
    [
        ("x", np.zeros(2), "other members"),
        ("fitted.lower.x", np.zeros(2), "stands (above|below)"),
        ("fitted.lower", np.asarray(np.nan), "not finite"),
        ("fitted.upper", np.asarray(np.inf), "not finite"),
        ("fitted.a.utf8", np.zeros(2, np.uint8), "lacks its offsets"),
        ("fitted.a.utf8_offsets", np.zeros(2, np.int64), "lacks text"),
        ("statistics.extrema.x", np.zeros(1), "unknown member 'x'"),
        ("statistics.moments.n", np.zeros(1), "unknown statistic 'moments'"),
        ("statistics.extrema.n", np.asarray([4]), "not that of its statistics"),
        ("statistics.extrema.n", np.asarray([-3]), "negative"),
        ("statistics.extrema.n", np.asarray([[3]]), "shape"),
        ("statistics.extrema.min", np.asarray([99.0]), "'min' is above 'max'"),
        ("statistics.extrema.min", np.asarray([np.nan]), "missing"),
    ],
)
def test_a_wrong_array_is_named(path: str, array: Array, what: str) -> None:
    content = files.to_bytes(versions()["extrema"])
    with pytest.raises(CorruptVersion, match=what):
        files.from_bytes(forged(content, {**load(content), path: array}))


def test_a_fit_without_its_statistics_is_refused() -> None:
    content = files.to_bytes(versions()["scatter"])
    fitted = {path: array for path, array in load(content).items() if path.startswith("fitted.")}
    described = {**files.read_manifest(content), "n": 0}
    with pytest.raises(CorruptVersion, match="without its statistics"):
        files.from_bytes(forged(content, fitted, described))
