from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings

Serve = Callable[..., TestClient]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Return a function that starts a service with some settings."""
    with ExitStack() as stack:

        def start(**settings: object) -> TestClient:
            chosen = Settings.model_validate({"data": tmp_path / "data", **settings})
            client = TestClient(create_app(chosen), raise_server_exceptions=False)
            return stack.enter_context(client)

        yield start


@pytest.fixture
def client(serve: Serve) -> TestClient:
    """Return a client of a service with standard settings and an empty registry."""
    return serve()
