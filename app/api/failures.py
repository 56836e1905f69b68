"""Every failure becomes a problem answer, the framework's own included."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.access.guard import Denial
from app.problems import RETRY_AFTER_SECONDS, TABLE, Problem, problem_of, problem_response
from app.settings import variable
from normalizers.errors import Fault
from normd.wire.problem_types import (
    BAD_REQUEST,
    FORBIDDEN,
    INTERNAL,
    INVALID_INPUT,
    METHOD_NOT_ALLOWED,
    NOT_FOUND,
    TOO_LARGE,
    TOO_MANY_REQUESTS,
    UNAUTHORIZED,
    UNAVAILABLE,
)

logger = logging.getLogger("normd")

DENIALS = {401: UNAUTHORIZED, 403: FORBIDDEN, 429: TOO_MANY_REQUESTS, 503: UNAVAILABLE}
FRAMEWORK = {404: NOT_FOUND, 405: METHOD_NOT_ALLOWED}


def install(app: FastAPI, routes: Sequence[BaseRoute]) -> None:
    """Register a handler for every error that the service or the framework raises."""
    app.state.routes = routes
    for known, _ in TABLE:
        app.add_exception_handler(known, _expected)
    app.add_exception_handler(MemoryError, _memory)
    app.add_exception_handler(HTTPException, _framework)
    app.add_exception_handler(RequestValidationError, _validation)


class UnhandledErrors:
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
        except ClientDisconnect:
            return
        except Exception:
            logger.exception("unexpected failure, request %s", request_id_of(scope))
            if started:
                raise
            detail = "something unexpected happened; the request id finds it in the logs"
            response = problem_response(Problem(INTERNAL, detail), scope)
            await response(scope, receive, send)


class BodyTooLarge:
    """Answer 413 in place of the service.

    Parameters
    ----------
    limit : int
        Largest body, in bytes.
    """

    def __init__(self, limit: int) -> None:
        setting = variable("max_body_bytes")
        self.problem = Problem(
            TOO_LARGE,
            f"the body is above {limit} bytes, the limit set by {setting}",
            members={"limit": limit, "setting": setting},
            headers={"Connection": "close"},
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await problem_response(self.problem, scope)(scope, receive, send)


class NoPlace:
    """Answer 503 for a request that finds no place in the queue of a worker."""

    async def __call__(self, depth: int, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        problem = Problem(
            UNAVAILABLE,
            f"the service is busy, and {depth} requests wait; ask again later",
            members={"queue_depth": depth},
            headers={"Retry-After": str(RETRY_AFTER_SECONDS), "Connection": "close"},
        )
        await problem_response(problem, scope)(scope, receive, send)


class NoTime:
    """Answer 400 for a request that says by no number how long it waits."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        detail = "X-Request-Timeout-Ms is a whole number of milliseconds, such as 2000"
        await problem_response(Problem(BAD_REQUEST, detail), scope)(scope, receive, send)


class Denied:
    """Answer why a request is not let in, before anything of it is read."""

    async def __call__(self, denial: Denial, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        kind = DENIALS[denial.status]
        problem = Problem(kind, denial.detail, headers=denial.headers)
        await problem_response(problem, scope)(scope, receive, send)


def request_id_of(scope: Scope) -> str:
    """Return the id of a request."""
    return str(scope.get("state", {}).get("request_id", ""))


async def _expected(request: Request, error: Exception) -> Response:
    problem = problem_of(error)
    if problem is None:
        raise error
    return problem_response(problem, request.scope)


async def _memory(request: Request, error: Exception) -> Response:
    logger.warning("out of memory, request %s", request_id_of(request.scope))
    detail = "this request needs more memory than the service has; send less at once"
    return problem_response(Problem(TOO_LARGE, detail), request.scope)


async def _framework(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    kind = FRAMEWORK.get(error.status_code, BAD_REQUEST)
    details = {404: "there is nothing at this path", 405: "this path does not allow the method"}
    detail = details.get(error.status_code, "the request cannot be read")
    headers = {"Allow": _allowed(request, error)} if error.status_code == 405 else {}
    return problem_response(Problem(kind, detail, headers=headers), request.scope)


def _allowed(request: Request, error: HTTPException) -> str:
    """Return every method of the path; the framework names those of the first route only.

    Where a path of its own could also be read as a name, the routes of names do not count.
    """
    found = [
        route
        for route in request.app.state.routes
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE
    ]
    methods = {
        method
        for route in found
        if route.path_format == found[0].path_format
        for method in route.methods or ()
    }
    methods |= {"HEAD"} if "GET" in methods else set()
    return ", ".join(sorted(methods)) or (error.headers or {}).get("Allow", "")


async def _validation(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    faults = [
        Fault(".".join(str(part) for part in item["loc"]), str(item["msg"]))
        for item in error.errors()
    ]
    detail = f"{faults[0].path}: {faults[0].message}" if faults else "the request is not valid"
    return problem_response(Problem(INVALID_INPUT, detail, faults), request.scope)
