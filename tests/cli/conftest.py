from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import orjson
import pytest

from normd.cli import main
from tests.ops.server import Server, serving

SCORES = "query,doc,score\na,d1,3\na,d2,1\nb,d1,5\nb,d3,4\n"
GROUPS = "judge,bleu,comet\nfr,1,2\nfr,2,5\nsi,3,3\nsi,5,1\n"


@dataclass(frozen=True)
class Done:
    """What a call left: its exit code, and what it wrote where."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def json(self) -> dict[str, object]:
        found: dict[str, object] = orjson.loads(self.out)
        return found


Run = Callable[..., Done]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own, with some files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NORMD_URL", raising=False)
    monkeypatch.delenv("NORMD_DATA", raising=False)
    random = np.random.default_rng(0)
    np.save("x.npy", random.normal(size=(30, 3)) @ random.normal(size=(3, 3)) + 2)
    Path("scores.csv").write_text(SCORES)
    Path("groups.csv").write_text(GROUPS)
    return tmp_path


@pytest.fixture
def run() -> Run:
    """Return a function that runs ``normd`` in this process."""

    def called(*arguments: object, given: bytes = b"") -> Done:
        stdin, out, err = io.BytesIO(given), io.BytesIO(), io.BytesIO()
        with pytest.MonkeyPatch.context() as patch:
            for name, stream in (("stdin", stdin), ("stdout", out), ("stderr", err)):
                patch.setattr(sys, name, io.TextIOWrapper(stream, "utf-8", write_through=True))
            code = main([str(argument) for argument in arguments])
            for name in ("stdin", "stdout", "stderr"):
                getattr(sys, name).detach()
        return Done(code, out.getvalue(), err.getvalue().decode())

    return called


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run one real service for all tests that need a URL."""
    with serving(tmp_path_factory.mktemp("served") / "data") as running:
        yield running
