"""A verb of both clients: declared once, it waits in the one and is awaited in the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from inspect import iscoroutinefunction
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from normd.client.calls import Flow
from normd.client.flows import (
    Awaiting,
    Blocking,
    Page,
    awaiting,
    blocking,
    iterating,
    iterating_async,
)
from normd.client.sessions import Session

P = ParamSpec("P")
T = TypeVar("T")
Item = TypeVar("Item")
Now = TypeVar("Now")
Later = TypeVar("Later")


class Verb(Generic[P, Now, Later]):
    """A method of a client; which one it is follows from the client, for type checkers too.

    Parameters
    ----------
    blocking : callable
        The method of a client that waits.
    awaiting : callable
        The method of a client that awaits.
    """

    def __init__(
        self,
        blocking: Callable[Concatenate[Blocking, P], Now],
        awaiting: Callable[Concatenate[Awaiting, P], Later],
    ) -> None:
        self._blocking = blocking
        self._awaiting = awaiting

    @overload
    def __get__(
        self, client: None, owner: type[Blocking]
    ) -> Callable[Concatenate[Blocking, P], Now]: ...
    @overload
    def __get__(
        self, client: None, owner: type[Awaiting]
    ) -> Callable[Concatenate[Awaiting, P], Later]: ...
    @overload
    def __get__(self, client: Blocking, owner: type[Blocking]) -> Callable[P, Now]: ...
    @overload
    def __get__(self, client: Awaiting, owner: type[Awaiting]) -> Callable[P, Later]: ...

    def __get__(self, client: object, owner: Any) -> Callable[..., object]:
        awaits = iscoroutinefunction(getattr(owner, "perform", None))
        method: Any = self._awaiting if awaits else self._blocking
        bound: Callable[..., object] = method.__get__(client, owner)
        return bound


def verb(
    flow: Callable[Concatenate[Session, P], Flow[T]],
) -> Verb[P, T, Coroutine[Any, Any, T]]:
    """Return the verb that runs a flow."""
    return Verb(blocking(flow), awaiting(flow))


def pages(
    flow: Callable[Concatenate[Session, str, P], Flow[Page[Item]]],
) -> Verb[P, Iterator[Item], AsyncIterator[Item]]:
    """Return the verb that yields the items of page after page."""
    return Verb(iterating(flow), iterating_async(flow))
