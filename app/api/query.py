"""Query parameters: what a route does not know is refused, not ignored."""

from __future__ import annotations

from collections import Counter

from fastapi.routing import APIRoute
from starlette.requests import Request

from normalizers.errors import InvalidInput
from normalizers.spelling import did_you_mean, quoted, shown


def require_known_query(request: Request) -> None:
    """Refuse a query parameter that the route does not have, or that stands there twice."""
    route = request.scope.get("route")
    known = _names(route) if isinstance(route, APIRoute) else []
    for name, times in Counter(name for name, _ in request.query_params.multi_items()).items():
        path = f"query.{shown(name)}"
        if name not in known:
            raise InvalidInput(
                f"unknown query parameter {quoted(name)}{did_you_mean(name, known)}; "
                f"known: {', '.join(known) or 'none'}",
                path=path,
            )
        if times > 1:
            raise InvalidInput("send it once", path=path)


def _names(route: APIRoute) -> list[str]:
    return [field.alias for field in route.dependant.query_params]
