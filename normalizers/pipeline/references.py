"""How the steps of a pipeline, and a single one, stand in a file, and what of them a fit needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, cast

from normalizers.contract.fitted import NOT_FITTED, Fitted
from normalizers.contract.method import UNKNOWN_STATISTICS, MethodTable
from normalizers.contract.references import References
from normalizers.contract.resolution import given_statistics_params, params_affecting
from normalizers.contract.tolerance import EXACT, differing
from normalizers.errors import InvalidParams
from normalizers.pipeline.steps import (
    COLUMNS,
    STEPS,
    Step,
    fitted_of,
    fitted_step,
    joined,
    kept_by_step,
)
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.versions.manifest import fill_missing_params, method_from_manifest
from normalizers.versions.verification import conflicting_param, inconsistent_array
from normalizers.versions.version import Version
from normalizers.versions.weights import wrong_weight

STEP_MEMBERS = {"method", "params"}


class StepReferences(References):
    """Steps in order, whose statistics and arrays are all that a pipeline has."""

    owns_fit: ClassVar[bool] = True

    def to_json(self, value: object) -> object:
        """Return each step as it stands in a manifest."""
        items = value if isinstance(value, list) else []
        return [item.as_json() if isinstance(item, Step) else item for item in items]

    def from_json(self, written: object, fitted: Fitted, table: MethodTable) -> object:
        """Return the steps that a manifest describes."""
        if not isinstance(written, list):
            raise InvalidParams("a pipeline has a list of steps and no other parameter")
        return [rebuilt_step(item, fitted, index, table) for index, item in enumerate(written)]

    def fill_missing(
        self, given: object, used: object, statistics: Statistics | None
    ) -> tuple[object, object]:
        """Return the steps as given and as resolved, both read from a file."""
        return completed_steps(_steps(given), _steps(used), kept_by_step(statistics))

    def conflict(self, given: object, used: object, statistics: Statistics | None) -> str | None:
        """Return the place of a step's parameter that the resolved step does not follow."""
        return overruled_in(_steps(given), _steps(used), kept_by_step(statistics))

    def inconsistent_array(
        self, value: object, fitted: Fitted, statistics: Statistics | None
    ) -> str | None:
        """Return the name of a step's array that its statistics do not determine, or of no step's.

        A reference's own statistics are not in the pipeline: its arrays are the only ones.
        """
        steps = _steps(value)
        owned = [fitted_of(fitted, index) for index in range(len(steps))]
        name = contradicted_in(steps, owned, kept_by_step(statistics))
        if name is not None:
            return name
        expected = joined(owned)
        if dict(fitted.sizes) != dict(expected.sizes):
            return "sizes"
        return differing(fitted.arrays, expected.arrays, EXACT)

    def unfitted(self, value: object) -> Fitted:
        """Return the arrays of the steps that are references."""
        return joined([fitted_step(step, Statistics({})) for step in _steps(value)])

    def affecting(self, value: object, affects: str) -> object:
        """Return the values of the steps' parameters that affect this, by step.

        What is done before a fitted step affects its statistics as a whole.
        """
        steps = _steps(value)
        if affects != "statistics":
            return [params_affecting(step.method, affects) for step in steps]
        last = max((i for i, step in enumerate(steps) if step.is_fitted_here), default=-1)
        return [settings(step) for step in steps[: last + 1]]

    def deciding(self, value: object) -> object:
        """Return what decides which statistics the steps keep."""
        return [statistics_given(step) for step in _steps(value)]


class StepReference(References):
    """One step beside the method's own parameters: a method, or a version copied into the file."""

    def to_json(self, value: object) -> object:
        """Return the step as it stands in a manifest."""
        return value.as_json() if isinstance(value, Step) else value

    def from_json(self, written: object, fitted: Fitted, table: MethodTable) -> object:
        """Return the step that a manifest describes; a version finds its arrays in the file."""
        return rebuilt_step(written, fitted, 0, table)

    def fill_missing(
        self, given: object, used: object, statistics: Statistics | None
    ) -> tuple[object, object]:
        """Return the step as given and as resolved, both read from a file."""
        if isinstance(given, Step) and isinstance(used, Step):
            (given,), (used,) = completed_steps([given], [used], None)
        return given, used

    def conflict(self, given: object, used: object, statistics: Statistics | None) -> str | None:
        """Return an empty place where the resolved step does not follow the given one."""
        if not isinstance(given, Step) or not isinstance(used, Step):
            return ""
        return None if overruled_in([given], [used], None) is None else ""

    def inconsistent_array(
        self, value: object, fitted: Fitted, statistics: Statistics | None
    ) -> str | None:
        """Refuse arrays of a version that no fit gives; a method has none."""
        if not isinstance(value, Step) or value.version is None:
            return None
        return contradicted_in([value], [fitted_of(fitted, 0)], None)

    def unfitted(self, value: object) -> Fitted:
        """Return the arrays of the version, when it is one."""
        if not isinstance(value, Step) or value.version is None:
            return NOT_FITTED
        return joined([value.version.fitted])


