"""The verbs of both clients as users call them; what must be refused carries an ignore."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, assert_type

import numpy.typing as npt

from normd import AsyncClient, Client
from normd.client.answers import ServedAnswer
from normd.client.records import Manifest, VersionRecord

SCORES = [12.0, 7.0, 2.0]


def waiting() -> None:
    """Call verbs that wait."""
    with Client("http://127.0.0.1:8000", timeout=3.0) as client:
        assert_type(client, Client)
        assert_type(client.transform("min_max", SCORES, params={"clip": True}), npt.NDArray[Any])
        assert_type(client.apply_to("min_max", SCORES, explain=True), ServedAnswer)
        assert_type(client.inverse("min_max", SCORES, loc=[2.0]), npt.NDArray[Any])
        assert_type(client.fit("bm25", "percentile", SCORES, tags=["t"]), Manifest)
        assert_type(client.versions("bm25"), Iterator[VersionRecord])
        assert_type(Client.transform(client, "min_max", SCORES), npt.NDArray[Any])


async def awaited() -> None:
    """Call verbs that are awaited."""
    async with AsyncClient.local() as client:
        assert_type(await client.transform("min_max", SCORES, stored=False), npt.NDArray[Any])
        assert_type(await client.merge("bm25", ["bm25@1"]), VersionRecord)
        assert_type(client.names(), AsyncIterator[Manifest])


def refused(client: Client, other: AsyncClient) -> None:
    """Each line is wrong, and checkers must say so: an ignore without need is an error."""
    client.transform(SCORES)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    client.inverse("m", SCORES, stored="no")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    client.create("a", "b", parms={})  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    other.show()  # type: ignore[call-arg, unused-coroutine]  # pyright: ignore[reportCallIssue]
    client.transfrom("a")  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
