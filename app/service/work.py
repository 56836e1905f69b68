"""Transforms and their way back: one-shot, and by stored version."""

from __future__ import annotations

from dataclasses import dataclass

from app.registry.records import VersionRecord
from app.service.bodies import StoredWorkBody, WorkBody
from app.service.context import Context
from app.service.limits import check_batch, check_fit
from app.service.places import at
from normalizers import fitting
from normalizers.answer import Answer, Options
from normalizers.errors import InvalidInput, UnsupportedOperation
from normalizers.normalizer import Normalizer
from normalizers.version import Version, require_fit


@dataclass(frozen=True)
class Work:
    """What was answered, by which version."""

    version: Version
    answer: Answer
    record: VersionRecord | None = None


def transform(context: Context, body: WorkBody, *, inverse: bool) -> Work:
    """Return a one-shot answer."""
    method = context.versions.create(body.method, body.params)
    version = one_shot_version(context, method, body)
    return _worked(context, version, body, inverse=inverse)


def transform_stored(
    context: Context, reference: str, body: StoredWorkBody, *, inverse: bool
) -> Work:
    """Return the answer of a stored version."""
    record, version = context.versions.find(reference)
    return _worked(context, version, body, inverse=inverse, record=record)


def one_shot_version(context: Context, method: Normalizer, body: WorkBody) -> Version:
    """Return the version that a request describes and nobody keeps."""
    sources = [name for name in ("fit", "statistics", "weights") if getattr(body, name) is not None]
    if len(sources) > 1:
        raise InvalidInput(f"send one of fit, statistics, weights, not {' and '.join(sources)}")
    if body.weights is not None:
        raise UnsupportedOperation(f"'{method.name}' has no learned weights", path="weights")
    if body.fit is not None:
        batch = fitting.read_fit(method, body.fit)
        check_fit(batch, method.fits, context.settings)
        with at("fit"):
            return fitting.fit_batch(method, batch)
    if body.statistics is not None:
        with at("statistics"):
            return fitting.from_statistics(method, body.statistics)
    if not method.stateless:
        raise require_fit(method)
    return fitting.stateless(method)


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
    given = read(body.input, options)
    check_batch(given, context.settings, "input")
    with at("input"):
        answer = (version.answer_back if inverse else version.answer)(given, options)
    return Work(version, answer, record)
