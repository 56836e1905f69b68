"""One table: what went wrong -> problem type, status and title (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import orjson
from starlette.responses import Response
from starlette.types import Scope

from app.registry import errors as registry
from app.service import errors as service
from normalizers import errors as library
from normd.wire import problem_types as types
from normd.wire import problems as wire
from normd.wire.codecs import errors as codecs
from normd.wire.problem_types import ProblemType
from normd.wire.problems import MEDIA_TYPE

MAX_FAULTS = 20
RETRY_AFTER_SECONDS = 1
INFERENCE_PATHS = "/v2"


@dataclass(frozen=True)
class Problem:
    """One problem answer."""

    type: ProblemType
    detail: str
    faults: Sequence[library.Fault] = ()
    members: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, object]:
        """Return the problem as answers write it, but for the id of the request."""
        return {
            "type": self.type.uri,
            "title": self.type.title,
            "status": self.type.status,
            "detail": self.detail,
            "errors": [
                {"path": fault.path, "message": fault.message} for fault in self.faults[:MAX_FAULTS]
            ],
            **self.members,
        }


# From the most special class to the most general one: the first that fits is taken.
TABLE: tuple[tuple[type[Exception], ProblemType], ...] = (
    *wire.TABLE,
    (registry.NotFound, types.NOT_FOUND),
    (registry.Conflict, types.CONFLICT),
    (registry.PreconditionFailed, types.PRECONDITION_FAILED),
    (registry.Unavailable, types.UNAVAILABLE),
    (service.DamagedVersion, types.DAMAGED_VERSION),
    (service.UnknownMethod, types.NOT_FOUND),
)

# Every type that an answer can have, by slug, for the documentation.
CATALOGUE: Mapping[str, ProblemType] = {
    kind.slug: kind
    for kind in (
        types.BAD_REQUEST,
        types.UNAUTHORIZED,
        types.FORBIDDEN,
        types.TOO_MANY_REQUESTS,
        types.METHOD_NOT_ALLOWED,
        types.INTERNAL,
        *(known for _, known in TABLE),
    )
}


def problem_of(error: Exception) -> Problem | None:
    """Return the problem that an expected error is, or None for an unexpected one."""
    for known, kind in TABLE:
        if isinstance(error, known):
            faults = _faults(error)
            detail = _placed(_detail(error), faults)
            return Problem(kind, detail, faults, _members(error), _headers(kind, error))
    return None


def problem_response(problem: Problem, scope: Scope) -> Response:
    """Return the answer of a problem; the payload of the request is never part of it.

    Clients of the inference protocol read what is wrong in ``error``.
    """
    request_id = str(scope.get("state", {}).get("request_id", ""))
    body = {**problem.as_dict(), "request_id": request_id}
    by_protocol = scope["path"].startswith(INFERENCE_PATHS)
    return Response(
        orjson.dumps({"error": problem.detail, **body} if by_protocol else body),
        status_code=problem.type.status,
        media_type=MEDIA_TYPE,
        headers=dict(problem.headers),
    )


def _detail(error: Exception) -> str:
    message = getattr(error, "message", None) or str(error)
    hint = getattr(error, "hint", "")
    return f"{message}; {hint}" if hint else str(message)


def _placed(detail: str, faults: Sequence[library.Fault]) -> str:
    """Return the detail with the place it is about, unless it says so itself."""
    path = faults[0].path if faults else ""
    return detail if path in detail else f"{path}: {detail}"


def _faults(error: Exception) -> Sequence[library.Fault]:
    if isinstance(error, library.NormalizerError):
        return error.faults
    path = getattr(error, "path", "")
    return [library.Fault(path, _detail(error))] if path else []


def _members(error: Exception) -> dict[str, object]:
    if isinstance(error, library.NonFiniteError):
        return {"positions": error.positions}
    if isinstance(error, library.RankDeficient):
        return {"rank": error.rank, "remedy": error.remedy}
    if isinstance(error, codecs.TooLarge):
        return {"limit": error.limit, "setting": error.setting}
    if isinstance(error, registry.PreconditionFailed):
        return {"actual": error.actual}
    return {}


def _headers(kind: ProblemType, error: Exception) -> dict[str, str]:
    if isinstance(error, codecs.UnsupportedMediaType):
        told = {"Accept": error.accept, "Accept-Encoding": error.codings}
        return {header: ", ".join(known) for header, known in told.items() if known}
    return {"Retry-After": str(RETRY_AFTER_SECONDS)} if kind.status == 503 else {}
