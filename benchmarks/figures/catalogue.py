"""The processor time of a process that makes the catalogue, against what it stands on alone."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.figure import Effort, Measured
from benchmarks.pairs import alternate
from benchmarks.server import ROOT

PAIRS = 5
TIME = "import time; print(time.process_time())"
# What a process imports that uses NumPy, SciPy and pydantic at all.
BARE = "import numpy, pydantic, scipy.linalg, scipy.special"
OURS = "from normalizers.catalogue import discovery; discovery.exported()"


def measure(effort: Effort) -> Measured:
    """Import every method and make its plain function; the other imports the packages alone."""
    return alternate(lambda: _taken(OURS), lambda: _taken(BARE), effort.of(PAIRS))


def _taken(work: str) -> float:
    command = [sys.executable, "-c", f"{work}; {TIME}"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return float(done.stdout)
