"""A disk that cannot be used gives 503 problems, and the service goes on when it can again."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event

from app.main import create_app
from app.registry.errors import Unavailable
from app.registry.reserve import RESERVE_BYTES
from app.settings import Settings
from tests.api.problem import read_problem, slug_of
from tests.api.samples import MORE_ROWS, NAMES, ROWS, WHITENING, create, stored

WRITES: list[tuple[str, str, dict[str, object] | None]] = [
    ("POST", NAMES, {"name": "new", **WHITENING}),
    ("POST", NAMES, {"name": "new", "method": "whitening"}),
    ("POST", f"{NAMES}/n/versions", {"from": "fit", "fit": {"x": MORE_ROWS}}),
    ("POST", f"{NAMES}/n/observations", {"fit": {"x": ROWS}}),
    ("PUT", f"{NAMES}/n/aliases/prod", {"version": 1}),
    ("DELETE", f"{NAMES}/n", None),
    ("DELETE", f"{NAMES}/n@1", None),
    ("DELETE", f"{NAMES}/n/observations", None),
]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(Settings(data=tmp_path / "data", busy_timeout_seconds=0.2))
    with TestClient(app, raise_server_exceptions=False) as client:
        create(client, "n", WHITENING)
        yield client


def _folder(client: TestClient) -> Path:
    folder: Path = client.app.state.context.settings.data  # type: ignore[attr-defined]
    return folder


def test_a_read_only_database(client: TestClient) -> None:
    database = client.app.state.context.registry._database  # type: ignore[attr-defined]

    def read_only(connection: sqlite3.Connection, *_: object) -> None:
        connection.execute("PRAGMA query_only = ON")

    def writable(connection: sqlite3.Connection, *_: object) -> None:
        connection.execute("PRAGMA query_only = OFF")

    before = stored(client)
    event.listen(database.engine, "checkout", read_only)
    for verb, path, body in WRITES:
        response = client.request(verb, path, json=body)
        assert slug_of(response) == "unavailable", (verb, path)
        assert "read-only" in str(read_problem(response)["detail"])
    assert client.get(f"{NAMES}/n").status_code == 200
    answer = client.post(f"{NAMES}/n/transform", json={"input": {"x": ROWS}})
    assert answer.status_code == 200
    event.remove(database.engine, "checkout", read_only)
    event.listen(database.engine, "checkout", writable)
    rows, _ = before  # type: ignore[misc]
    assert stored(client)[0] == rows  # type: ignore[index]
    create(client, "new", WHITENING)


@pytest.mark.parametrize("number", [errno.EROFS, errno.ENOSPC, errno.EACCES, errno.EIO])
def test_a_folder_that_takes_no_files(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    open_file = Path.open

    def refuse(self: Path, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        if "x" in mode:
            raise OSError(number, os.strerror(number), str(self))
        return open_file(self, mode, *args, **kwargs)

    before = stored(client)
    monkeypatch.setattr(Path, "open", refuse)
    for body in (
        {"name": "new", **WHITENING, "fit": {"x": MORE_ROWS}},
        {"name": "new", "method": "min_max"},
    ):
        response = client.post(NAMES, json=body)
        assert slug_of(response) == "unavailable"
        assert str(_folder(client)) not in response.text
    monkeypatch.undo()
    assert stored(client) == before
    create(client, "new", {"method": "min_max"})


def test_a_file_where_the_folder_of_versions_belongs(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "versions").write_text("in the way")
    app = create_app(Settings(data=folder))
    with TestClient(app, raise_server_exceptions=False) as client:
        response = client.post(NAMES, json={"name": "n", **WHITENING})
        assert slug_of(response) == "unavailable"
        assert client.get(NAMES).json()["items"] == []
        (folder / "versions").unlink()
        create(client, "n", WHITENING)


def test_a_full_disk_under_the_database(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = client.app.state.context.registry._database  # type: ignore[attr-defined]

    def full(connection: sqlite3.Connection, *_: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")

    event.listen(database.engine, "checkout", full)
    long = "x" * 9_000
    response = client.post(
        NAMES, json={"name": "new", "method": "min_max", "description": long, "tags": [long[:200]]}
    )
    assert slug_of(response) == "unavailable"
    assert "full" in str(read_problem(response)["detail"])
    assert client.get(f"{NAMES}/n").status_code == 200


def test_a_lock_that_another_process_holds(client: TestClient) -> None:
    other = sqlite3.connect(_folder(client) / "registry.db", isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        response = client.post(f"{NAMES}/n/observations", json={"fit": {"x": ROWS}})
        assert slug_of(response) == "unavailable"
        assert "locked" in str(read_problem(response)["detail"])
        assert client.get(f"{NAMES}/n").status_code == 200
    finally:
        other.close()
    assert client.post(f"{NAMES}/n/observations", json={"fit": {"x": ROWS}}).is_success


def test_readyz_tells(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/readyz").status_code == 200
    monkeypatch.setattr("app.registry.sqlite.os.access", lambda *_: False)
    response = client.get("/readyz")
    assert slug_of(response) == "unavailable"
    assert "not writable" in str(read_problem(response)["detail"])
    assert client.get("/livez").status_code == 200


def test_no_service_starts_where_the_data_folder_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    for folder in (tmp_path / "data", tmp_path / "data" / "below"):
        with (
            pytest.raises(Unavailable, match="data folder"),
            TestClient(create_app(Settings(data=folder))),
        ):
            pass


def test_r43_a_full_disk_is_not_ready(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    full = SimpleNamespace(free=0)
    monkeypatch.setattr("app.registry.reserve.shutil.disk_usage", lambda _: full)
    answer = client.get("/readyz")
    assert (answer.status_code, "full" in answer.text) == (503, True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a disk of 4 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if shutil.which("mount") is None:
        pytest.skip("there is no mount here")
    command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no disk may be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def _fill(disk: Path) -> None:
    with (disk / "filler").open("ab", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 4096)


def test_r43_deletes_make_room_on_a_full_disk(small_disk: Path) -> None:
    settings = Settings(data=small_disk / "data", busy_timeout_seconds=0.2)
    names = [f"n{place}" for place in range(6)]
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        for name in names:
            create(client, name, WHITENING)
        assert client.put(f"{NAMES}/n5/aliases/prod", json={"version": 1}).is_success
        assert client.post(f"{NAMES}/n4/observations", json={"fit": {"x": ROWS}}).is_success
        _fill(small_disk)
        refusal = client.post(NAMES, json={"name": "more", "method": "min_max"})
        assert slug_of(refusal) == "unavailable"
        assert client.get("/readyz").status_code == 503
        for path in ("n0", "n1", "n5/aliases/prod", "n4/observations", "n5@1"):
            answer = client.delete(f"{NAMES}/{path}")
            assert answer.is_success, (path, answer.text)
            _fill(small_disk)
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        for name in names[2:]:
            assert client.delete(f"{NAMES}/{name}").is_success
        (small_disk / "filler").unlink()
        assert client.get("/readyz").status_code == 200
        create(client, "more", WHITENING)
        assert client.delete(f"{NAMES}/more").is_success
    assert (small_disk / "data" / "reserve").stat().st_size == RESERVE_BYTES


def test_a_data_folder_that_is_moved_away_takes_no_writes(client: TestClient) -> None:
    _folder(client).rename(_folder(client).with_name("elsewhere"))
    answer = client.post(f"{NAMES}/n/observations", json={"fit": {"x": ROWS}})
    assert slug_of(answer) == "unavailable"
    assert client.get("/readyz").status_code == 503
    _folder(client).with_name("elsewhere").rename(_folder(client))
    assert client.get("/readyz").status_code == 200


def test_r48_partial_files_of_dead_writers_are_swept_at_the_start(client: TestClient) -> None:
    folder = next((_folder(client) / "versions").iterdir())
    old, young = folder / ".old.partial", folder / ".young.partial"
    for partial in (old, young):
        partial.write_bytes(b"half")
    os.utime(old, (1.0, 1.0))
    with TestClient(create_app(_same(client))) as again:
        assert again.get(f"{NAMES}/n").status_code == 200
    assert (old.exists(), young.exists()) == (False, True)


def test_r48_files_of_writers_that_died_before_their_row_are_swept_at_the_start(
    client: TestClient,
) -> None:
    create(client, "kept", {"method": "min_max"})
    folder = _folder(client) / "versions"
    kept = sorted(folder.rglob("*.safetensors"))
    files = [folder / hash[:2] / f"{hash}.safetensors" for hash in ("ab" * 32, "cd" * 32)]
    other = folder / "ab" / "notes.safetensors"
    for file in (*files, other):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"of no version")
    for file in (*kept, files[0], other):
        os.utime(file, (1.0, 1.0))
    with TestClient(create_app(_same(client))) as again:
        assert again.get(f"{NAMES}/n").status_code == 200
    assert [file.exists() for file in (*files, other)] == [False, True, True]
    assert all(file.exists() for file in kept)


def _same(client: TestClient) -> Settings:
    settings: Settings = client.app.state.context.settings  # type: ignore[attr-defined]
    return settings
