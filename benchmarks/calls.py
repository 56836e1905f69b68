"""Count the calls into the project's own functions in one request: ``python -m benchmarks.calls``.

A count does not depend on the machine. Every path runs once before it is counted, so that what is
made once a process does not enter it, except for the command line, which begins anew each time.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

import httpx
import numpy as np

from app.main import create_app
from app.settings import Settings
from normalizers import Whitening
from normd.cli import main as command_line

PACKAGES = ("normalizers", "normd", "app")
ROOT = Path(__file__).parents[1]
PREFIXES = tuple(f"{ROOT / package}{os.sep}" for package in PACKAGES)
HOST = "http://service"
ROWS, DIMS = 64, 8


class Request(NamedTuple):
    """What is posted, and where."""

    path: str
    body: Mapping[str, object]


class Calls:
    """Calls of functions below the packages of the project, by their code."""

    def __init__(self) -> None:
        self.by_code: Counter[CodeType] = Counter()

    @property
    def total(self) -> int:
        """How many calls there were."""
        return self.by_code.total()

    @property
    def files(self) -> int:
        """How many files they went through."""
        return len({code.co_filename for code in self.by_code})

    def note(self, frame: FrameType, event: str, argument: object) -> None:
        """Count an event of the interpreter if it is a call that counts."""
        if event == "call" and frame.f_code.co_filename.startswith(PREFIXES):
            self.by_code[frame.f_code] += 1

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count what this thread and those that it starts call."""
        threading.setprofile(self.note)
        sys.setprofile(self.note)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]


def main() -> None:
    """Print a line for every path."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NORMD_DATA"] = folder
        for name, count in PATHS.items():
            calls = count(Path(folder))
            print(f"{name:44} {calls.total:7,} calls in {calls.files:3} files", flush=True)


def _requests(*requests: Request) -> Callable[[Path], Calls]:
    """Return what counts the last request to the service, after two that are not counted."""

    def count(folder: Path) -> Calls:
        return asyncio.run(_counted(folder, requests))

    return count


async def _counted(folder: Path, requests: Sequence[Request]) -> Calls:
    calls = Calls()
    app = create_app(Settings(data=folder / "service"))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HOST) as client,
    ):
        for request in (*requests, requests[-1]):
            (await client.post(request.path, json=request.body)).raise_for_status()
        with calls.counting():
            (await client.post(requests[-1].path, json=requests[-1].body)).raise_for_status()
    return calls


def _fit_and_transform(folder: Path) -> Calls:
    rows = np.random.default_rng(0).normal(size=(ROWS, DIMS))
    Whitening().fit(rows).transform(rows)
    calls = Calls()
    with calls.counting():
        Whitening().fit(rows).transform(rows)
    return calls


def _command(folder: Path) -> Calls:
    file = folder / "s.csv"
    file.write_text("scores\n" + "\n".join(str(score) for score in range(20)) + "\n")
    calls = Calls()
    with calls.counting(), open(os.devnull, "w") as nowhere, _printing_to(nowhere):
        command_line(["fit", "percentile", str(file), "--name", "x"])
    return calls


@contextmanager
def _printing_to(file: object) -> Iterator[None]:
    kept = sys.stdout
    sys.stdout = file  # type: ignore[assignment]
    try:
        yield
    except SystemExit as ended:
        if ended.code:
            raise
    finally:
        sys.stdout = kept


RUN = {"ids": ["a", "b", "c"], "scores": [3.0, 2.0, 1.0]}
FIT = {"x": np.random.default_rng(0).normal(size=(ROWS, DIMS)).tolist()}
PATHS: Mapping[str, Callable[[Path], Calls]] = {
    "POST /v1/transform of min_max": _requests(
        Request("/v1/transform", {"method": "min_max", "input": {"scores": [3.0, 2.0, 1.0]}})
    ),
    "POST /v1/fuse of rrf": _requests(Request("/v1/fuse", {"method": "rrf", "runs": [RUN, RUN]})),
    "POST /v1/normalizers/w/transform, whitening": _requests(
        Request("/v1/normalizers", {"name": "w", "method": "whitening", "fit": FIT}),
        Request("/v1/normalizers/w/transform", {"input": {"x": [[0.0] * DIMS]}}),
    ),
    "Whitening().fit(X).transform(X)": _fit_and_transform,
    "normd fit percentile s.csv --name x": _command,
}


if __name__ == "__main__":
    main()
