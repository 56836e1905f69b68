"""A Starlette application that answers the body it was sent."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


def create_app() -> Starlette:
    """Return the application."""
    return Starlette(routes=[Route("/", _echo, methods=["GET", "POST"])])


async def _echo(request: Request) -> Response:
    return Response(await request.body(), media_type=request.headers.get("content-type"))
