"""Print the tables as Markdown: ``python -m benchmarks.retrieval``."""

from __future__ import annotations

import sys

from benchmarks.retrieval.collection import ABSENT, FOLDER
from benchmarks.retrieval.tables import TABLES, printed

if __name__ == "__main__":
    if not FOLDER.exists():
        sys.exit(ABSENT)
    for one in TABLES:
        print(printed(one), end="\n\n", flush=True)
