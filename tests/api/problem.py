"""The one shape of every failure, stated once for all tests of the API."""

from __future__ import annotations

import json
from typing import Protocol

PROBLEM_JSON = "application/problem+json"
MEMBERS = {"type", "title", "status", "detail", "errors", "request_id"}
EXTRA = {
    "non-finite": {"positions"},
    "rank-deficient": {"rank", "remedy"},
    "too-large": {"limit", "setting"},
    "precondition-failed": {"actual"},
}
STATUSES = {
    "bad-request": 400,
    "unparseable": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "not-found": 404,
    "method-not-allowed": 405,
    "not-acceptable": 406,
    "conflict": 409,
    "incompatible-statistics": 409,
    "incompatible-state": 409,
    "precondition-failed": 412,
    "too-large": 413,
    "unsupported-media-type": 415,
    "corrupt-version": 422,
    "dtype-error": 422,
    "fit-error": 422,
    "invalid-input": 422,
    "invalid-params": 422,
    "missing-dependency": 422,
    "non-finite": 422,
    "not-enough-data": 422,
    "not-fitted": 422,
    "rank-deficient": 422,
    "shape-error": 422,
    "unknown-method": 422,
    "unsupported-operation": 422,
    "too-many-requests": 429,
    "internal": 500,
    "damaged-version": 503,
    "unavailable": 503,
}
MOST_ERRORS = 20
MOST_BYTES = 10_000

# Put into every body that must fail; no answer may hold it.
MARKER = "Zq7-never-echoed"


class Answered(Protocol):
    """What a response of any client has."""

    @property
    def status_code(self) -> int: ...
    @property
    def headers(self) -> object: ...
    @property
    def content(self) -> bytes: ...


def read_problem(response: Answered) -> dict[str, object]:
    """Return the problem of a failed response after checking its shape."""
    headers = {name.lower(): value for name, value in dict(response.headers).items()}  # type: ignore[call-overload]
    assert headers["content-type"] == PROBLEM_JSON, (response.status_code, response.content[:500])
    assert len(response.content) < MOST_BYTES
    problem: dict[str, object] = json.loads(response.content)
    uri = str(problem["type"])
    assert uri.startswith("/problems/")
    slug = uri.removeprefix("/problems/")
    # What clients of the inference protocol read; no other path has it.
    assert problem.pop("error", problem["detail"]) == problem["detail"]
    assert problem.keys() == MEMBERS | EXTRA.get(slug, set())
    assert problem["status"] == response.status_code == STATUSES[slug]
    assert isinstance(problem["title"], str)
    assert problem["title"]
    assert isinstance(problem["detail"], str)
    assert problem["detail"]
    assert problem["request_id"] == headers["x-request-id"]
    assert MARKER.encode() not in response.content
    _check_errors(problem)
    if response.status_code == 503:
        assert int(headers["retry-after"]) >= 1
    return problem


def _check_errors(problem: dict[str, object]) -> None:
    errors = problem["errors"]
    assert isinstance(errors, list)
    assert len(errors) <= MOST_ERRORS
    for error in errors:
        assert error.keys() == {"path", "message"}
        assert error["path"]
        assert error["message"]


def slug_of(response: Answered) -> str:
    """Return the last part of a problem's type."""
    return str(read_problem(response)["type"]).removeprefix("/problems/")


def paths_of(response: Answered) -> list[str]:
    """Return where a problem says things are wrong."""
    errors = read_problem(response)["errors"]
    assert isinstance(errors, list)
    return [str(error["path"]) for error in errors]
