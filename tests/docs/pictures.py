"""``python -m tests.docs.pictures [PAGE...]``: draw again what the blocks of pages draw."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from docs.site import HAND_WRITTEN
from tests.docs import forked
from tests.docs.blocks import Runner
from tests.docs.conftest import served

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SHOWN = re.compile(r"!\[[^\]]+\]\(pictures/([\w.-]+)\)")
# Text stays text, and a picture that is drawn again is the same file.
STYLE = """\
svg.fonttype: none
svg.hashsalt: normd
figure.figsize: 6.4, 3.6
figure.constrained_layout.use: True
axes.spines.top: False
axes.spines.right: False
"""


def pictures_of(page: str) -> list[str]:
    """Return the names of the pictures that a page shows."""
    return SHOWN.findall(page)


def draw(page: Path, folder: Path, commands: Path) -> None:
    """Run the blocks of a page, and keep its pictures."""
    text = page.read_text(encoding="utf-8")
    wanted = pictures_of(text)
    if not wanted:
        return
    with ExitStack() as stack:
        runner = Runner(folder, lambda: stack.enter_context(served(commands, folder)), commands)
        runner.run(text, page.name)
    for name in wanted:
        shutil.copy(folder / name, PICTURES / name)
        print(PICTURES / name)


def main(names: list[str]) -> None:
    """Draw the pictures of these pages, or of all."""
    with tempfile.TemporaryDirectory() as place, forked.commands() as commands:
        style = Path(place) / "matplotlibrc"
        style.write_text(STYLE)
        os.environ |= {"MATPLOTLIBRC": str(style), "SOURCE_DATE_EPOCH": "0"}
        for page in sorted(HAND_WRITTEN.glob("*.md")):
            if not names or page.stem in names:
                folder = Path(place) / page.stem
                folder.mkdir()
                os.chdir(folder)
                draw(page, folder, commands)


if __name__ == "__main__":
    main(sys.argv[1:])
