"""Send a call and send it again where that is safe: the same rules for both clients."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import anyio
import httpx
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    Retrying,
    stop_after_attempt,
    wait_exponential,
    wait_random,
)

from normd.client.calls import Call, Reply
from normd.client.errors import ClientError, UnexpectedServer, Unreachable

BUSY = frozenset({429, 502, 503, 504})
# The request has not left this machine, so that sending it again cannot do anything twice.
UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
LOST = (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError)
FIRST_WAIT_SECONDS = 0.1
LONGEST_BACKOFF_SECONDS = 8.0
JITTER_SECONDS = 0.1


class RetryPolicy:
    """How often a call is sent again, and how long after.

    Parameters
    ----------
    retries : int
        Most attempts after the first.
    longest_wait : float
        Most seconds to wait for a service that names a time in ``Retry-After``.
    """

    def __init__(self, retries: int, longest_wait: float) -> None:
        self.retries = retries
        self.longest_wait = longest_wait
        rising = wait_exponential(multiplier=FIRST_WAIT_SECONDS, max=LONGEST_BACKOFF_SECONDS)
        self._backoff = rising + wait_random(0, JITTER_SECONDS)

    def send(self, call: Call, once: Callable[[], httpx.Response]) -> Reply:
        """Return what answers a call."""
        try:
            return _reply(Retrying(**self._rules(call))(once))
        except httpx.RequestError as error:
            raise _unreachable(error, call, self.retries) from error

    async def send_async(self, call: Call, once: Callable[[], Awaitable[httpx.Response]]) -> Reply:
        """Return what answers a call, without blocking."""

        async def attempt() -> httpx.Response:
            return await once()

        try:
            return _reply(await AsyncRetrying(sleep=anyio.sleep, **self._rules(call))(attempt))
        except httpx.RequestError as error:
            raise _unreachable(error, call, self.retries) from error

    def _rules(self, call: Call) -> dict[str, Any]:
        return {
            "stop": stop_after_attempt(self.retries + 1),
            "retry": lambda attempt: _again(call, attempt),
            "wait": self._wait,
            "retry_error_callback": lambda attempt: attempt.outcome.result(),
        }

    def _wait(self, attempt: RetryCallState) -> float:
        asked = _retry_after(attempt)
        return self._backoff(attempt) if asked is None else min(asked, self.longest_wait)


def _again(call: Call, attempt: RetryCallState) -> bool:
    """Return whether a call may be sent again after this attempt."""
    outcome = attempt.outcome
    error = outcome.exception() if outcome is not None else None
    if error is not None:
        return isinstance(error, UNSENT) or (call.repeatable and isinstance(error, LOST))
    response = outcome.result() if outcome is not None else None
    return call.repeatable and getattr(response, "status_code", 0) in BUSY


def _retry_after(attempt: RetryCallState) -> float | None:
    """Return the seconds that ``Retry-After`` asks for, None where it does not."""
    outcome = attempt.outcome
    if outcome is None or outcome.exception() is not None:
        return None
    text = outcome.result().headers.get("retry-after", "").strip()
    return float(text) if text.isascii() and text.isdigit() else _until(text)


def _until(text: str) -> float | None:
    """Return the seconds until an HTTP date, None where it is none."""
    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return None
    aware = then if then.tzinfo is not None else then.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())


def _reply(response: httpx.Response) -> Reply:
    return Reply(response.status_code, response.headers, response.content, str(response.url))


def _unreachable(error: httpx.RequestError, call: Call, retries: int) -> ClientError:
    url = _url(error, call)
    if isinstance(error, httpx.DecodingError):
        return UnexpectedServer(f"{url} answered bytes that do not decompress", url=url)
    if isinstance(error, httpx.TimeoutException) and not isinstance(error, UNSENT):
        return Unreachable(
            f"no answer from {url} in time; send less at once, or give the client a longer timeout",
            url=url,
        )
    if isinstance(error, httpx.UnsupportedProtocol):
        return Unreachable(
            f"'{url}' is no URL of a service; write http://host:port or https://host", url=url
        )
    reason = str(error) or type(error).__name__
    if isinstance(error, UNSENT):
        return Unreachable(
            f"no connection to {url} after {retries + 1} attempts ({reason}); is the service "
            "running there? `normd serve` starts one",
            url=url,
        )
    again = (
        ""
        if call.repeatable or call.verb == "GET"
        else "; it may have been done: look before you repeat it"
    )
    return Unreachable(f"the connection to {url} broke ({reason}){again}", url=url)


def _url(error: httpx.RequestError, call: Call) -> str:
    try:
        return str(error.request.url)
    except RuntimeError:
        return call.path
