"""The parameter that names a normalizer of the runs: a version is copied into the file."""

from __future__ import annotations

from dataclasses import replace

from normalizers.contract import Statistics, param
from normalizers.normalizer import Normalizer
from normalizers.pipeline.references import StepReference
from normalizers.pipeline.steps import Step
from normalizers.scores.fusion.runs.run_normalizer import read_step_of_run, undirected

NORMALIZER = "normalizer"


class NormalizerReference(StepReference):
    """A normalizer of runs, which each run gives its direction."""

    def fill_missing(
        self, given: object, used: object, statistics: Statistics | None
    ) -> tuple[object, object]:
        """Return the normalizer as given and as resolved, without a direction of its own."""
        given, used = super().fill_missing(given, used, statistics)
        if isinstance(given, Step) and isinstance(used, Step) and used.version is None:
            used = replace(used, method=undirected(used.method, given.method))
        return given, used


class NormalizerParameter(Normalizer):
    """Base of the methods with a parameter ``normalizer``: a method, or a version."""

    normalizer: object | None = param(
        default=None,
        read=read_step_of_run,
        resolves="min_max",
        affects="answer",
        references=NormalizerReference(),
        help="normalizer of the runs: a method's name, {method, params}, or {ref} to a version",
    )
