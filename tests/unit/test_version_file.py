"""Version files: the same bytes anywhere, and nothing believed that was not checked."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import load, save

from normalizers import Pipeline, fitting
from normalizers import version_file as files
from normalizers.arrays import Array
from normalizers.catalogue import Catalogue
from normalizers.embeddings import Whitening
from normalizers.errors import CorruptVersion, NormalizerError
from normalizers.hubness import InvertedSoftmax
from normalizers.metrics import GroupZScore
from normalizers.scores import MinMax, Percentile
from normalizers.version import Version

ROWS = [[0.0, 1.0, 2.0], [4.0, 0.5, 1.0], [0.0, -1.0, 5.0], [-4.0, 0.25, 0.0]]
QUERY = {"method": "percentile", "params": {"scope": "query"}}
MISSING = object()


@cache
def versions() -> dict[str, Version]:
    pipeline = Pipeline(steps=["min_max", {"method": "percentile"}])
    reference = Pipeline(steps=[MinMax().fit([0.0, 10.0]), QUERY])
    return {
        "stateless": fitting.stateless(MinMax(higher_is_better=False)),
        "extrema": fitting.fit(MinMax(), {"scores": [1.0, 5.0, 9.0]}),
        "quantiles": fitting.fit(Percentile(), {"scores": [1.0, 5.0, 9.0]}),
        "scatter": fitting.fit(Whitening(), {"x": ROWS}, columns=("a", "é", "c")),
        "auto": fitting.fit(InvertedSoftmax(), {"bank_sims": ROWS, "gallery_ids": ["a", "b", "c"]}),
        "temperature": fitting.fit(InvertedSoftmax(temperature=0.5), {"bank_sims": ROWS}),
        "groups": fitting.fit(GroupZScore(), {"x": [1, 2, 3, 5], "groups": ["a", "a", "b", "b"]}),
        "pipeline": fitting.fit(pipeline, {"scores": [1.0, 2.0, 3.0]}),
        "reference": fitting.stateless(reference),
    }


NAMES = list(versions())


def forged(content: bytes, tensors: Mapping[str, Array], described: object = MISSING) -> bytes:
    """Return a file whose checksum is right, whatever it says."""
    if described is MISSING:
        described = files.read_manifest(content)
    if not isinstance(described, dict):
        return bytes(save(dict(tensors), metadata={files.MANIFEST: json.dumps(described)}))
    said = {name: value for name, value in described.items() if name != files.CHECKSUM}
    return files.sealed(said, tensors)


def refused_or_sound(content: bytes) -> None:
    """Check that a file is refused as corrupt, or read as a version that can be written."""
    try:
        version = files.from_bytes(content)
    except CorruptVersion:
        return
    files.to_bytes(version)


@pytest.mark.parametrize("name", NAMES)
def test_a_version_comes_back_with_the_same_bytes(name: str) -> None:
    version = versions()[name]
    content = files.to_bytes(version)
    again = files.from_bytes(content)
    assert files.to_bytes(again) == content
    assert files.content_hash(content) == files.content_hash(files.to_bytes(again))
    assert type(again.method) is type(version.method)
    assert again.method.as_json(again.given) == version.method.as_json(version.given)
    assert again.worker.as_json(again.resolved) == version.worker.as_json(version.resolved)
    assert (again.n, again.columns) == (version.n, version.columns)
    assert again.fitted.sizes == version.fitted.sizes
    for path, array in version.fitted.arrays.items():
        np.testing.assert_array_equal(again.fitted[path], array)
        assert not again.fitted[path].flags.writeable
    assert again.report["statistics"] == version.report["statistics"]


@pytest.mark.parametrize("name", NAMES)
def test_a_version_read_from_a_file_merges_as_before(name: str) -> None:
    version = versions()[name]
    again = files.from_bytes(files.to_bytes(version))
    if not version.method.streams or version.statistics.is_empty:
        return
    before = fitting.merge(version.method, [version, version])
    after = fitting.merge(again.method, [again, again])
    assert files.to_bytes(after) == files.to_bytes(before)
    assert files.to_bytes(files.from_bytes(files.to_bytes(after))) == files.to_bytes(after)


def test_another_process_with_another_hash_seed_writes_the_same_bytes() -> None:
    script = (
        "from tests.unit.test_version_file import files, versions\n"
        "for name, version in versions().items():\n"
        "    print(name, files.content_hash(files.to_bytes(version)))\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ".", "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
    assert len(next(iter(found)).splitlines()) == len(NAMES)


def test_the_manifest_says_what_the_file_is() -> None:
    described = files.read_manifest(files.to_bytes(versions()["scatter"]))
    assert {name: described[name] for name in ("format", "method", "given", "sizes", "n")} == {
        "format": 1,
        "method": "whitening",
        "given": {},
        "sizes": {"d": 3, "k": 3},
        "n": 4,
    }
    assert described["columns"] == ["a", "é", "c"]
    assert described["resolved"]["eps_rel"] == 3.0  # type: ignore[index]


@pytest.mark.parametrize("name", NAMES)
def test_a_flipped_bit_anywhere_is_refused(name: str) -> None:
    content = files.to_bytes(versions()[name])
    generator = np.random.default_rng(0)
    for position in range(0, len(content), 1 + len(content) // 600):
        flipped = bytearray(content)
        flipped[position] ^= 1 << int(generator.integers(8))
        with pytest.raises(CorruptVersion):
            files.from_bytes(bytes(flipped))


@pytest.mark.parametrize("name", NAMES)
def test_a_truncated_or_longer_file_is_refused(name: str) -> None:
    content = files.to_bytes(versions()[name])
    for length in [*range(0, len(content), 1 + len(content) // 100), len(content) - 1]:
        with pytest.raises(CorruptVersion):
            files.from_bytes(content[:length])
    with pytest.raises(CorruptVersion):
        files.from_bytes(content + b"\0")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "shorter than its header says"),
        (b"\x02\0\0\0\0\0\0", "shorter than its header says"),
        (b"\0" * 8, "not JSON"),
        (b"\xff" * 100, "shorter than its header says"),
        (b"\x02\0\0\0\0\0\0\0{}", "metadata key must be 'manifest'"),
        (b"\x02\0\0\0\0\0\0\0[]", "is not an object"),
        (b"\x04\0\0\0\0\0\0\0null", "is not an object"),
        (b"PK\x03\x04 a zip file, not a version", "shorter than its header says"),
        (bytes(save({"x": np.zeros(2)})), "metadata key must be 'manifest'"),
        (bytes(save({"x": np.zeros(2)}, {"manifest": "{}"})), "'format' of the file is not"),
        (bytes(save({"x": np.zeros(2)}, {"manifest": "x"})), "not JSON"),
        (bytes(save({"x": np.zeros(2)}, {"manifest": "[" * 10**5})), "not JSON"),
        (bytes(save({"x": np.zeros(2)}, {"manifest": '{"format":NaN}'})), "not JSON"),
        (bytes(save({"x": np.zeros(2)}, {"manifest": '{"format":2}'})), "reads format 1"),
        (bytes(save({"x": np.zeros(2)}, {"manifest": '{"format": 1}'})), "not written as"),
        (bytes(save({"x": np.zeros(2)}, {"manifest": '{"format":1}'})), "checksum differs"),
        (bytes(save({"x": np.zeros(2)}, {"manifest": "{}", "other": ""})), "one metadata key"),
        (bytes(save({"x": np.zeros(2, "f4")}, {"manifest": "{}"})), "arrays of F64, I64, U8"),
    ],
)
def test_what_is_no_version_file_is_refused(content: bytes, what: str) -> None:
    with pytest.raises(CorruptVersion, match=what):
        files.from_bytes(content)


def mutations(described: object, place: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    yield place
    children: list[tuple[object, object]] = []
    if isinstance(described, dict):
        children = list(described.items())
    elif isinstance(described, list):
        children = list(enumerate(described))
    for key, child in children:
        yield from mutations(child, (*place, key))


def replaced(described: object, place: tuple[object, ...], value: object) -> object:
    if not place:
        return value
    twin = copy.deepcopy(described)
    node = twin
    for key in place[:-1]:
        node = node[key]  # type: ignore[index]
    if value is MISSING:
        del node[place[-1]]  # type: ignore[attr-defined]
    else:
        node[place[-1]] = value  # type: ignore[index]
    return twin


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
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
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


def test_a_parameter_that_an_older_file_does_not_name_has_its_present_value() -> None:
    content = files.to_bytes(versions()["scatter"])
    older = replaced(files.read_manifest(content), ("resolved", "strength"), MISSING)
    again = files.from_bytes(forged(content, load(content), older))
    assert again.resolved == versions()["scatter"].resolved


def test_a_stored_value_wins_over_the_present_standard() -> None:
    content = files.to_bytes(versions()["scatter"])
    older = replaced(files.read_manifest(content), ("resolved", "strength"), 0.5)
    assert files.from_bytes(forged(content, load(content), older)).resolved["strength"] == 0.5


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("given", "steps", 0), MISSING),
        (("resolved", "steps", 1), MISSING),
        (("given", "steps", 0, "hash"), "0" * 64),
        (("given", "steps", 0, "hash"), 3),
        (("given", "steps", 0, "method"), "percentile"),
        (("given", "steps", 0, "params"), MISSING),
        (("given", "steps"), "min_max"),
        (("given", "x"), 1),
    ],
)
def test_steps_that_are_not_those_resolved_are_refused(
    place: tuple[object, ...], value: object
) -> None:
    content = files.to_bytes(versions()["reference"])
    changed = replaced(files.read_manifest(content), place, value)
    with pytest.raises(CorruptVersion, match="does not describe a version"):
        files.from_bytes(forged(content, load(content), changed))


def test_a_file_of_a_method_that_is_not_installed_is_refused() -> None:
    with pytest.raises(CorruptVersion, match="unknown method 'min_max'"):
        files.from_bytes(files.to_bytes(versions()["extrema"]), Catalogue([Whitening]))


def test_write_and_read(tmp_path: Path) -> None:
    path = tmp_path / "scores.safetensors"
    digest = files.write(versions()["extrema"], path)
    assert digest == files.content_hash(path.read_bytes())
    assert files.read(path).transform({"scores": [5.0]})["values"].tolist() == [0.5]  # type: ignore[union-attr]


def test_only_numbers_and_bytes_are_in_the_file() -> None:
    content = files.to_bytes(versions()["groups"])
    assert {array.dtype.str for array in load(content).values()} <= {"<f8", "<i8", "|u1"}
    assert b"numpy" not in content


def test_canonical_json_refuses_what_is_no_json() -> None:
    assert files.canonical_json({"b": 1, "a": [1.5, "é"]}) == '{"a":[1.5,"é"],"b":1}'
    with pytest.raises(ValueError, match="not JSON compliant"):
        files.canonical_json(float("nan"))


def test_corrupt_is_an_error_of_the_library() -> None:
    assert issubclass(CorruptVersion, NormalizerError)
