"""Services in this process, and clients of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from app.main import create_app
from app.settings import Settings
from normd.client import Client
from normd.client.local import LocalTransport

Limited = Callable[..., Client]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    """Return a client of a service without limits."""
    with Client.local(Settings(data=tmp_path / "data")) as local:
        yield local


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Limited]:
    """Return a function that starts a service with some limits."""
    with ExitStack() as stack:

        def start(**settings: int) -> Client:
            chosen = Settings.model_validate({"data": tmp_path / "limited", **settings})
            transport = LocalTransport(create_app(chosen))
            return stack.enter_context(Client("http://limited", transport=transport))

        yield start
