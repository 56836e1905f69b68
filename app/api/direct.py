"""Routes that are called with the request and the path, and with nothing to be solved before."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

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
