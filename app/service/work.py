"""Transforms and their way back: one-shot, and by stored version."""

from __future__ import annotations

from dataclasses import dataclass

from app.registry.records import VersionRecord
from app.service.context import Context
from app.service.requests.bodies import Sent, StoredWorkBody, WorkBody
from app.service.requests.cancellation import raise_if_cancelled
from app.service.requests.input import INPUT, read_input
from app.service.requests.places import at
from app.service.requests.sources import read_source
from app.service.version_loader import Found
from normalizers.contract.answer import Answer, Options
from normalizers.contract.method import Method
from normalizers.data.devices import Device
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
    if body.fit is None and body.statistics is None and body.weights is None:
        version = context.versions.stateless_version(body.method, body.params or {})
        options = Options.read(body.options)
    else:
        method = context.versions.create(body.method, body.params)
        options = Options.read(body.options)
        version = _solved(context, method, body, requested_device(method, options))
    return answer_input(context, version, body.input, options, inverse=inverse)


def transform_stored(
    context: Context, found: Found, body: StoredWorkBody, *, inverse: bool
) -> Transformed:
    """Return the answer of a stored version."""
    record, version = found
    options = Options.read(body.options)
    return answer_input(context, version, body.input, options, inverse=inverse, record=record)


def answer_input(
    context: Context,
    version: Version,
    sent: Sent,
    options: Options,
    *,
    inverse: bool = False,
    record: VersionRecord | None = None,
) -> Transformed:
    """Return what a version answers to what was sent."""
    batch = read_input(context, version, sent, options, inverse=inverse)
    raise_if_cancelled()
    if context.drift is not None and record is not None and not inverse:
        context.drift.see(record, version, batch)
    with at(INPUT):
        answer = version.answer(batch.preferring(context.device), options, inverse=inverse)
    return Transformed(version, answer, record)


def _solved(context: Context, method: Method, body: WorkBody, device: Device | None) -> Version:
    source = read_source(context, method, body, device)
    raise_if_cancelled()
    version = source.solve(method)
    if version is None:
        raise require_fit(method)
    return version
