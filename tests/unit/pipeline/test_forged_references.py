"""A pipeline's file holds the arrays of a reference without what they follow from."""

from __future__ import annotations

import numpy as np
import pytest
from safetensors.numpy import load

from normalizers import Isotonic, Percentile, Pipeline, QuantileTransform, Whitening
from normalizers.data.arrays import Array
from normalizers.errors import CorruptVersion
from normalizers.versions import fitting
from normalizers.versions.file import CHECKSUM, from_bytes, read_manifest, sealed, to_bytes
from normalizers.versions.verification import require_agreement

ROWS = np.random.default_rng(3).normal(size=(20, 3))


def _forged(arrays: dict[str, Array]) -> bytes:
    pipeline = Pipeline(steps=[Whitening().fit(ROWS), Whitening()]).fit(ROWS)
    content = to_bytes(pipeline.version_)
    described = read_manifest(content)
    kept = {name: value for name, value in described.items() if name != CHECKSUM}
    return sealed(kept, {**load(content), **arrays})


@pytest.mark.parametrize(
    "array", [np.eye(5), np.zeros(3), np.zeros((3, 3, 3))], ids=["wide", "flat", "deep"]
)
def test_arrays_of_another_shape_are_a_damaged_file_and_no_crash(array: Array) -> None:
    version = from_bytes(_forged({"fitted.steps.0.W": array}))
    with pytest.raises(CorruptVersion, match="step 0"):
        version.transform({"x": ROWS.tolist()})


def test_the_file_as_it_was_written_works() -> None:
    version = from_bytes(_forged({}))
    assert np.isfinite(np.asarray(version.transform({"x": ROWS}).output["y"])).all()


KNOTS = {
    "percentile": (Percentile().fit([1.0, 2.0, 4.0]), "values"),
    "quantile_transform": (QuantileTransform().fit([[1.0], [2.0], [4.0]]), "quantiles"),
    "isotonic x": (Isotonic().fit([1.0, 2.0, 3.0, 4.0], labels=[0, 1, 0, 1]), "x_thresholds"),
    "isotonic y": (Isotonic().fit([1.0, 2.0, 3.0, 4.0], labels=[0, 1, 0, 1]), "y_thresholds"),
    "falling": (
        Isotonic(higher_is_better=False).fit([1.0, 2.0, 3.0, 4.0], labels=[1, 0, 1, 0]),
        "y_thresholds",
    ),
}


@pytest.mark.parametrize("name", KNOTS)
def test_r45_knots_of_a_reference_that_do_not_ascend_are_refused(name: str) -> None:
    reference, array = KNOTS[name]
    content = to_bytes(fitting.stateless(Pipeline(steps=[reference]).validated()))
    require_agreement(from_bytes(content))
    described = {n: v for n, v in read_manifest(content).items() if n != CHECKSUM}
    arrays = load(content)
    path = f"fitted.steps.0.{array}"
    forged = sealed(described, {**arrays, path: arrays[path][::-1]})
    with pytest.raises(CorruptVersion, match=f"'steps.0.{array}' do not ascend"):
        require_agreement(from_bytes(forged))
