"""How good is it: measures of what a request sends, and live samples beside fits."""

from __future__ import annotations

from app.registry.records import VersionRecord
from app.service.context import Context
from app.service.requests.bare_arrays import column_names, named, require_columns
from app.service.requests.bodies import StoredWorkBody
from app.service.requests.cancellation import raise_if_cancelled
from app.service.requests.evaluation_body import EvaluationBody
from app.service.requests.limits import check_batch
from app.service.requests.places import at
from app.service.requests.raw_limits import check_raw
from normalizers import evaluation
from normalizers.contract.answer import Options
from normalizers.data.batch import Batch
from normalizers.evaluation.places import PREFIX
from normd.wire.codecs.errors import TooLarge

Tree = dict[str, object]


def evaluate(context: Context, body: EvaluationBody) -> Tree:
    """Return what the measures of a request say."""

    def check(read: Batch, path: str) -> None:
        try:
            check_batch(read, context.settings, path)
        except TooLarge as error:
            error.path = error.path.removeprefix(PREFIX)
            raise
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


def drift(context: Context, reference: str, body: StoredWorkBody) -> tuple[VersionRecord, Tree]:
    """Return how far a live sample is from what a version was fitted on."""
    record, version = context.versions.find(reference)
    options = Options.read(body.options)
    fields = version.resolved_method.takes
    require_columns(column_names(body.input, fields), version.columns, fields, "input")
    sent = named(body.input, fields, "input")
    check_raw(sent, fields, context.settings, "input")
    given = version.read(sent, options)
    check_batch(given, context.settings, "input")
    raise_if_cancelled()
    with at("input"):
        return record, evaluation.drift(version, given)
