"""A file that is whole and contradicts itself: its fit against its statistics, what was given."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from safetensors.numpy import load

from normalizers import GroupZScore, InvertedSoftmax, MinMax, Pipeline, Whitening
from normalizers.contract.fitted import Fitted
from normalizers.data.arrays import Array
from normalizers.errors import CorruptVersion
from normalizers.versions import file as files
from normalizers.versions import fitting
from normalizers.versions.verification import require_agreement
from normalizers.versions.version import Version
from tests.unit.versions.file.samples import NAMES, forged, replaced, versions

ROUNDING = 1e-9
ROWS = np.random.default_rng(5).normal(size=(40, 4)) @ np.diag([1.0, 1.0, 3.0, 9.0]) + 2.0
# Two groups of which one's numbers are tiny beside the other's.
UNLIKE = {"x": [1e-9, 3e-9, 1e9, 4e9], "groups": ["a", "a", "b", "b"]}
FITS = {
    "pca": fitting.fit(Whitening(variant="pca", eps=0.0, shrinkage="none"), {"x": ROWS}),
    "pca, soft, half strength": fitting.fit(Whitening(variant="pca", strength=0.5), {"x": ROWS}),
    "pca, two components": fitting.fit(Whitening(n_components=2), {"x": ROWS * 1e9}),
    "zca": fitting.fit(Whitening(eps=0.0, shrinkage="none"), {"x": ROWS}),
    "unlike groups": fitting.fit(GroupZScore(unknown_group="global"), UNLIKE),
    "levels": fitting.fit(
        GroupZScore(anchors="level_means"), {**UNLIKE, "qualities": [1.0, 2.0, 1.0, 2.0]}
    ),
    "centred": fitting.fit(InvertedSoftmax(beta=1e-3), {"bank_sims": [[1.0, -1.0]]}),
    **versions(),
}
FITTED = [name for name in FITS if name not in ("stateless", "reference")]


def written(version: Version) -> Version:
    return files.from_bytes(files.to_bytes(version))


def tampered(array: Array) -> Iterator[Array]:
    """Yield arrays of the same shape and type that are another fit."""
    if array.dtype.kind == "O":
        yield array[::-1].copy() if len(array) > 1 else np.array(["~"], dtype=object)[:, None]
        return
    step = np.asarray(np.max(np.abs(array)), dtype=array.dtype) or 1
    for changed in (array * 0, -array, array * 2, array + step, np.full_like(array, 10**15)):
        if not np.array_equal(changed, array):
            yield np.asarray(changed, dtype=array.dtype)
    for index in np.ndindex(array.shape):
        one = array.copy()
        one[index] += step
        yield one


def with_array(version: Version, name: str, array: Array) -> Version:
    arrays = {**version.fitted.arrays, name: np.asarray(array)}
    fitted = Fitted(arrays, version.fitted.sizes)
    return Version(version.method, version.resolved_method, fitted, version.statistics)


@pytest.mark.parametrize("name", FITS)
def test_what_was_fitted_agrees(name: str) -> None:
    require_agreement(written(FITS[name]))


@pytest.mark.parametrize("name", FITTED)
def test_every_changed_array_is_refused(name: str) -> None:
    version = written(FITS[name])
    for path, array in version.fitted.arrays.items():
        for changed in tampered(array):
            with pytest.raises(CorruptVersion, match="is not what the statistics determine"):
                require_agreement(with_array(version, path, changed))


@pytest.mark.parametrize("name", FITTED)
def test_the_last_bits_may_be_those_of_another_processor(name: str) -> None:
    version = written(FITS[name])
    for path, array in version.fitted.arrays.items():
        if array.dtype.kind == "f":
            require_agreement(with_array(version, path, array * (1 + ROUNDING)))


def test_a_mean_of_biases_that_cancel_may_be_rounded_otherwise() -> None:
    version = written(FITS["centred"])
    noise = np.spacing(np.max(np.abs(version.fitted["item_bias"])))
    require_agreement(with_array(version, "mean_bias", version.fitted["mean_bias"] + noise))


def test_a_small_group_is_held_to_its_own_size() -> None:
    version = written(FITS["unlike groups"])
    for path in ("loc", "scale", "mean", "std", "min", "max"):
        changed = version.fitted[path] * np.array([[0.5], [1.0]])
        with pytest.raises(CorruptVersion, match=f"'{path}'"):
            require_agreement(with_array(version, path, changed))


def test_signs_and_rotations_among_equal_eigenvalues_are_left_open() -> None:
    plane = np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]])
    rows = np.concatenate([plane, [[0.0, 0.0, 0.5], [0.0, 0.0, -0.5]]])
    version = written(fitting.fit(Whitening(variant="pca", eps=0.0), {"x": rows}))
    turn = np.array([[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, -1.0]])
    turned = with_array(version, "W", version.fitted["W"] @ turn)
    whole = with_array(turned, "W_inverse", turn.T @ version.fitted["W_inverse"])
    require_agreement(whole)
    for half in (turned, with_array(version, "W", version.fitted["W"] @ turn[[2, 0, 1]])):
        with pytest.raises(CorruptVersion, match="'W'"):
            require_agreement(half)


@pytest.mark.parametrize("name", NAMES)
def test_arrays_too_many_or_missing_are_refused(name: str) -> None:
    content = files.to_bytes(versions()[name])
    tensors = load(content)
    extra = files.from_bytes(forged(content, {**tensors, "fitted.extra": np.zeros(2)}))
    with pytest.raises(CorruptVersion, match=r"'(steps.0.)?extra'"):
        require_agreement(extra)


@pytest.mark.parametrize(
    ("version", "resolved", "what"),
    [
        (fitting.fit(MinMax(clip=False), {"scores": [1, 5]}), {"clip": True}, "clip"),
        (fitting.fit(MinMax(), {"scores": [1, 5]}), {"clip": False}, None),
        (fitting.fit(Whitening(strength=0.5), {"x": ROWS}), {"strength": 1.0}, "strength"),
        (fitting.fit(Whitening(pre="l2"), {"x": ROWS}), {"pre": "none"}, "pre"),
        (fitting.stateless(MinMax(floor=0.5)), {"floor": 1e300}, "floor"),
        (FITS["auto"], {"strength": 0.25}, None),
        (
            fitting.fit(InvertedSoftmax(strength=0.5), {"bank_sims": ROWS}),
            {"strength": 1e300},
            "strength",
        ),
    ],
)
def test_resolved_parameters_are_the_given_ones(
    version: Version, resolved: dict[str, object], what: str | None
) -> None:
    content = files.to_bytes(version)
    described = files.read_manifest(content)
    told = {**described["resolved"], **resolved}  # type: ignore[dict-item]
    changed = files.from_bytes(forged(content, load(content), {**described, "resolved": told}))
    if what is None:
        require_agreement(changed)
        return
    with pytest.raises(CorruptVersion, match=f"resolved '{what}'"):
        require_agreement(changed)


def test_a_step_of_a_pipeline_is_held_to_what_was_given() -> None:
    soft = {"method": "whitening", "params": {"strength": 0.5}}
    content = files.to_bytes(fitting.fit(Pipeline(steps=[soft]), {"x": ROWS}))
    place = ("resolved", "steps", 0, "params", "strength")
    described = replaced(files.read_manifest(content), place, 1.0)
    with pytest.raises(CorruptVersion, match=r"steps\[0\]\.params\.strength"):
        require_agreement(files.from_bytes(forged(content, load(content), described)))


@pytest.mark.parametrize("columns", [[], ["a"], ["a", "b", "c", "d"]])
def test_there_are_as_many_names_as_columns(columns: list[str]) -> None:
    content = files.to_bytes(versions()["scatter"])
    described = {**files.read_manifest(content), "columns": columns}
    with pytest.raises(CorruptVersion, match="columns, and the fit has 3"):
        require_agreement(files.from_bytes(forged(content, load(content), described)))
