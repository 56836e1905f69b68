"""How good is it: measures of what a request sends, and live samples beside fits."""

from __future__ import annotations

from typing import cast

from app.registry.records import VersionRecord
from app.service.context import Context
from app.service.requests.bare_arrays import named
from app.service.requests.bodies import DiagnosisBody, DriftBody
from app.service.requests.cancellation import raise_if_cancelled
from app.service.requests.evaluation_body import EvaluationBody
from app.service.requests.input import INPUT, read_input
from app.service.requests.limits import too_large
from app.service.requests.places import at
from normalizers import evaluation
from normalizers.contract.answer import Options
from normalizers.data.batch import Batch
from normalizers.evaluation.diagnosis import diagnosis, read_live
from normalizers.evaluation.places import PREFIX
from normalizers.validation.limits import TooMany
from normalizers.versions.canary import CANARY, compared_canary

Tree = dict[str, object]


def evaluate(context: Context, body: EvaluationBody) -> Tree:
    """Return what the measures of a request say."""

    def check(read: Batch, path: str) -> None:
        try:
            context.input_limits.check_batch(read, path)
        except TooMany as error:
            error.path = error.path.removeprefix(PREFIX)
            raise too_large(error) from None
        raise_if_cancelled()

    done = evaluation.evaluate(
        body.measures,
        baseline=body.baseline,
        training=body.training,
        bootstrap=body.bootstrap,
        threshold_curve=body.threshold_curve,
        reliability=body.reliability,
        inspect=check,
        **body.evidence,
    )
    return done.as_dict(per_query=body.per_query)


def drift(context: Context, reference: str, body: DriftBody) -> tuple[VersionRecord, Tree]:
    """Return how far a live sample is from what a version was fitted on."""
    record, version = context.versions.find(reference)
    options = Options.read(body.options)
    given = read_input(context, version, body.input, options)
    raise_if_cancelled()
    canary = None
    if body.canary is not None:
        kept = record.report.get(CANARY)
        canary = compared_canary(version, cast("Tree | None", kept), body.canary, CANARY)
    with at("input"):
        return record, evaluation.drift(version, given, canary)


def diagnose(context: Context, reference: str, body: DiagnosisBody) -> tuple[VersionRecord, Tree]:
    """Return whether the correction of a version helps live queries."""
    record, version = context.versions.find(reference)
    values = named(body.input, version.resolved_method.diagnoses, INPUT)
    try:
        given = read_live(version, values, context.input_limits)
    except TooMany as error:
        raise too_large(error) from None
    raise_if_cancelled()
    return record, diagnosis(version, given, body.k)
