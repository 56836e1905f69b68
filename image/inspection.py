"""What must not be in an image, and what must not change while it runs."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

# As programs or as packages.
BUILD_TOOLS = re.compile(
    r"(?:pip|gcc|g\+\+|cc|c\+\+|clang|ld|make|cmake|ninja|meson|rustc|cargo|hatchling)[\d.]*"
)
FOLDERS_OF_TOOLS = ("bin", "site-packages")
CACHE = ".cache"
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def leftovers(root: Path) -> Iterator[str]:
    """Yield the build tools and caches below `root`, as paths relative to it."""
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        names = [*folders, *files]
        tools = here.name in FOLDERS_OF_TOOLS
        for name in names:
            if name == CACHE or (tools and BUILD_TOOLS.fullmatch(name)):
                yield (here / name).relative_to(root).as_posix()


def writable(root: Path, kept: Iterable[Path]) -> Iterator[str]:
    """Yield what group 0 or anybody may write below `root`, outside of the folders `kept`."""
    for path in _outside(root, kept):
        if not path.is_symlink() and path.stat().st_mode & WRITABLE_BY_OTHERS:
            yield path.relative_to(root).as_posix()


def state(root: Path, kept: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Return size and date of everything below `root`, outside of the folders `kept`."""
    found = {path: path.lstat() for path in _outside(root, kept)}
    return {path: (status.st_size, status.st_mtime_ns) for path, status in found.items()}


def _outside(root: Path, kept: Iterable[Path]) -> Iterator[Path]:
    left_out = set(kept)
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        folders[:] = [name for name in folders if here / name not in left_out]
        yield from (here / name for name in (*folders, *files))
