from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from tests.api.routes import ROUTES, Route, hold
from tests.api.samples import stored


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = Settings(data=tmp_path_factory.mktemp("data"))
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        hold(client)
        yield client


@pytest.fixture(autouse=True)
def _nothing_is_stored(client: TestClient) -> Iterator[None]:
    before = stored(client)
    yield
    assert stored(client) == before


@pytest.fixture(params=ROUTES.values(), ids=ROUTES.keys())
def route(request: pytest.FixtureRequest) -> Route:
    found: Route = request.param
    return found
