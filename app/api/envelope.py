"""How answers are written: one envelope for work, one object for a version."""

from __future__ import annotations

from collections.abc import Mapping

from app.problems import problem_of
from app.registry.records import AliasRecord, Manifest, VersionRecord
from app.service.fusion.query_fusion import FusedQueries, FusedQuery
from app.service.normalizers import Trial
from app.service.work import Transformed
from normalizers.versions.manifest import params_json


def work_tree(work: Transformed) -> dict[str, object]:
    """Return the envelope of a transform, inverse or fuse."""
    answer, version = work.answer, work.version
    return {
        "method": version.method.name,
        **_stored(work.record),
        "effective_params": params_json(version.resolved_method, answer.effective_params),
        "output": dict(answer.output),
        "flags": {name: places.tolist() for name, places in sorted(answer.flags.items())},
        "warnings": [noted.as_dict() for noted in answer.warnings],
        **({"report": answer.report} if answer.report is not None else {}),
        **({"explain": answer.explain} if answer.explain is not None else {}),
        **answer.extra,
    }


def queries_tree(fused: FusedQueries) -> dict[str, object]:
    """Return the answer to many queries: what holds for all, and each with its list or error."""
    report = fused.report
    return {
        "method": fused.method.name,
        **_stored(fused.record),
        "effective_params": fused.effective_params,
        "queries": [_query(query) for query in fused.queries],
        "warnings": [noted.as_dict() for noted in fused.warnings],
        **({"report": report} if report is not None else {}),
    }


def _query(query: FusedQuery) -> dict[str, object]:
    if query.error is not None:
        problem = problem_of(query.error)
        if problem is None:
            raise query.error
        return {"id": query.id, "error": problem.as_dict()}
    return {"id": query.id, "output": dict(query.output), **query.extra}


def version_tree(record: VersionRecord) -> dict[str, object]:
    """Return a version as the history shows it."""
    return {
        "name": record.name,
        "version": record.number,
        "hash": record.hash,
        "method": record.method,
        "params": record.given,
        "resolved": record.resolved,
        "n": record.n,
        "from": record.origin,
        "parents": list(record.parents),
        "library_version": record.library_version,
        "created": record.created,
        "report": record.report,
    }


def manifest_tree(manifest: Manifest) -> dict[str, object]:
    """Return a name with the version a reference means; an open name has ``version: null``."""
    name, version = manifest.name, manifest.version
    described = {"description": name.description, "tags": list(name.tags)}
    if version is not None:
        return {**version_tree(version), **described}
    return {
        "name": name.name,
        "version": None,
        "hash": None,
        "method": name.method,
        "params": name.given,
        "created": name.created,
        **described,
    }


def listed(tree: Mapping[str, object]) -> dict[str, object]:
    """Return a version or name as a list shows it: without its fit report and its parents."""
    return {name: value for name, value in tree.items() if name not in ("report", "parents")}


def trial_tree(name: str, trial: Trial) -> dict[str, object]:
    """Return what a dry run found."""
    method, version = trial.method, trial.version
    return {
        "name": name,
        "version": None,
        "hash": None,
        "method": method.name,
        "params": params_json(method, method.explicit_params),
        "resolved": params_json(version.resolved_method, version.resolved) if version else None,
        "n": version.n if version else 0,
        "report": trial.report,
        "dry_run": True,
    }


def alias_tree(alias: AliasRecord) -> dict[str, object]:
    """Return an alias and where it points."""
    return {
        "alias": alias.alias,
        "version": alias.version,
        "hash": alias.hash,
        "updated": alias.updated,
    }


def version_headers(record: VersionRecord | None) -> dict[str, str]:
    """Return the headers that say which version answered."""
    if record is None:
        return {}
    return {
        "ETag": f'"{record.hash}"',
        "Normd-Name": record.name,
        "Normd-Version": str(record.number),
        "Normd-Hash": record.hash,
    }


def version_location(record: VersionRecord | None) -> dict[str, str]:
    """Return the header that says where a new version is."""
    return {"Location": f"/v1/normalizers/{record.name}@{record.number}"} if record else {}


def _stored(record: VersionRecord | None) -> dict[str, object]:
    if record is None:
        return {}
    return {"name": record.name, "version": record.number, "hash": record.hash}
