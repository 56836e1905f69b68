"""Hashes of every case's version file, as another process with another hash seed finds them."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from normalizers.catalogue import catalogue as built_in
from normalizers.catalogue.catalogue import Catalogue
from normalizers.versions.file import content_hash, to_bytes
from tests.conformance.cases import Case, cases_of

ROOT = Path(__file__).parents[2]
SEEDS = ("4321", "1234")


def hashes_elsewhere(case: Case) -> dict[str, str]:
    """Return the hashes by name of case."""
    if case.cls in built_in.CATALOGUE.values():
        return _run("")
    return _run(f"{case.cls.__module__}:{case.cls.__qualname__}")


@cache
def _run(extra: str) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.conformance.processes", extra],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": _other_seed()},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return dict(json.loads(done.stdout))


def _other_seed() -> str:
    """Return a seed that this process does not have."""
    return next(seed for seed in SEEDS if seed != os.environ.get("PYTHONHASHSEED"))


def hashes(extra: str) -> dict[str, str]:
    """Return the hashes of the catalogue's cases, or of one further class ``module:Class``."""
    catalogue = built_in.CATALOGUE
    if not extra:
        return _hashes(cases_of(catalogue, catalogue.values()))
    module, _, name = extra.partition(":")
    cls = getattr(importlib.import_module(module), name)
    return _hashes(cases_of(Catalogue([*catalogue.values(), cls]), [cls]))


def _hashes(cases: list[Case]) -> dict[str, str]:
    return {case.name: content_hash(to_bytes(case.version)) for case in cases}


if __name__ == "__main__":
    print(json.dumps(hashes(sys.argv[1])))
