"""Transforms and their way back: one-shot, and by stored version."""

from __future__ import annotations

from dataclasses import dataclass

from app.registry.records import VersionRecord
from app.service.context import Context
from app.service.requests.bare_arrays import column_names, named, require_columns
from app.service.requests.bodies import StoredWorkBody, WorkBody
from app.service.requests.cancellation import require_waiting
from app.service.requests.limits import check_answer, check_batch, check_explanation
from app.service.requests.named_methods import with_methods
from app.service.requests.places import at
from app.service.requests.raw_limits import check_sent
from app.service.requests.sources import read_source
from app.service.version_loader import Found
from normalizers.contract.answer import Answer, Options
from normalizers.runtime.apply import requested_device
from normalizers.versions.version import Version, require_fit


@dataclass(frozen=True)
class Work:
    """What was answered, by which version."""

    version: Version
    answer: Answer
    record: VersionRecord | None = None


def transform(context: Context, body: WorkBody, *, inverse: bool) -> Work:
    """Return a one-shot answer."""
    method = context.versions.create(body.method, body.params)
    device = requested_device(method, Options.read(body.options))
    source = read_source(context, method, body, device)
    require_waiting()
    version = source.solve(method)
    if version is None:
        raise require_fit(method)
    return _worked(context, version, body, inverse=inverse)


def transform_by_params(context: Context, body: WorkBody) -> Work:
    """Return a one-shot answer of a method that needs no fit."""
    version = context.versions.of_params(body.method, body.params or {})
    return _worked(context, version, body, inverse=False)


def transform_stored(
    context: Context, found: Found, body: StoredWorkBody, *, inverse: bool
) -> Work:
    """Return the answer of a stored version."""
    record, version = found
    return _worked(context, version, body, inverse=inverse, record=record)


def _worked(
    context: Context,
    version: Version,
    body: WorkBody | StoredWorkBody,
    *,
    inverse: bool,
    record: VersionRecord | None = None,
) -> Work:
    options = Options.read(body.options)
    read = version.read_back if inverse else version.read
    fields = version.worker.returns if inverse else version.worker.takes
    if not inverse:
        require_columns(column_names(body.input, fields), version.columns, fields, "input")
    sent = with_methods(named(body.input, fields, "input"), fields, context.versions, "input")
    check_sent(sent, fields, context.settings, "input")
    given = read(sent, options).preferring(context.device)
    check_batch(given, context.settings, "input")
    check_answer(given, version.fitted.sizes, context.settings)
    check_explanation(given, options, context.settings)
    require_waiting()
    with at("input"):
        answer = (version.answer_back if inverse else version.answer)(given, options)
    return Work(version, answer, record)
