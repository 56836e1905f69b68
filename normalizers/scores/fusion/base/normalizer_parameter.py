"""How a method that names a normalizer stands in a file: a version is copied into it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Self

from normalizers.contract.fitted import Fitted
from normalizers.contract.method import MethodTable
from normalizers.contract.parameters import param
from normalizers.normalizer import Normalizer
from normalizers.pipeline.steps import (
    Step,
    completed_steps,
    contradicted_in,
    fitted_of,
    joined,
    overruled_in,
    rebuilt_step,
)
from normalizers.scores.fusion.runs.run_normalizer import read_step_of_run, undirected
from normalizers.statistics.base.statistics_set import Statistics

NORMALIZER = "normalizer"


class NormalizerParameter(Normalizer):
    """Base of the methods with a parameter ``normalizer``: a method, or a version."""

    normalizer: object | None = param(
        default=None,
        read=read_step_of_run,
        resolves="min_max",
        affects="answer",
        references=True,
        help="normalizer of the runs: a method's name, {method, params}, or {ref} to a version",
    )

    def unfitted(self) -> Fitted:
        """Return the arrays of the version that normalizes, when there is one."""
        step = self.normalizer
        if not isinstance(step, Step) or step.version is None:
            return super().unfitted()
        return joined([step.version.fitted])

    def as_json(self, values: Mapping[str, object]) -> dict[str, object]:
        """Return parameter values as they stand in a manifest and in answers."""
        step = values.get(NORMALIZER)
        return {**values, NORMALIZER: step.as_json()} if isinstance(step, Step) else dict(values)

    @classmethod
    def from_manifest(
        cls, values: Mapping[str, object], fitted: Fitted, catalogue: MethodTable
    ) -> Self:
        """Return the method that a manifest describes; a reference finds its arrays in the file."""
        if NORMALIZER not in values:
            return super().from_manifest(values, fitted, catalogue)
        step = rebuilt_step(values[NORMALIZER], fitted, 0, catalogue)
        return super().from_manifest({**values, NORMALIZER: step}, fitted, catalogue)

    def fill_missing_params(self, worker: Self, statistics: Statistics | None) -> tuple[Self, Self]:
        """Return this method and its worker, both read from a file, as they were written."""
        given, used = self.normalizer, worker.normalizer
        if isinstance(given, Step) and isinstance(used, Step):
            (given,), (used,) = completed_steps([given], [used], None)
            if used.version is None:
                used = replace(used, method=undirected(used.method, given.method))
        method, resolved = super().fill_missing_params(worker, statistics)
        return method.with_values({NORMALIZER: given}), resolved.with_values({NORMALIZER: used})

    def conflicting_param(self, resolved: Self, statistics: Statistics | None) -> str | None:
        """Return the name of a given parameter that `resolved_method` does not follow, or None."""
        given, used = self.normalizer, resolved.normalizer
        if isinstance(given, Step) and isinstance(used, Step):
            if overruled_in([given], [used], None) is not None:
                return NORMALIZER
        elif given is not None:
            return NORMALIZER
        bare = {NORMALIZER: None}
        mine, theirs = self.with_values(bare), resolved.with_values(bare)
        return super(NormalizerParameter, mine).conflicting_param(theirs, statistics)

    def inconsistent_array(self, fitted: Fitted, statistics: Statistics | None) -> str | None:
        """Return the name of an array of the normalizer that is not its own, or None."""
        step = self.normalizer
        if not isinstance(step, Step) or step.version is None:
            return super().inconsistent_array(fitted, statistics)
        own = fitted_of(fitted, 0)
        expected = joined([own]) if statistics is None else self.solve(statistics)
        return contradicted_in([step], [own], None) or self.first_difference(fitted, expected)
