"""Version files: the same bytes anywhere, whole or refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load, save

from normalizers import Whitening
from normalizers.catalogue.catalogue import Catalogue
from normalizers.errors import CorruptVersion, NormalizerError
from normalizers.versions import file as files
from normalizers.versions import fitting
from normalizers.versions.manifest import params_json
from tests.unit.versions.file.samples import MISSING, NAMES, forged, replaced, versions


@pytest.mark.parametrize("name", NAMES)
def test_a_version_comes_back_with_the_same_bytes(name: str) -> None:
    version = versions()[name]
    content = files.to_bytes(version)
    again = files.from_bytes(content)
    assert files.to_bytes(again) == content
    assert files.content_hash(content) == files.content_hash(files.to_bytes(again))
    assert type(again.method) is type(version.method)
    assert params_json(again.method, again.explicit_params) == params_json(
        version.method, version.explicit_params
    )
    assert params_json(again.resolved_method, again.resolved) == params_json(
        version.resolved_method, version.resolved
    )
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
        "from normalizers.versions import file as files\n"
        "from tests.unit.versions.file.samples import versions\n"
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
        (b"PK\x03\x04 a zip file, not a version", "not a version file: it is shorter"),
        (b"score\n3.1\n4.7\n5.2\n", "not a version file: it is shorter"),
        (b"\x02\0\0\0\0\0\0\0no", "not a version file: its header or manifest is not JSON"),
        (bytes(save({"x": np.zeros(2)})), "metadata key must be 'manifest'"),
        (bytes(save({"x": np.zeros(2)}, {"manifest": "{}"})), "'format' of the file is not"),
        (bytes(save({"x": np.zeros(2)}, {"manifest": "x"})), "not JSON"),
        (bytes(save({"x": np.zeros(2)}, {"manifest": "[" * 10**5})), "not JSON"),
        (bytes(save({"x": np.zeros(2)}, {"manifest": '{"format":NaN}'})), "not JSON"),
        (bytes(save({"x": np.zeros(2)}, {"manifest": '{"format":2}'})), "reads format 1"),
        (bytes(save({"x": np.zeros(2)}, {"manifest": '{"format": 1}'})), "not written as"),
        (bytes(save({"x": np.zeros(2)}, {"manifest": '{"format":1}'})), "checksum differs"),
        (bytes(save({"x": np.zeros(2)}, {"manifest": "{}", "other": ""})), "one metadata key"),
        (bytes(save({"x": np.zeros(2, "f2")}, {"manifest": "{}"})), "arrays of F64, F32, I64, U8"),
    ],
)
def test_what_is_no_version_file_is_refused(content: bytes, what: str) -> None:
    with pytest.raises(CorruptVersion, match=what):
        files.from_bytes(content)


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
