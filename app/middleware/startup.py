"""One line about why the service cannot start, in the place of a traceback."""

from __future__ import annotations

from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

# What is told of an exception; nothing of one that is a fault of the service.
Told = Callable[[Exception], str | None]


class Startup:
    """ASGI middleware that says in one line what the operator has to change.

    Parameters
    ----------
    app : ASGI application
        What is called.
    told : callable
        Returns the line for an exception, or None to leave the traceback.
    """

    def __init__(self, app: ASGIApp, told: Told) -> None:
        self.app = app
        self.told = told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on but the report of a failed start, which is written anew."""
        if scope["type"] != "lifespan":
            await self.app(scope, receive, send)
            return
        reports: list[Message] = []

        async def held(message: Message) -> None:
            if message["type"] == "lifespan.startup.failed":
                reports.append(message)
            else:
                await send(message)

        try:
            await self.app(scope, receive, held)
        except Exception as error:
            for report in reports:
                await send({**report, "message": self.told(error) or report["message"]})
            raise
