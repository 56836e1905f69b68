"""Become the command, with as many threads of linear algebra as the container has processors.

The libraries count the processors of the machine, not those that a container may use, and more
threads than processors are several times slower.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
WORKERS = "WEB_CONCURRENCY"
GROUP_WRITES = 0o002
CONTROL_GROUPS = Path("/sys/fs/cgroup")


def main() -> None:
    """Run what the arguments say in this very process, so that signals arrive."""
    command = sys.argv[1:]
    workers = os.environ.get(WORKERS, "1")
    threads = threads_of(_processors(), quota(), int(workers) if workers.isdecimal() else 1)
    for variable in THREADS:
        os.environ.setdefault(variable, str(threads))
    # What one user of group 0 writes, the next one, of another id, can write too.
    os.umask(GROUP_WRITES)
    os.execv(command[0], command)


def threads_of(processors: int, quota: float | None, workers: int) -> int:
    """Return the threads of each worker: those of the quota, if there is one, shared out."""
    available = processors if quota is None else min(processors, quota)
    return max(1, int(available / max(1, workers)))


def quota(groups: Path = CONTROL_GROUPS) -> float | None:
    """Return how many processors the control group may use; None without a bound.

    Both versions are read: one file of two words, or two files of one.
    """
    words = _words(groups / "cpu.max")
    if not words:
        words = _words(groups / "cpu/cpu.cfs_quota_us") + _words(groups / "cpu/cpu.cfs_period_us")
    if len(words) != 2 or not all(word.isdecimal() for word in words):
        return None
    allowed, period = (int(word) for word in words)
    return allowed / period if allowed and period else None


def _words(file: Path) -> list[str]:
    try:
        return file.read_text().split()
    except OSError:
        return []


def _processors() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


if __name__ == "__main__":
    main()
