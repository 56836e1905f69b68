"""Tags of compressed answers: other bytes than the plain answer, so another strong ETag."""

from __future__ import annotations

import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CODED = re.compile(r'-(?:gzip|zstd)"')
CONDITIONS = (b"if-match", b"if-none-match")
NOT_MODIFIED = 304


class CodedTags:
    """ASGI middleware that adds the coding to the tag of an answer, and knows such tags again.

    Parameters
    ----------
    app : ASGI application
        What is called; it knows the tags of plain answers only.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if _conditions(scope):
            known = ", ".join(Headers(scope=scope).getlist("if-none-match"))
            scope = _with_plain_tags(scope)
        else:
            known = ""

        async def send_tagged(message: Message) -> None:
            if message["type"] == "http.response.start":
                _tag(message, known)
            await send(message)

        await self.app(scope, receive, send_tagged)


def _conditions(scope: Scope) -> bool:
    return any(name.lower() in CONDITIONS for name, _ in scope["headers"])


def _with_plain_tags(scope: Scope) -> Scope:
    headers = [
        (name, CODED.sub('"', value.decode("latin-1")).encode("latin-1"))
        if name.lower() in CONDITIONS
        else (name, value)
        for name, value in scope["headers"]
    ]
    return {**scope, "headers": headers}


def _tag(message: Message, known: str) -> None:
    """Give an answer the tag of its coding; of what is not sent again, that which was known."""
    headers = MutableHeaders(raw=message["headers"])
    tag = headers.get("etag")
    if tag is None or not tag.endswith('"'):
        return
    coding = headers.get("content-encoding")
    if message["status"] == NOT_MODIFIED:
        found = re.search(re.escape(tag[:-1]) + CODED.pattern, known)
        headers["etag"] = found[0] if found else tag
    elif coding is not None:
        headers["etag"] = f'{tag[:-1]}-{coding}"'
