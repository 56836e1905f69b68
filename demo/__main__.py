"""Run the demonstration: ``python -m demo``."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from demo.fusion import fused
from demo.hubs import corrected
from demo.judges import aligned
from demo.retrieval import whitened
from demo.service import Client, running
from demo.table import Section, render
from demo.thresholds import held
from demo.windows import undone

TASKS: dict[str, Callable[[Client], Section]] = {
    "whitening embeddings": whitened,
    "fusing two retrievers": fused,
    "holding a threshold": held,
    "correcting hubs": corrected,
    "aligning judges": aligned,
    "scaling windows": undone,
}

OPENING = """\
The data: 1,797 handwritten digits of 8 x 8 grey values that come with scikit-learn.
Every normalization below goes through the REST API of a service started for this run."""

CLOSING = """\
"WORSE" is meant: normalization is no gain by itself; measure it on your own data.

The service that ran here is stopped and its temporary folder removed.
Start one that stays:  make serve
It keeps its data in:  ./data (another folder: NORMD_DATA=... make serve)
Its documentation:     http://127.0.0.1:8000/docs
"""


def main() -> None:
    """Start the service, run every task, print the table."""
    print(OPENING, flush=True)
    with tempfile.TemporaryDirectory(prefix="normd-demo-") as folder:
        print("\nstarting the service ...", end="", flush=True)
        began = time.perf_counter()
        with running(Path(folder)) as client:
            _done(began)
            sections = [_timed(client, *task) for task in TASKS.items()]
    print(f"\n{render(sections)}\n\n{CLOSING}", end="")


def _timed(client: Client, label: str, task: Callable[[Client], Section]) -> Section:
    print(f"{label} ...", end="", flush=True)
    began = time.perf_counter()
    section = task(client)
    _done(began)
    return section


def _done(began: float) -> None:
    print(f" {time.perf_counter() - began:.1f} s", flush=True)


if __name__ == "__main__":
    main()
