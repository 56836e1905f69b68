"""A registry file that is damaged is told: 503 while the service runs, one line at a start."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.registry.errors import Unavailable
from app.settings import Settings
from tests.api.problem import read_problem, slug_of
from tests.api.samples import NAMES, ROWS, WHITENING, create
from tests.ops.test_start import SERVE, UVICORN, started

KINDS = ("header", "pages", "cut")


def damage(file: Path, kind: str) -> None:
    """Spoil a registry in place, whatever of it stood in the log."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = file.stat().st_size
    with file.open("r+b") as opened:
        if kind == "header":
            opened.write(b"x" * 100)
        elif kind == "pages":
            opened.seek(100)
            opened.write(b"\xff" * (size - 100))
        else:
            opened.truncate(5000)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", busy_timeout_seconds=0.2)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        create(client, "n", WHITENING)
        yield client


@pytest.mark.parametrize("kind", KINDS)
def test_r42_no_service_starts_on_a_damaged_registry(
    client: TestClient, settings: Settings, kind: str
) -> None:
    client.app.state.context.registry.close()  # type: ignore[attr-defined]
    damage(settings.data / "registry.db", kind)
    with pytest.raises(Unavailable, match="damaged"), TestClient(create_app(settings)):
        pass


@pytest.mark.parametrize("command, status", [(SERVE, 2), (UVICORN, 3)], ids=["normd", "uvicorn"])
def test_r42_damage_is_told_in_one_line_at_the_start(
    settings: Settings, command: list[str], status: int
) -> None:
    with TestClient(create_app(settings)) as client:
        create(client, "n", WHITENING)
    damage(settings.data / "registry.db", "pages")
    code, said = started(command, NORMD_DATA=str(settings.data))
    assert code == status
    assert "Traceback" not in said
    (line,) = [line for line in said.splitlines() if "damaged" in line]
    assert f"NORMD_DATA is {settings.data}: the registry is damaged; restore" in line


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("are_open", [True, False], ids=["open connections", "new connections"])
def test_r42_damage_while_running_is_told_from_then_on(
    client: TestClient, settings: Settings, kind: str, are_open: bool
) -> None:
    if not are_open:
        client.app.state.context.registry._database.close()  # type: ignore[attr-defined]
    damage(settings.data / "registry.db", kind)
    for answer in (
        client.post(NAMES, json={"name": "new", "method": "min_max"}),
        client.get(NAMES),
        client.post(f"{NAMES}/n/observations", json={"fit": {"x": ROWS}}),
    ):
        assert slug_of(answer) == "unavailable"
        assert "damaged" in str(read_problem(answer)["detail"])
    ready = client.get("/readyz")
    assert (ready.status_code, "damaged" in ready.text) == (503, True)
    assert client.get("/livez").status_code == 200
