"""A list of what is installed, as a bill of materials in the form of CycloneDX."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

FORM, VERSION = "CycloneDX", "1.6"


def main() -> None:
    """Write the bill of this environment to the file that is named."""
    Path(sys.argv[1]).write_text(json.dumps(bill(distributions()), indent=1))


def bill(installed: Iterator[Distribution]) -> dict[str, object]:
    """Return the bill of the distributions, in the order of their names."""
    found = {name: part for part in installed if (name := _normal(part.name))}
    return {
        "bomFormat": FORM,
        "specVersion": VERSION,
        "version": 1,
        "components": [_component(name, found[name]) for name in sorted(found)],
    }


def _component(name: str, part: Distribution) -> dict[str, object]:
    url = f"pkg:pypi/{name}@{part.version}"
    told: dict[str, object] = {
        "type": "library",
        "bom-ref": url,
        "name": name,
        "version": part.version,
        "purl": url,
    }
    license = part.metadata.get("License-Expression")
    return {**told, "licenses": [{"expression": license}]} if license else told


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main()
