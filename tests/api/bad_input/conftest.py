from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from tests.api.samples import HUBS, NAMES, PERCENTILE, ROWS, WHITENING, create, stored


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = Settings(data=tmp_path_factory.mktemp("data"))
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        create(client, "white", WHITENING)
        create(client, "white2", {**WHITENING, "fit": {"x": [row[:2] for row in ROWS]}})
        create(client, "percent", PERCENTILE)
        create(client, "hubs", HUBS)
        create(client, "hubs5", {**HUBS, "params": {"beta": 5.0}})
        create(client, "query", {"method": "min_max"})
        create(client, "opened", {"method": "whitening"})
        client.post(f"{NAMES}/opened/observations", json={"fit": {"x": ROWS}})
        client.post(f"{NAMES}/hubs/observations", json={"fit": HUBS["fit"]})
        client.put(f"{NAMES}/white/aliases/prod", json={"version": 1})
        yield client


@pytest.fixture(autouse=True)
def _nothing_is_stored(client: TestClient) -> Iterator[None]:
    before = stored(client)
    yield
    assert stored(client) == before
