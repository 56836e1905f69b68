"""The normalizer of a run: read from whatever way it was written, and applied to its lists."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np

from normalizers.contract import (
    NOT_FITTED,
    Answer,
    Batch,
    Fitted,
    Method,
    Notice,
    Options,
    lookup,
    notice,
)
from normalizers.data.arrays import Array
from normalizers.data.batch import InputForm
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, InvalidParams, relocated
from normalizers.pipeline.steps import Step, read_step
from normalizers.scores.base.probability_map import ProbabilityMap
from normalizers.scores.base.similarity import SIMILARITIES
from normalizers.scores.fusion.runs.pooled import PooledNormalizer
from normalizers.scores.fusion.runs.run import Run

DIRECTION, SIMILARITY = "higher_is_better", "similarity"
NESTED = InputForm("nested")


@dataclass(frozen=True)
class RunNormalizer:
    """A method that needs no fit, or a fitted version, with where it was named.

    Parameters
    ----------
    step : Step
        The method or version.
    path : str
        Where it stands in the request.
    """

    step: Step
    path: str

    @cached_property
    def resolved_method(self) -> Method:
        """The method with every parameter resolved."""
        version = self.step.version
        return self.step.method.resolved(None) if version is None else version.resolved_method

    @property
    def resolved(self) -> Step:
        """The step with every parameter resolved, but for the direction, which is each run's."""
        if self.step.version is not None:
            return replace(self.step, method=self.step.version.resolved_method)
        return replace(self.step, method=undirected(self.resolved_method, self.step.method))

    @property
    def fitted(self) -> Fitted:
        """The fitted arrays of a version; a method has none."""
        return NOT_FITTED if self.step.version is None else self.step.version.fitted

    @property
    def bounded(self) -> bool:
        """Whether its values lie within about 0..1."""
        return bool(getattr(_last(self.resolved_method), "bounded", True))

    @property
    def depends_on_pool(self) -> bool:
        """Whether its values depend on how many hits a list has."""
        return bool(getattr(_last(self.resolved_method), "depends_on_pool", False))

    @property
    def direction(self) -> bool | None:
        """The direction of scores that it was given, None where it was given none."""
        version = self.step.version
        given = _first(self.step.method if version is None else version.method).explicit_params
        similarity = given.get(SIMILARITY)
        if isinstance(similarity, str):
            return SIMILARITIES[similarity]
        stated = given.get(DIRECTION)
        return stated if isinstance(stated, bool) else None

    def directed(self, run: Run) -> Method:
        """Return the worker for the direction of this run.

        Raises
        ------
        InvalidInput
            Where the normalizer was given the other direction.
        """
        if self.direction not in (None, run.higher_is_better):
            raise InvalidInput(
                f"the scores of run {run.name!r} have the other direction than this normalizer "
                "was given; leave it to the run",
                path=self.path,
            )
        return _directed(self.resolved_method, run)

    def apply(self, run: Run, path: str) -> tuple[Array, list[Notice]]:
        """Return the normalized score of each hit, and what was noticed; NaN stays NaN.

        Raises
        ------
        NormalizerError
            What the method refuses, with the place of the run or of the normalizer.
        """
        resolved = self.directed(run)
        observed = ~np.isnan(run.raw)
        scores = Ragged(run.raw, run.lists.offsets) if observed.all() else _without(run, observed)
        answer = self._answer(resolved, scores, path)
        values = answer.canonical(resolved.gives.main)
        if not isinstance(values, Ragged) or not np.isfinite(values.values).all():
            raise InvalidInput("a normalized score is not a finite number", path=path)
        normalized = np.full(len(observed), np.nan)
        normalized[observed] = values.values
        return normalized, _constant_lists(answer, run)

    def log_odds(self, run: Run, path: str) -> Array | None:
        """Return the log odds of each hit, None where it is no calibrator; NaN stays NaN."""
        resolved = self.directed(run)
        if not isinstance(resolved, ProbabilityMap):
            return None
        if resolved.unusable(run.raw).any():
            raise InvalidInput(resolved.domain, path=f"{path}.scores")
        return resolved.log_odds(self.fitted, run.raw)

    def _answer(self, resolved: Method, scores: Ragged, path: str) -> Answer:
        main = resolved.takes.main
        with _placed(self.path, f"{path}.scores"):
            return resolved.apply(self.fitted, Batch({main: scores}, {main: NESTED}), Options())


def read_normalizer(written: object, path: str) -> RunNormalizer:
    """Return the normalizer that a parameter or a run names.

    Raises
    ------
    InvalidParams
        What is no method or version of score lists, or one that has no fit.
    """
    if isinstance(written, Step):
        return RunNormalizer(written, path)
    step = read_step(written, path, lookup.built_in(), noun="a normalizer")
    name = step.method.name
    if not step.stateless:
        raise InvalidParams(
            f"'{name}' needs a fit: name a fitted version, {{'ref': ..}}", path=path
        )
    read = RunNormalizer(step, path)
    if isinstance(read.resolved_method, PooledNormalizer):
        return read
    fields = read.resolved_method.takes
    others = [side for side, field in list(fields.items())[1:] if field.required]
    if fields[fields.main].kind != "lists" or others:
        raise InvalidParams(f"'{name}' does not normalize lists of scores", path=path)
    return read


def read_step_of_run(method: Method, written: object, path: str) -> Step:
    """Return the step that a parameter names as the normalizer of runs."""
    return read_normalizer(written, path).step


def _parts(method: Method) -> list[Step]:
    """Return the steps of a pipeline, none of any other method."""
    return cast("list[Step]", vars(method)["steps"]) if "pipeline" in method.kinds else []


def _first(method: Method) -> Method:
    parts = _parts(method)
    return parts[0].method if parts else method


def _last(method: Method) -> Method:
    parts = _parts(method)
    return parts[-1].method if parts else method


def _with_first(pipeline: Method, method: Method) -> Method:
    first, *rest = _parts(pipeline)
    return pipeline.with_values({"steps": [replace(first, method=method), *rest]})


def undirected(resolved: Method, given: Method) -> Method:
    """Return a resolved normalizer without a direction but the given one: it is each run's."""
    if _parts(resolved):
        return _with_first(resolved, undirected(_first(resolved), _first(given)))
    if DIRECTION not in resolved.parameters:
        return resolved
    return resolved.with_values({DIRECTION: given.explicit_params.get(DIRECTION)})


def _directed(resolved: Method, run: Run) -> Method:
    if _parts(resolved):
        return _with_first(resolved, _directed(_first(resolved), run))
    if DIRECTION not in resolved.parameters:
        return resolved
    told: dict[str, object] = {DIRECTION: run.higher_is_better}
    if run.similarity is not None and getattr(resolved, SIMILARITY, None) is None:
        told[SIMILARITY] = run.similarity
    return resolved.with_values(told)


def _without(run: Run, observed: Array) -> Ragged:
    kept = np.concatenate(([0], np.cumsum(observed)))[run.lists.offsets]
    return Ragged(run.raw[observed], kept)


def _constant_lists(answer: Answer, run: Run) -> list[Notice]:
    count = len(answer.flags.get("constant", ()))
    if not count:
        return []
    message = "a list has one hit, or equal scores only: it has no scale of its own"
    return [notice("constant_list", message, run=run.name, count=count)]


def _placed(normalizer: str, scores: str) -> AbstractContextManager[None]:
    """Say where in the request of a fusion what a normalizer refuses stands."""
    return relocated(
        lambda place: (
            normalizer + place.removeprefix("params") if place.startswith("params") else scores
        )
    )
