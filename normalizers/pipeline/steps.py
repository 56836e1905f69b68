"""The steps of a pipeline: methods and versions, from whatever way they were written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from normalizers.contract.fitted import Fitted
from normalizers.contract.method import UNKNOWN_STATISTICS, Method, MethodTable
from normalizers.contract.resolution import empty_statistics
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams, UnknownName
from normalizers.normalizer import Normalizer
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.versions.file import content_hash, to_bytes
from normalizers.versions.version import Version

# Where a pipeline's statistics, settings, side outputs and fitted arrays keep those of its steps.
STEPS = "steps"
STEP_MEMBERS = {"method", "params"}


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
    """

    method: Method
    version: Version | None = None
    hash: str | None = None

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
            "params": self.method.as_json(self.method.explicit_params),
        }
        return {**written, "hash": self.hash} if self.hash else written


def read_step(item: object, path: str, catalogue: MethodTable, noun: str = "a step") -> Step:
    """Return a step from a name, ``{"method", "params"}``, a normalizer or a version."""
    if isinstance(item, Step):
        return item
    if isinstance(item, Version):
        return Step(item.method, item, item.hash or content_hash(to_bytes(item)))
    if isinstance(item, Normalizer):
        checked = item.validated(path)
        is_reference = item.is_fitted and checked.fittable
        return read_step(item.version_, path, catalogue) if is_reference else Step(checked)
    if isinstance(item, str):
        return Step(method_of_step(item, {}, path, path, catalogue))
    if isinstance(item, Mapping) and set(item) <= {"method", "params"} and "method" in item:
        params = item.get("params")
        name = item["method"]
        if isinstance(name, str) and (params is None or isinstance(params, Mapping)):
            return Step(
                method_of_step(name, params or {}, f"{path}.method", f"{path}.params", catalogue)
            )
    if isinstance(item, Mapping) and "ref" in item:
        raise InvalidParams(
            "the library knows no stored names: give the fitted normalizer or its version",
            path=f"{path}.ref",
        )
    raise InvalidParams(
        f"{noun} is a method's name, {{'method', 'params'}} or a reference {{'ref'}}", path=path
    )


def method_of_step(
    name: str, params: Mapping[str, object], name_path: str, path: str, catalogue: MethodTable
) -> Method:
    """Return the validated method of a step; what is wrong is told with its place in the step."""
    try:
        return catalogue.create(name, params, path).validated(path)
    except UnknownName as error:
        raise UnknownName(error.message, path=name_path) from None


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
    method = cls.from_manifest(params, own, catalogue).validated(path)
    return Step(method) if hash is None else Step(method, Version(method, method, own), hash)


def completed_steps(
    given: Sequence[Step], workers: Sequence[Step], kept: Sequence[Statistics] | None
) -> tuple[list[Step], list[Step]]:
    """Return steps as given and as resolved, both read from a file, as they were written."""
    if len(given) != len(workers):
        raise InvalidParams("the steps as given are not the resolved ones", path=STEPS)
    statistics = kept or (None,) * len(given)
    pairs = [_completed(*three) for three in zip(given, workers, statistics, strict=True)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def _completed(given: Step, worker: Step, statistics: Statistics | None) -> tuple[Step, Step]:
    if given.hash != worker.hash or given.method.name != worker.method.name:
        raise InvalidParams("the steps as given are not the resolved ones", path=STEPS)
    if worker.version is None:
        known = statistics if given.is_fitted_here else None
        method, resolved = given.method.fill_missing_params(worker.method, known)
        return Step(method), Step(resolved)
    own = worker.version.fitted
    method, resolved = given.method.fill_missing_params(
        worker.method, UNKNOWN_STATISTICS if own.arrays else None
    )
    version = Version(method, resolved, own)
    return Step(method, version, given.hash), Step(resolved, version, given.hash)


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


def fitted_step(step: Step, statistics: Statistics) -> Fitted:
    """Return the fitted arrays of a step, a reference's among them."""
    if step.version is not None:
        return step.version.fitted
    if not step.is_fitted_here:
        return step.method.unfitted()
    settled = step.method.decide(statistics)
    return step.method.resolved(statistics, settled).solve(statistics)


def overruled_in(
    given: Sequence[Step], used: Sequence[Step], kept: Sequence[Statistics] | None
) -> str | None:
    """Return the place of a given parameter that the resolved steps do not follow, or None."""
    for index, (step, resolved) in enumerate(zip(given, used, strict=True)):
        own = kept[index] if kept and step.is_fitted_here else None
        name = step.method.conflicting_param(resolved.method, own)
        if name is not None:
            return f"{STEPS}[{index}].params.{name}"
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
            continue
        name = step.method.inconsistent_array(own, statistics)
        if name is not None:
            return f"{STEPS}.{index}.{name}"
    return None


def references(method: Method) -> Iterator[Step]:
    """Yield the steps of a method that are copies of versions, theirs among them."""
    for name, value in method.explicit_params.items():
        if method.parameters[name].references:
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, Step):
                    yield from [item] if item.version is not None else []
                    yield from references(item.method)


def settings(step: Step) -> dict[str, object]:
    """Return what of a step must agree before statistics of its or of a later step merge."""
    return step.method.params_affecting("statistics") if step.is_fitted_here else step.as_json()


def statistics_given(step: Step) -> object:
    """Return what decides which statistics a step keeps."""
    if not step.is_fitted_here:
        return step.as_json()
    return [step.method.name, step.hash, step.method.given_statistics_params()]


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
