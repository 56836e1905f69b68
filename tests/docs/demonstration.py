"""The table of README.md that the demonstration prints.

``python -m tests.docs.demonstration`` renews it.
"""

from __future__ import annotations

import re
import subprocess
import sys

from docs.site import ROOT

README = ROOT / "README.md"
SHOWN = re.compile(r"(?<=<!-- demo -->\n).*?(?=<!-- /demo -->)", re.DOTALL)
PRINTED = re.compile(r"^  normalization .*?(?=\n\n\"WORSE\")", re.MULTILINE | re.DOTALL)


def demonstrated() -> str:
    """Run the demonstration and return the table that it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "demo"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    table = PRINTED.search(done.stdout)
    if table is None:
        raise ValueError(f"the demonstration printed no table:\n{done.stdout}")
    return table[0]


def shown() -> str:
    """Return the table as README.md shows it."""
    (block,) = SHOWN.findall(README.read_text(encoding="utf-8"))
    return block.strip().removeprefix("```console\n").removesuffix("\n```")


if __name__ == "__main__":
    block = f"\n```console\n{demonstrated()}\n```\n\n"
    page = README.read_text(encoding="utf-8")
    README.write_text(SHOWN.sub(lambda _: block, page), encoding="utf-8")
