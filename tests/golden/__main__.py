"""``python -m tests.golden FILE...``: run golden files and say how many cases pass."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.golden.case import load
from tests.golden.client import serving
from tests.golden.runner import run_all


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the files; return 1 when a case failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    cases = [case for path in parser.parse_args(arguments).files for case in load(path)]
    states: Counter[str] = Counter()
    with serving() as service:
        for outcome in run_all(cases, service):
            states[outcome.state] += 1
            if outcome.state == "failed":
                print(outcome.line)
    print(", ".join(f"{states[state]} {state}" for state in ("passed", "failed", "unsupported")))
    return int(states["failed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
