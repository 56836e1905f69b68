"""One connection, with bounds on its head, on its slow body and on its slow reader."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from typing import Any

import orjson
from httptools import HttpRequestParser
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from app.server.drain import DRAIN
from app.server.whole_body import WholeBody
from app.settings import Settings, read_settings, variable
from normd.wire import problem_types as types
from normd.wire.problem_types import ProblemType
from normd.wire.problems import MEDIA_TYPE


class HeadTooLarge(Exception):
    """The head of a request is above its bound."""


class BoundConnection(HttpToolsProtocol):
    """uvicorn's connection, whose peer cannot hold memory or a place for as long as it likes.

    A head may have `max_head_bytes` and take `head_seconds`; a body may take `body_seconds` of
    the time in which it is read; an answer may wait `write_seconds` for its reader. Above
    `max_connections` a connection is answered 503 at once.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.bounds = _settings()
        self._head_bytes = 0
        self._in_head = True
        self._head_timer: asyncio.TimerHandle | None = None
        self._body_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._read_seconds = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin a connection, or refuse it where there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self.bounds.max_connections:
            setting = variable("max_connections")
            self._refuse(503, types.UNAVAILABLE, f"too many connections; {setting} bounds them")
        else:
            self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """End what waits for this connection."""
        for timer in (self._head_timer, self._body_timer, self._write_timer):
            _cancel(timer)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count what belongs to a head; the parser keeps an unfinished header for itself."""
        if self.transport.is_closing():
            return
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_timer is None:
                self._expect_head()
        super().data_received(data)
        if self._in_head and self._head_bytes > self.bounds.max_head_bytes:
            self._refuse_head()

    def on_message_begin(self) -> None:
        """Begin a head."""
        self._in_head = True
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header, unless the head is too large with it."""
        super().on_header(name, value)
        if len(self.headers) > self.bounds.max_headers:
            raise HeadTooLarge

    def on_headers_complete(self) -> None:
        """End the head, begin the body."""
        self._in_head, self._head_bytes = False, 0
        _cancel(self._head_timer)
        self._head_timer = None
        super().on_headers_complete()
        if DRAIN.begun and self.has_request:
            self.cycle.keep_alive = False
        self._read_seconds = 0.0
        self._body_timer = self._later(1.0, self._count_second)
        whole = WholeBody.announced(self, self._end_body) if self.has_request else None
        if whole is not None:
            self.cycle.receive = whole.receive  # type: ignore[method-assign]

    def on_message_complete(self) -> None:
        """End the body."""
        _cancel(self._body_timer)
        self._body_timer = None
        self._in_head = True
        super().on_message_complete()

    def pause_writing(self) -> None:
        """Give a reader that is behind some time."""
        super().pause_writing()
        self._write_timer = self._later(self.bounds.write_seconds, self._abort)

    def resume_writing(self) -> None:
        """Go on writing."""
        _cancel(self._write_timer)
        self._write_timer = None
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, also where its reader never takes the last answer."""
        super().timeout_keep_alive_handler()
        self._write_timer = self._later(self.bounds.write_seconds, self._abort)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, or has too large a head, as a problem."""
        if len(self.headers or ()) > self.bounds.max_headers:
            self._refuse_head()
        else:
            self._refuse(400, types.BAD_REQUEST, "this is no HTTP request")

    @property
    def has_request(self) -> bool:
        """Whether a request was ever begun here; uvicorn has none until then."""
        return getattr(self, "cycle", None) is not None

    def _end_body(self) -> None:
        """End a body that was read in place of the parser, which has not seen its end."""
        self.parser = HttpRequestParser(self)
        with suppress(AttributeError):  # uvicorn's own, where the parser has it.
            self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
        self.on_message_complete()

    def _expect_head(self) -> None:
        self._head_timer = self._later(self.bounds.head_seconds, self._end_slow_head)

    def _end_slow_head(self) -> None:
        """Close a connection that sends no whole head in time; an idle one has uvicorn's time."""
        self._head_timer = None
        if self._head_bytes:
            setting = variable("head_seconds")
            self._refuse(408, types.BAD_REQUEST, f"the head did not arrive in time; see {setting}")
        elif not self.has_request:
            self.transport.close()

    def _count_second(self) -> None:
        """Count a second of reading: while the service reads nothing, the sender cannot send."""
        self._read_seconds += 0.0 if self.flow.read_paused else 1.0
        if self._read_seconds < self.bounds.body_seconds:
            self._body_timer = self._later(1.0, self._count_second)
            return
        setting = variable("body_seconds")
        if self.cycle.response_started:
            self._abort()
        else:
            self._refuse(408, types.BAD_REQUEST, f"the body did not arrive in time; see {setting}")

    def _refuse_head(self) -> None:
        limit, setting = self.bounds.max_head_bytes, variable("max_head_bytes")
        detail = f"the head of the request is above {limit} bytes, the limit set by {setting}, "
        detail += f"or has more than {self.bounds.max_headers} headers ({variable('max_headers')})"
        self._refuse(431, types.TOO_LARGE, detail)

    def _refuse(self, status: int, kind: ProblemType, detail: str) -> None:
        """Answer a problem that no application has seen, and close."""
        if self.transport.is_closing():
            return
        if self.has_request:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.write(_problem(status, kind, detail))
        self.transport.close()
        self._write_timer = self._later(self.bounds.write_seconds, self._abort)

    def _abort(self) -> None:
        self.transport.abort()

    def _later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, call)


def _problem(status: int, kind: ProblemType, detail: str) -> bytes:
    title = HTTPStatus(status).phrase
    body = orjson.dumps(
        {
            "type": kind.uri,
            "title": title,
            "status": status,
            "detail": detail,
            "errors": [],
            "request_id": "",
        }
    )
    head = [
        f"HTTP/1.1 {status} {title}".encode(),
        f"content-type: {MEDIA_TYPE}".encode(),
        f"content-length: {len(body)}".encode(),
        b"connection: close",
    ]
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        head.append(b"retry-after: 1")
    return b"\r\n".join([*head, b"", body])


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


@cache
def _settings() -> Settings:
    return read_settings()
