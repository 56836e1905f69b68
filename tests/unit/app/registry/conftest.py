from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.registry.registry import Registry
from app.settings import Settings
from tests.stores import bucket, postgresql_server, servers

__all__ = ["bucket", "postgresql_server", "servers"]

EMBEDDED, ON_SERVERS = "embedded", "on servers"


@pytest.fixture(params=[EMBEDDED, ON_SERVERS])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Return the settings of a registry in a folder, and of one in PostgreSQL and a bucket."""
    folder = tmp_path / "data"
    if request.param == EMBEDDED:
        return Settings(data=folder, compact_after=3)
    chosen: Settings = request.getfixturevalue("servers").settings(folder, compact_after=3)
    return chosen


@pytest.fixture
def registry(settings: Settings) -> Iterator[Registry]:
    registry = Registry(settings)
    yield registry
    registry.close()
