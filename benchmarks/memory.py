"""The memory of a process, in bytes, as Linux counts it."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.figure import Unmeasurable

KIBIBYTE = 1024
# See proc_pid_clear_refs(5).
RESET_PEAK = "5"


def resident(process: int | str = "self") -> int:
    """Return how much memory a process holds now."""
    return _status(process, "VmRSS")


def peak(process: int | str = "self") -> int:
    """Return the most memory a process has held."""
    return _status(process, "VmHWM")


def forget_peak(process: int) -> int:
    """Make a process count its peak from now on, and return what it holds now."""
    Path(f"/proc/{process}/clear_refs").write_text(RESET_PEAK)
    return resident(process)


def _status(process: int | str, member: str) -> int:
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        raise Unmeasurable("memory is read from /proc, which this system does not have")
    found = re.search(rf"^{member}:\s+(\d+) kB$", status.read_text(), re.MULTILINE)
    if found is None:
        raise Unmeasurable(f"{status} does not say {member}")
    return int(found[1]) * KIBIBYTE
