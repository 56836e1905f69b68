"""The steps of a pipeline: methods and versions, from whatever way they were written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from normalizers.contract.fitted import Fitted
from normalizers.contract.method import Method, MethodTable
from normalizers.contract.resolution import empty_statistics, unfitted
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams, UnknownName
from normalizers.normalizer import Normalizer
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.statistics.steps import Steps
from normalizers.versions.file import content_hash, to_bytes
from normalizers.versions.manifest import params_json
from normalizers.versions.version import Version
from normalizers.versions.weights import WEIGHTS, from_weights, read_weights

# Where a pipeline's statistics, settings, side outputs and fitted arrays keep those of its steps.
STEPS = "steps"
COLUMNS = "columns"
WRITTEN_MEMBERS = {"method", "params", WEIGHTS}


@dataclass(frozen=True, eq=False)
class Step:
    """One step: a method to fit or apply, or a version whose arrays are copied.

    Steps are equal that stand alike in a manifest.

    Parameters
    ----------
    method : Method
        The method with its parameters as given, or resolved.
    version : Version or None
        The fitted version that the step refers to.
    hash : str or None
        The hash of that version's file.
    columns : tuple, optional
        The columns that it works on, by name or position; None where it works on all.
    """

    method: Method
    version: Version | None = None
    hash: str | None = None
    columns: tuple[str | int, ...] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Step) and self.as_json() == other.as_json()

    def __hash__(self) -> int:
        return hash((self.method.name, self.hash))

    @property
    def is_fitted_here(self) -> bool:
        """Whether the pipeline's fit fits this step."""
        return self.version is None and self.method.fittable

    @property
    def stateless(self) -> bool:
        """Whether the step works without a fit of the pipeline."""
        return self.version is not None or self.method.stateless

    def as_json(self) -> dict[str, object]:
        """Return the step as it stands in a manifest."""
        written: dict[str, object] = {
            "method": self.method.name,
            "params": params_json(self.method, self.method.explicit_params),
        }
        if self.columns is not None:
            written[COLUMNS] = list(self.columns)
        return {**written, "hash": self.hash} if self.hash else written


def read_step(item: object, path: str, catalogue: MethodTable, noun: str = "a step") -> Step:
    """Return a step from a name, ``{"method", "params"}``, a normalizer or a version."""
    if isinstance(item, Step):
        return item
    if isinstance(item, Version):
        return Step(item.method, item, item.hash or content_hash(to_bytes(item)))
    if isinstance(item, Normalizer):
        checked = item.validated(path)
        is_reference = item.is_fitted and (checked.fittable or not checked.stateless)
        return read_step(item.version_, path, catalogue) if is_reference else Step(checked)
    if isinstance(item, str):
        return Step(method_of_step(item, {}, path, path, catalogue))
    if isinstance(item, Mapping) and set(item) <= WRITTEN_MEMBERS and "method" in item:
        params, weights = item.get("params"), item.get(WEIGHTS)
        name = item["method"]
        named = isinstance(name, str) and isinstance(params, Mapping | None)
        if named and isinstance(weights, Mapping | None):
            method = method_of_step(
                name, params or {}, f"{path}.method", f"{path}.params", catalogue
            )
            return Step(method) if weights is None else _with_weights(method, weights, path)
    if isinstance(item, Mapping) and "ref" in item:
        raise InvalidParams(
            "the library knows no stored names: give the fitted normalizer or its version",
            path=f"{path}.ref",
        )
    raise InvalidParams(
        f"{noun} is a method's name, {{'method', 'params'}}, with 'weights' for a trained layer, "
        "or a reference {'ref'}",
        path=path,
    )


def _with_weights(method: Method, weights: Mapping[str, object], path: str) -> Step:
    """Return the step of a layer that was trained elsewhere: a version that stands in no store."""
    version = from_weights(method, read_weights(method, weights, f"{path}.{WEIGHTS}"))
    return Step(method, version, content_hash(to_bytes(version)))


def method_of_step(
    name: str, params: Mapping[str, object], name_path: str, path: str, catalogue: MethodTable
) -> Method:
    """Return the validated method of a step; what is wrong is told with its place in the step."""
    try:
        return catalogue.create(name, params, path).validated(path)
    except UnknownName as error:
        raise UnknownName(error.message, path=name_path) from None


def arrays_of(arrays: Mapping[str, Array], index: int) -> dict[str, Array]:
    """Return the fitted arrays of one step, without their prefix."""
    start = f"{STEPS}.{index}."
    return {name.removeprefix(start): a for name, a in arrays.items() if name.startswith(start)}


def joined(fitted: Sequence[Fitted]) -> Fitted:
    """Return the fitted arrays of all steps as one, under ``steps.0.``, ``steps.1.`` and so on.

    The sizes of the first step hold for the pipeline's own input.
    """
    sizes = dict(fitted[0].sizes)
    arrays: dict[str, Array] = {}
    for index, one in enumerate(fitted):
        start = f"{STEPS}.{index}."
        arrays |= {start + name: array for name, array in one.arrays.items()}
        sizes |= {start + symbol: size for symbol, size in one.sizes.items()}
    warnings = tuple(noted for one in fitted for noted in one.warnings)
    return Fitted(arrays, sizes, {STEPS: [dict(one.report) for one in fitted]}, warnings)


def fitted_of(whole: Fitted, index: int) -> Fitted:
    """Return the fitted arrays and sizes of one step."""
    start = f"{STEPS}.{index}."
    sizes = {s.removeprefix(start): n for s, n in whole.sizes.items() if s.startswith(start)}
    return Fitted(arrays_of(whole.arrays, index), sizes)


def empty_step_statistics(step: Step) -> Statistics:
    """Return the statistics that a step would keep, of no data."""
    return empty_statistics(step.method) if step.is_fitted_here else Statistics({})


def kept_by_step(statistics: Statistics | None) -> Sequence[Statistics] | None:
    """Return the statistics of each step of a pipeline, None where it has none."""
    return cast(Steps, statistics[STEPS]).parts if statistics else None


def fitted_step(step: Step, statistics: Statistics) -> Fitted:
    """Return the fitted arrays of a step, a reference's among them."""
    if step.version is not None:
        return step.version.fitted
    if not step.is_fitted_here:
        return unfitted(step.method)
    settled = step.method.decide(statistics)
    return step.method.resolved(statistics, settled).solve(statistics)


def references(method: Method) -> Iterator[Step]:
    """Yield the steps of a method that are copies of versions, theirs among them."""
    for name, value in method.explicit_params.items():
        if method.parameters[name].references:
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, Step):
                    yield from [item] if item.version is not None else []
                    yield from references(item.method)


def resolved_step(step: Step, statistics: Statistics | None, told: object) -> Step:
    """Return the step with every parameter resolved, by its own statistics."""
    if step.version is not None:
        return replace(step, method=step.version.resolved_method)
    if not step.is_fitted_here or statistics is None:
        return replace(step, method=step.method.resolved(None))
    settled = dict(told) if isinstance(told, Mapping) else {}
    if statistics:
        settled = {**settled, **step.method.decide(statistics)}
    return replace(step, method=step.method.resolved(statistics, settled))
