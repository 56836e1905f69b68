"""Transforms and their way back: one-shot, and by stored version."""

from __future__ import annotations

from dataclasses import dataclass

from app.registry.records import VersionRecord
from app.service.context import Context
from app.service.requests.bare_arrays import column_names, named, require_columns
from app.service.requests.bodies import StoredWorkBody, WorkBody
from app.service.requests.cancellation import raise_if_cancelled
from app.service.requests.limits import check_answer, check_batch, check_explanation
from app.service.requests.named_methods import with_methods
from app.service.requests.places import at
from app.service.requests.raw_limits import check_raw
from app.service.requests.sources import read_source
from app.service.version_loader import Found
from normalizers.contract.answer import Answer, Options
from normalizers.runtime.apply import requested_device
from normalizers.versions.version import Version, require_fit


@dataclass(frozen=True)
class Transformed:
    """What was answered, by which version."""

    version: Version
    answer: Answer
    record: VersionRecord | None = None


def transform(context: Context, body: WorkBody, *, inverse: bool) -> Transformed:
    """Return a one-shot answer."""
    method = context.versions.create(body.method, body.params)
    device = requested_device(method, Options.read(body.options))
    source = read_source(context, method, body, device)
    raise_if_cancelled()
    version = source.solve(method)
    if version is None:
        raise require_fit(method)
    return _transform(context, version, body, inverse=inverse)


def transform_by_params(context: Context, body: WorkBody) -> Transformed:
    """Return a one-shot answer of a method that needs no fit."""
    version = context.versions.stateless_version(body.method, body.params or {})
    return _transform(context, version, body, inverse=False)


def transform_stored(
    context: Context, found: Found, body: StoredWorkBody, *, inverse: bool
) -> Transformed:
    """Return the answer of a stored version."""
    record, version = found
    return _transform(context, version, body, inverse=inverse, record=record)


def _transform(
    context: Context,
    version: Version,
    body: WorkBody | StoredWorkBody,
    *,
    inverse: bool,
    record: VersionRecord | None = None,
) -> Transformed:
    options = Options.read(body.options)
    read = version.read_back if inverse else version.read
    fields = version.resolved_method.inverse_takes if inverse else version.resolved_method.takes
    if not inverse:
        require_columns(column_names(body.input, fields), version.columns, fields, "input")
    sent = with_methods(named(body.input, fields, "input"), fields, context.versions, "input")
    check_raw(sent, fields, context.settings, "input")
    given = read(sent, options).preferring(context.device)
    check_batch(given, context.settings, "input")
    check_answer(given, version.fitted.sizes, context.settings)
    check_explanation(given, options, context.settings)
    raise_if_cancelled()
    with at("input"):
        answer = (version.answer_back if inverse else version.answer)(given, options)
    return Transformed(version, answer, record)
