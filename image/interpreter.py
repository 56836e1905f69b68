"""The Python that stands for the one of the base image."""

from __future__ import annotations

import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LEFT_OUT = shutil.ignore_patterns("test", "idlelib", "tkinter", "__pycache__", "*.a", "include")
LIBRARIES = "LD_LIBRARY_PATH"


class Interpreter(NamedTuple):
    """An executable and what it needs in its environment."""

    executable: Path
    environment: dict[str, str]


def find(base: str) -> Path:
    """Return a Python of the version in the tag `base`, or the one that runs this."""
    tagged = re.search(r"python:(\d+\.\d+)", base)
    for candidate in _candidates(tagged[1]) if tagged else ():
        asked = subprocess.run([candidate, "-c", ""], capture_output=True, check=False)
        if asked.returncode == 0:
            return Path(candidate).resolve()
    return Path(sys.executable).resolve()


def version(executable: Path) -> str:
    """Return the version of a Python."""
    code = "import platform; print(platform.python_version())"
    return _answer(executable, code)


def installed(executable: Path, folder: Path) -> Interpreter:
    """Return the Python, copied into `folder` when other users cannot reach it."""
    prefix = Path(_answer(executable, "import sys; print(sys.base_prefix)"))
    if all(above.stat().st_mode & stat.S_IXOTH for above in (prefix, *prefix.parents)):
        return Interpreter(executable, {})
    shutil.copytree(prefix, folder, symlinks=True, ignore=LEFT_OUT)
    copied = folder / executable.relative_to(prefix)
    return Interpreter(copied, {LIBRARIES: str(folder / "lib")})


def _answer(executable: Path, code: str) -> str:
    asked = subprocess.run(
        [executable, "-c", code], check=True, capture_output=True, encoding="utf-8"
    )
    return asked.stdout.strip()


def _candidates(tag: str) -> Iterator[str]:
    if sys.version_info[:2] == tuple(map(int, tag.split("."))):
        yield sys.executable
    on_path = shutil.which(f"python{tag}")
    if on_path:
        yield on_path
    yield from map(str, Path.home().glob(f".pyenv/versions/{tag}.*/bin/python{tag}"))
