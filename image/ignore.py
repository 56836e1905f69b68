"""What a ``.dockerignore`` keeps out of the build."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

WILDCARDS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


class Ignore:
    """The patterns of a file; the last one that matches a path or a folder above it decides."""

    def __init__(self, text: str) -> None:
        lines = [line.strip() for line in text.splitlines()]
        self._patterns = [_pattern(line) for line in lines if line and not line.startswith("#")]

    def hides(self, path: str) -> bool:
        """Whether a path, relative to the build's folder, is left out."""
        tried = [path, *(str(folder) for folder in PurePosixPath(path).parents)]
        hidden = False
        for pattern, hides in self._patterns:
            if any(pattern.fullmatch(name) for name in tried):
                hidden = hides
        return hidden

    def shown(self, folder: Path, source: str) -> Iterator[str]:
        """Yield the files that copying `source` copies, relative to `folder`."""
        found = folder / source
        files = found.rglob("*") if found.is_dir() else [found]
        names = (file.relative_to(folder).as_posix() for file in files if file.is_file())
        yield from sorted(name for name in names if not self.hides(name))


def _pattern(line: str) -> tuple[re.Pattern[str], bool]:
    text = line.removeprefix("!").strip("/")
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", text)
    return re.compile("".join(map(_translated, parts))), not line.startswith("!")


def _translated(part: str) -> str:
    if part in WILDCARDS:
        return WILDCARDS[part]
    # Sets of characters are written as in regular expressions.
    return re.sub(r"\\([\[\]-])", r"\1", re.escape(part))
