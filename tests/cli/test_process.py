"""The command line as a process of its own: pipes, signals, streams that close."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import httpx2 as httpx
import pytest

from tests.ops.server import PATIENCE_SECONDS, PAUSE_SECONDS, ROOT, Server, free_port

NORMD = (sys.executable, "-m", "normd.cli")


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}


def called(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*NORMD, *arguments], input=given, capture_output=True, env=environment(), check=False
    )


def test_it_reads_and_writes_pipes() -> None:
    done = called("transform", "min_max", "-", "--format", "csv", "-q", given=b"score\n3\n1\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"score\n1.0\n0.0\n", b"")


def test_results_and_complaints_go_different_ways() -> None:
    done = called("transform", "min_max", "missing.csv")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"normd: missing.csv: there is no such file\n"


def test_arrays_go_through_pipes_too(folder: Path) -> None:
    whitened = called(
        "transform",
        "zca",
        "-",
        "--format",
        "npy",
        "--fit",
        "x.npy",
        given=Path("x.npy").read_bytes(),
    )
    assert whitened.stdout.startswith(b"\x93NUMPY")
    assert whitened.returncode == 0


def test_who_has_read_enough_may_close_the_pipe() -> None:
    rows = "\n".join(str(row) for row in range(200_000))
    Path("long.csv").write_text(f"score\n{rows}\n")
    command = [*NORMD, "transform", "min_max", "long.csv", "-q"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"score\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(PATIENCE_SECONDS) == 0


def test_a_service_is_served_until_it_is_asked_to_end(folder: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [*NORMD, "serve", "--port", str(port), "--data", "served", "--log-level", "warning"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment()) as process:
        try:
            wait_for(url)
            made = called("fit", "whitening", "x.npy", "--name", "emb", "--url", url)
            assert made.returncode == 0, made.stderr
            taken = called("serve", "--port", str(port))
            assert (taken.returncode, b"choose another --port" in taken.stderr) == (2, True)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE_SECONDS)
    assert (folder / "served").is_dir()


def wait_for(url: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        with suppress(httpx.TransportError):
            if httpx.get(f"{url}/readyz").is_success:
                return
        time.sleep(PAUSE_SECONDS)
    pytest.fail("the service does not answer")


def test_being_asked_to_end_leaves_no_unfinished_file(folder: Path, server: Server) -> None:
    command = [*NORMD, "transform", "min_max", "-", "--format", "csv", "-o", "y.csv"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=environment()) as process:
        assert process.stdin is not None
        process.stdin.write(b"score\n1\n2\n")
        process.stdin.flush()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not list(folder.glob(".y.csv.*")) and time.monotonic() < deadline:
            time.sleep(PAUSE_SECONDS)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 128 + signal.SIGTERM
    assert not list(folder.glob("*y.csv*"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "call", [["methods"], ["limits", "--json"], ["transform", "min_max", "-", "--format", "csv"]]
)
def test_a_full_disk_is_told_in_one_line(call: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*NORMD, *call],
            input=b"3\n1\n",
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
        )
    told = b"normd: standard output: it cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, told)
