"""A parameter that holds a method says how; the method itself says nothing about it."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.contract.answer import Answer, Options
from normalizers.contract.fields import Fields, lists
from normalizers.contract.fitted import Fitted
from normalizers.contract.method import Method
from normalizers.contract.parameters import param
from normalizers.contract.resolution import given_statistics_params, params_affecting, unfitted
from normalizers.data.batch import Batch
from normalizers.errors import InvalidParams
from normalizers.normalizer import Normalizer
from normalizers.pipeline.references import StepReference
from normalizers.pipeline.steps import Step, read_step
from normalizers.versions.manifest import method_from_manifest, params_json
from normalizers.versions.verification import conflicting_param, inconsistent_array

MOVED = (
    "as_json",
    "from_manifest",
    "fill_missing_params",
    "conflicting_param",
    "inconsistent_array",
    "unfitted",
    "params_affecting",
    "given_statistics_params",
)


def _read(method: Method, value: object, path: str) -> Step:
    return read_step(value, path, CATALOGUE)


class Delegate(Normalizer):
    """Answer by another method, with nothing of its own but the parameter that names it."""

    name = "delegate"
    family = "scores"
    takes = Fields(scores=lists(help="scores"))
    gives = Fields(scores=lists(help="what the other method gives"))

    other: object | None = param(
        default=None, read=_read, affects="answer", references=StepReference(), help="a method"
    )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the scores."""
        return Answer({"scores": batch["scores"]})


def test_a_declared_reference_is_all_a_method_needs_to_stand_in_a_file_with_another() -> None:
    fitted_scale = CATALOGUE.create("min_max", {"scope": "fitted"})
    assert isinstance(fitted_scale, Normalizer)
    method = Delegate(other=fitted_scale.fit(np.array([0.0, 10.0]))).validated()
    arrays = unfitted(method)
    assert all(name.startswith("steps.0.") for name in arrays.arrays)
    written = params_json(method, method.explicit_params)
    again = method_from_manifest(Delegate, written, arrays, CATALOGUE).validated()
    assert params_json(again, again.explicit_params) == written
    assert conflicting_param(method, again, None) is None
    assert inconsistent_array(again, arrays, None) is None
    clipped, free = (
        Delegate(other={"method": "min_max", "params": {"clip": clip}}).validated()
        for clip in (True, False)
    )
    assert conflicting_param(clipped, free, None) == "other"
    assert params_affecting(method, "answer") == {"other": method.other}
    assert given_statistics_params(method) == {}


def test_a_method_has_no_names_of_its_own_for_parameters_that_hold_methods() -> None:
    assert not [name for name in MOVED if hasattr(Normalizer, name)]


def test_the_steps_in_a_manifest_are_a_list() -> None:
    cls = CATALOGUE.method("pipeline")
    with pytest.raises(InvalidParams, match="a list of steps"):
        method_from_manifest(cls, {"steps": "min_max"}, Fitted(), CATALOGUE)
