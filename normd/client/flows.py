"""Run a verb that was written once: waiting for each answer, or awaiting it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from inspect import Parameter, signature
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from normd.client.calls import Call, Flow, Reply
from normd.client.errors import ClientError
from normd.client.sessions import Session

P = ParamSpec("P")
T = TypeVar("T")
Item = TypeVar("Item")
M = TypeVar("M", bound=Callable[..., object])


class Blocking(Protocol):
    """A client that waits."""

    session: Session

    def perform(self, call: Call) -> Reply:
        """Return what answers a call."""


class Awaiting(Protocol):
    """A client that awaits."""

    session: Session

    async def perform(self, call: Call) -> Reply:
        """Return what answers a call."""


def run(flow: Flow[T], perform: Callable[[Call], Reply]) -> T:
    """Return what a flow returns, whose calls `perform` answers."""
    try:
        call = next(flow)
        while True:
            try:
                reply = perform(call)
            except ClientError as error:
                call = flow.throw(error)
            else:
                call = flow.send(reply)
    except StopIteration as done:
        result: T = done.value
        return result


async def run_async(flow: Flow[T], perform: Callable[[Call], Awaitable[Reply]]) -> T:
    """Return what a flow returns, whose calls `perform` answers without blocking."""
    try:
        call = next(flow)
        while True:
            try:
                reply = await perform(call)
            except ClientError as error:
                call = flow.throw(error)
            else:
                call = flow.send(reply)
    except StopIteration as done:
        result: T = done.value
        return result


def blocking(
    verb: Callable[Concatenate[Session, P], Flow[T]],
) -> Callable[Concatenate[Blocking, P], T]:
    """Return the method of the client that waits."""

    def method(client: Blocking, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return run(verb(client.session, *args, **kwargs), client.perform)

    return _faced(method, verb)


def awaiting(
    verb: Callable[Concatenate[Session, P], Flow[T]],
) -> Callable[Concatenate[Awaiting, P], Coroutine[Any, Any, T]]:
    """Return the method of the client that awaits."""

    async def method(client: Awaiting, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await run_async(verb(client.session, *args, **kwargs), client.perform)

    return _faced(method, verb)


Page = tuple[list[Item], str | None]


def iterating(
    page: Callable[Concatenate[Session, str, P], Flow[Page[Item]]],
) -> Callable[Concatenate[Blocking, P], Iterator[Item]]:
    """Return the method that yields the items of page after page."""

    def method(client: Blocking, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[Item]:
        cursor: str | None = ""
        while cursor is not None:
            flow = page(client.session, cursor, *args, **kwargs)
            items, cursor = run(flow, client.perform)
            yield from items

    return _faced(method, page, hidden=2)


def iterating_async(
    page: Callable[Concatenate[Session, str, P], Flow[Page[Item]]],
) -> Callable[Concatenate[Awaiting, P], AsyncIterator[Item]]:
    """Return the method that yields the items of page after page without blocking."""

    async def method(client: Awaiting, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[Item]:
        cursor: str | None = ""
        while cursor is not None:
            flow = page(client.session, cursor, *args, **kwargs)
            items, cursor = await run_async(flow, client.perform)
            for item in items:
                yield item

    return _faced(method, page, hidden=2)


def _faced(method: M, verb: Callable[..., object], hidden: int = 1) -> M:
    """Return the method with the name, help and parameters of its verb, but for the first ones."""
    known = signature(verb)
    client = Parameter("self", Parameter.POSITIONAL_ONLY)
    shown = [client, *list(known.parameters.values())[hidden:]]
    method.__name__ = method.__qualname__ = verb.__name__
    method.__doc__, method.__module__ = verb.__doc__, verb.__module__
    returned = str(known.return_annotation).removeprefix("Flow[").removesuffix("]")
    method.__dict__["__signature__"] = known.replace(parameters=shown, return_annotation=returned)
    return method
