"""What a version holds: statistics, fitted arrays, report, and the file itself."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from app.api.envelope import manifest_tree, version_headers, version_location
from app.api.exchange import Reply, body_of, context_of, send_reply, written
from app.api.offloading import off_loop
from app.api.openapi.media_types import OCTETS
from app.api.preconditions import ETAG, form_tag, unmodified
from app.registry.records import VersionRecord
from app.service.versions.importing import import_version
from normalizers.contract.method import UNKNOWN_STATISTICS
from normalizers.versions.version import Version
from normd.wire.codecs import JSON, SAFETENSORS, UnsupportedMediaType
from normd.wire.descriptions import describe_resolved

router = APIRouter(prefix="/v1/normalizers", tags=["contents"])

# By which media types a version file is sent.
FILES = (SAFETENSORS.media_type, OCTETS)


@router.post("/import", operation_id="import", summary="Import a version file")
async def import_file(
    request: Request, name: Annotated[str, Query(description="name to store it under")]
) -> Response:
    """Store an exported file; under an existing name it becomes a new version."""
    media_type = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if media_type not in FILES:
        raise UnsupportedMediaType(f"a version file is sent as {' or '.join(FILES)}", accept=FILES)
    content = await body_of(request)
    context = context_of(request)

    def work() -> Response:
        outcome = import_version(context, name, content)
        status = 201 if outcome.created else 200
        version = outcome.manifest.version
        headers = {**version_location(version), **version_headers(version)}
        return written(Reply(manifest_tree(outcome.manifest), status, headers), [JSON])

    return await off_loop(request, work)


@router.get("/{ref}/statistics", operation_id="statistics", summary="Statistics of a version")
def statistics(request: Request, ref: str) -> Response:
    """Return the sufficient statistics, to store, move and merge elsewhere."""
    record, version = _found(request, ref)
    return _show(request, record, {"statistics": version.statistics.to_arrays()})


@router.get("/{ref}/fitted", operation_id="fitted", summary="Fitted arrays of a version")
def fitted(request: Request, ref: str) -> Response:
    """Return the arrays the fit produced."""
    record, version = _found(request, ref)
    return _show(request, record, {"fitted": dict(version.fitted.arrays)})


@router.get("/{ref}/report", operation_id="report", summary="Fit report of a version")
def report(request: Request, ref: str) -> Response:
    """Return what the fit found: n, ranges, spectrum, warnings, advice."""
    record = context_of(request).versions.record(ref)
    return _show(request, record, {"report": record.report})


@router.get("/{ref}/method", operation_id="version_method", summary="Method of a version")
def version_method(request: Request, ref: str) -> Response:
    """Return the method as it works in a version: fields, kinds and capabilities of its parameters.

    Of an open name they are those of the parameters it was opened with.
    """
    context = context_of(request)
    manifest = context.versions.manifest(ref)
    if manifest.version is not None:
        resolved = context.versions.load(manifest.version).resolved_method
        return _show(request, manifest.version, {"method": describe_resolved(resolved)})
    name = manifest.name
    opened = context.versions.create(name.method, name.given, stored=True)
    described = describe_resolved(opened.resolved(UNKNOWN_STATISTICS))
    nothing = {"name": name.name, "version": None, "hash": None}
    return send_reply(request, Reply({**nothing, "method": described}))


@router.get("/{ref}/export", operation_id="export", summary="Export a version")
def export(
    request: Request,
    ref: str,
    form: Annotated[
        str | None,
        Query(alias="format", description="for another engine; without it the version file"),
    ] = None,
) -> Response:
    """Return the one safetensors file of a version, or its fit as another engine reads it."""
    context = context_of(request)
    record = context.versions.record(ref)
    if form is not None:
        return _for_another_engine(request, record, form)
    headers = {**version_headers(record), **_attachment(record, "safetensors")}
    known = unmodified(request, headers)
    if known is not None:
        return known
    content = context.versions.content(record)
    return Response(content, media_type=SAFETENSORS.media_type, headers=headers)


def _for_another_engine(request: Request, record: VersionRecord, form: str) -> Response:
    made = context_of(request).versions.load(record).export(form)
    tagged = version_headers(record)
    headers = {
        **tagged,
        **_attachment(record, made.suffix),
        ETAG: form_tag(tagged[ETAG], form),
    }
    known = unmodified(request, headers)
    return known or Response(made.content, media_type=made.media_type, headers=headers)


def _attachment(record: VersionRecord, suffix: str) -> dict[str, str]:
    named = f"{record.name}-{record.number}.{suffix}"
    return {"Content-Disposition": f'attachment; filename="{named}"'}


def _found(request: Request, ref: str) -> tuple[VersionRecord, Version]:
    return context_of(request).versions.find(ref)


def _show(request: Request, record: VersionRecord, tree: dict[str, object]) -> Response:
    described = {"name": record.name, "version": record.number, "hash": record.hash}
    return send_reply(request, Reply({**described, **tree}, headers=version_headers(record)))
