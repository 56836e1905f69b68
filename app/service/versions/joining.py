"""Versions of disjoint items over the same bank, put side by side."""

from __future__ import annotations

from dataclasses import replace

from app.service.context import Context
from app.service.requests.bodies import VersionBody
from app.service.requests.places import at
from app.service.version_loader import reference_at
from app.service.versions.merging import require_few, require_method
from normalizers.contract.fit_options import FitOptions
from normalizers.contract.method import Method
from normalizers.errors import InvalidInput
from normalizers.versions import fitting
from normalizers.versions.version import Version


def joined(context: Context, method: Method, body: VersionBody) -> Version:
    """Return the version of the items of all versions that are named.

    It is a version of its own, which no merge takes apart: what was added to a bank can be
    removed, items of another fit are no part of its sums.
    """
    references = body.refs or ()
    if not references:
        raise InvalidInput("a join puts the items of refs side by side: name them", path="refs")
    options = FitOptions.read(body.options or {})
    if options.canary is not None:
        raise InvalidInput("a join keeps no canary; a fit does", path="options.canary")
    require_few(len(references), context.settings, "refs")
    parts: list[Version] = []
    for index, reference in enumerate(references):
        with reference_at(f"refs[{index}]"):
            record, version = context.versions.find(reference)
            require_method(method, record.method, reference)
            parts.append(version)
    with at("refs"):
        made = fitting.join(method, parts, strict=options.strict)
    return replace(made, notes={**made.notes, "joined": list(references)})
