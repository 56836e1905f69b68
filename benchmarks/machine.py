"""What a run is measured on: processor, threads, versions."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_info

PACKAGES = (
    "numpy",
    "scipy",
    "fastapi",
    "starlette",
    "uvicorn",
    "uvloop",
    "httptools",
    "pydantic",
    "orjson",
    "msgspec",
    "pysimdjson",
)


def describe() -> Iterator[str]:
    """Yield the lines that stand above the table."""
    yield f"machine    {_processor()}, {_cores()} cores, {platform.system()} {platform.release()}"
    yield f"python     {platform.python_version()} ({platform.python_implementation()})"
    yield f"blas       {_blas()}"
    yield f"versions   {', '.join(f'{name} {_version(name)}' for name in PACKAGES)}"


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    text = information.read_text() if information.exists() else ""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return found[1] if found else platform.processor() or platform.machine()


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _blas() -> str:
    # The library is loaded by the first import of NumPy, which numbers belong to.
    used = [pool for pool in threadpool_info() if np.__name__ in pool["filepath"]]
    pools = used or threadpool_info()
    return ", ".join(
        f"{pool['internal_api']} {pool['version']}, {pool['num_threads']} threads" for pool in pools
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
