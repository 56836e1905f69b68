"""``python -m benchmarks.vectors``: measure every figure and keep it beside the code."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.vectors.figures import figures

KEPT = Path(__file__).parent / "kept.json"


def main() -> None:
    """Measure, print and keep."""
    found = {
        space: {name: round(value, 3) for name, value in values.items()}
        for space, values in figures().items()
    }
    for space, values in found.items():
        for name, value in values.items():
            print(f"{space:10} {name:36} {value:6.2f}")
    KEPT.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
