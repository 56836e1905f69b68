"""``python -m tests.golden [--native] [--form FORM] FILE...``: run golden files and count."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.golden.case import MalformedCase, load
from tests.golden.client import serving
from tests.golden.forms import FORMS
from tests.golden.runner import run_all


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the files; return 1 when a case failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--form", choices=FORMS, default="json", help="form of the bodies")
    parser.add_argument(
        "--native",
        action="store_true",
        help="the files are in the catalogue's own words, wherever they stand",
    )
    asked = parser.parse_args(arguments)
    try:
        cases = [case for path in asked.files for case in load(path, native=asked.native)]
    except (OSError, MalformedCase) as fault:
        parser.error(str(fault))
    states: Counter[str] = Counter()
    with serving(asked.form) as service:
        for outcome in run_all(cases, service):
            states[outcome.state] += 1
            if outcome.state == "failed":
                print(outcome.line)
        sent = service.sending
    print(", ".join(f"{states[state]} {state}" for state in ("passed", "failed", "unsupported")))
    if asked.form != "json":
        print(f"{sent.in_form} of {sent.in_form + sent.in_json} bodies as {asked.form}")
    return int(states["failed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
