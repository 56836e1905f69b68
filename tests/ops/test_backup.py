"""A backup made under writes is whole, and what was restored answers the same."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from app.registry.backup import BackupError, backup, restore, verify
from normd.cli.exits import CONTRADICTED
from normd.client import Client
from tests.cli.conftest import Run
from tests.cli.conftest import run as run
from tests.ops.server import serving

SCORES = {"scores": [1.0, 2.0, 5.0]}


def _fit(client: Client, name: str) -> None:
    client.create(name, "percentile", fit={"scores": [float(len(name)), 1.0, 2.0]})


def test_a_backup_under_writes_is_whole(tmp_path: Path) -> None:
    data, copy, again = (tmp_path / name for name in ("data", "copy", "again"))
    stop = threading.Event()

    def write(url: str) -> None:
        with Client(url) as client:
            number = 0
            while not stop.is_set():
                number += 1
                _fit(client, f"n{number:04}")

    with serving(data) as server:
        with Client(server.url) as client:
            _fit(client, "first")
            answer = client.transform("first", SCORES["scores"])
        writer = threading.Thread(target=write, args=(server.url,))
        writer.start()
        try:
            found = backup(data, copy)
        finally:
            stop.set()
            writer.join()
    assert found.is_whole
    assert found.versions >= 1
    restore(copy, again)
    with serving(again) as server, Client(server.url) as client:
        assert client.transform("first", SCORES["scores"]).tolist() == answer.tolist()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    from app.settings import Settings

    folder = tmp_path / "data"
    with Client.local(Settings(data=folder)) as client:
        _fit(client, "one")
        _fit(client, "second")
    return folder


def _flip(data: Path) -> Path:
    (file, *_) = sorted((data / "versions").glob("*/*.safetensors"))
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    return file


def test_a_flipped_bit_and_a_lost_file_are_named(data: Path) -> None:
    _flip(data)
    found = verify(data)
    assert [fault.reason for fault in found.faults] == ["its file does not have its hash"]
    for file in (data / "versions").glob("*/*.safetensors"):
        file.unlink()
    assert {fault.reason for fault in verify(data).faults} == {"its file is gone"}
    assert {fault.version for fault in verify(data).faults} == {"one@1", "second@1"}


def test_a_damaged_copy_is_not_restored(data: Path, tmp_path: Path) -> None:
    backup(data, tmp_path / "copy")
    _flip(tmp_path / "copy")
    with pytest.raises(BackupError, match="nothing was restored"):
        restore(tmp_path / "copy", tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_nothing_is_written_over(data: Path, tmp_path: Path) -> None:
    backup(data, tmp_path / "copy")
    with pytest.raises(BackupError, match="not empty"):
        backup(data, tmp_path / "copy")
    with pytest.raises(BackupError, match="not empty"):
        restore(tmp_path / "copy", data)
    with pytest.raises(BackupError, match="no data folder"):
        backup(tmp_path / "none", tmp_path / "other")


def test_the_commands_say_what_they_did(data: Path, tmp_path: Path, run: Run) -> None:
    copy = tmp_path / "copy"
    assert "holds 2 versions" in run("backup", copy, "--data", data).text
    assert run("verify", "--data", copy, "--json").json["versions"] == 2
    assert run("restore", copy, "--data", tmp_path / "again").code == 0
    _flip(copy)
    damaged = run("verify", "--data", copy)
    assert damaged.code == CONTRADICTED
    assert "does not have its hash" in damaged.text
    refused = run("restore", copy, "--data", tmp_path / "other")
    assert refused.code != 0
    assert "not whole" in refused.err
