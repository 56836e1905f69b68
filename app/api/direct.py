"""Routes that are called with the request and the path, and with nothing to be solved before."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from app.api.query import require_known_query


class BodyRoute(APIRoute):
    """A route of small requests, for which solving dependencies would cost as much as the work.

    Its endpoint is a coroutine that takes the request and the path's parameters as strings.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request."""
        endpoint = self.endpoint

        async def handle(request: Request) -> Response:
            await require_known_query(request)
            answer: Response = await endpoint(request, **request.path_params)
            return answer

        return handle


class DirectRoutes(BaseRoute):
    """The routes of small requests, found before the framework tries those of all routers.

    Where one of them is meant but not quite (another method, a mount), nothing is found here, and
    the framework answers as ever.

    Parameters
    ----------
    routes : iterable of BodyRoute
        They answer POST.
    """

    def __init__(self, routes: Iterable[BodyRoute]) -> None:
        known = list(routes)
        self._plain = {route.path: route for route in known if not route.param_convertors}
        self._named = [route for route in known if route.param_convertors]

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return the route whose path this is, with what its names stand for."""
        if scope["type"] != "http" or scope["method"] != "POST" or scope.get("root_path"):
            return Match.NONE, {}
        path = scope["path"]
        plain = self._plain.get(path)
        if plain is not None:
            return Match.FULL, {"route": plain, "path_params": {}}
        for route in self._named:
            found = route.path_regex.match(path)
            if found is not None:
                return Match.FULL, {"route": route, "path_params": found.groupdict()}
        return Match.NONE, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that matches."""
        request = Request(scope, receive, send)
        await require_known_query(request)
        answer: Response = await scope["route"].endpoint(request, **request.path_params)
        await answer(scope, receive, send)
