"""Every failure becomes a problem answer, the framework's own included."""

from __future__ import annotations

import logging

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.problems import (
    BAD_REQUEST,
    INTERNAL,
    METHOD_NOT_ALLOWED,
    NOT_FOUND,
    TABLE,
    Problem,
    ProblemType,
    problem_of,
    problem_response,
)
from normalizers.errors import Fault

logger = logging.getLogger("normd")

QUERY = ProblemType("invalid-input", 422, "The data cannot be used")
FRAMEWORK = {404: NOT_FOUND, 405: METHOD_NOT_ALLOWED}


def install(app: FastAPI) -> None:
    """Register a handler for every error that the service or the framework raises."""
    for known, _ in TABLE:
        app.add_exception_handler(known, _expected)
    app.add_exception_handler(HTTPException, _framework)
    app.add_exception_handler(RequestValidationError, _validation)


class LastResort:
    """Answer 500 with the request id and nothing else when something unexpected is raised."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and answer if it fails before it answered."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception:
            request_id = scope.get("state", {}).get("request_id", "")
            logger.exception("unexpected failure, request %s", request_id)
            if started:
                raise
            detail = "something unexpected happened; the request id finds it in the logs"
            response = problem_response(Problem(INTERNAL, detail), request_id)
            await response(scope, receive, send)


def request_id_of(request: Request) -> str:
    """Return the id of a request."""
    return str(getattr(request.state, "request_id", ""))


async def _expected(request: Request, error: Exception) -> Response:
    problem = problem_of(error)
    if problem is None:
        raise error
    return problem_response(problem, request_id_of(request))


async def _framework(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    kind = FRAMEWORK.get(error.status_code, BAD_REQUEST)
    details = {404: "there is nothing at this path", 405: "this path does not allow the method"}
    detail = details.get(error.status_code, "the request cannot be read")
    headers = {
        name: value for name, value in (error.headers or {}).items() if name.lower() == "allow"
    }
    return problem_response(Problem(kind, detail, headers=headers), request_id_of(request))


async def _validation(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    faults = [
        Fault(".".join(str(part) for part in item["loc"]), str(item["msg"]))
        for item in error.errors()
    ]
    detail = f"{faults[0].path}: {faults[0].message}" if faults else "the request is not valid"
    return problem_response(Problem(QUERY, detail, faults), request_id_of(request))