def _steps(value: object) -> list[Step]:
    """Return the steps of a checked pipeline."""
    return cast("list[Step]", value)


def rebuilt_step(written: object, fitted: Fitted, index: int, catalogue: MethodTable) -> Step:
    """Return the step that a manifest describes; a reference finds its arrays in the file."""
    path = f"{STEPS}[{index}]"
    if not isinstance(written, Mapping) or not written.keys() >= STEP_MEMBERS:
        raise InvalidParams("a step is an object of method and params", path=path)
    params, hash = written["params"], written.get("hash")
    if not isinstance(params, Mapping) or not isinstance(hash, str | None):
        raise InvalidParams("the params or the hash of a step are of another type", path=path)
    own = fitted_of(fitted, index)
    cls = catalogue.method(str(written["method"]))
    method = method_from_manifest(cls, params, own, catalogue).validated(path)
    if hash is not None:
        return Step(method, Version(method, method, own), hash)
    columns = written.get(COLUMNS)
    return Step(method, columns=None if columns is None else tuple(columns))


def completed_steps(
    given: Sequence[Step], used: Sequence[Step], kept: Sequence[Statistics] | None
) -> tuple[list[Step], list[Step]]:
    """Return steps as given and as resolved, both read from a file, as they were written."""
    if len(given) != len(used):
        raise InvalidParams("the steps as given are not the resolved ones", path=STEPS)
    statistics = kept or (None,) * len(given)
    pairs = [_completed(*three) for three in zip(given, used, statistics, strict=True)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def _completed(given: Step, used: Step, statistics: Statistics | None) -> tuple[Step, Step]:
    if given.hash != used.hash or given.method.name != used.method.name:
        raise InvalidParams("the steps as given are not the resolved ones", path=STEPS)
    if used.version is None:
        known = statistics if given.is_fitted_here else None
        method, resolved = fill_missing_params(given.method, used.method, known)
        return replace(given, method=method), replace(used, method=resolved)
    own = used.version.fitted
    method, resolved = fill_missing_params(
        given.method, used.method, UNKNOWN_STATISTICS if own.arrays else None
    )
    version = Version(method, resolved, own)
    return Step(method, version, given.hash), Step(resolved, version, given.hash)


def overruled_in(
    given: Sequence[Step], used: Sequence[Step], kept: Sequence[Statistics] | None
) -> str | None:
    """Return the place of a given parameter that the resolved steps do not follow, or None."""
    for index, (step, resolved) in enumerate(zip(given, used, strict=True)):
        own = kept[index] if kept and step.is_fitted_here else None
        name = conflicting_param(step.method, resolved.method, own)
        if name is not None:
            return f"[{index}].params.{name}"
    return None


def contradicted_in(
    steps: Sequence[Step], fitted: Sequence[Fitted], kept: Sequence[Statistics] | None
) -> str | None:
    """Return the name of a step's array that its statistics do not determine, or None."""
    for index, (step, own) in enumerate(zip(steps, fitted, strict=True)):
        statistics = kept[index] if kept and step.is_fitted_here else None
        if step.version is not None:
            # A reference's arrays come without the statistics they follow from.
            step.method.check_fitted(own, f"{STEPS}.{index}.")
            wrong = wrong_weight(step.method, own) if step.method.weight_fields else None
            if wrong is not None:
                return f"{STEPS}.{index}.{wrong}"
            continue
        name = inconsistent_array(step.method, own, statistics)
        if name is not None:
            return f"{STEPS}.{index}.{name}"
    return None


def settings(step: Step) -> dict[str, object]:
    """Return what of a step must agree before statistics of its or of a later step merge."""
    return params_affecting(step.method, "statistics") if step.is_fitted_here else step.as_json()


def statistics_given(step: Step) -> object:
    """Return what decides which statistics a step keeps."""
    if not step.is_fitted_here:
        return step.as_json()
    return [step.method.name, step.hash, given_statistics_params(step.method)]
