from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.registry.registry import Registry
from app.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", compact_after=3)


@pytest.fixture
def registry(settings: Settings) -> Iterator[Registry]:
    registry = Registry(settings)
    yield registry
    registry.close()
