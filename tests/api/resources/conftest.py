"""A client that asks for plain answers: a compressed one has an ETag of its own."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.api.conftest import Serve


@pytest.fixture
def client(serve: Serve) -> TestClient:
    """Return a client of a service with standard settings and an empty registry."""
    client = serve()
    client.headers["accept-encoding"] = "identity"
    return client
