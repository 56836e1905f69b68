"""What a build adds to the packages: the guide, where `make docs` has built it.

Building it takes the whole service and a builder of sites, which an isolated build has not. So
`make dist` builds the guide first; source archives carry it as built, for wheels made of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SITE = "build/site"
PLACES = {"wheel": "app/guide", "sdist": SITE}


class GuideHook(BuildHookInterface):  # type: ignore[misc]
    """Add the built guide to a wheel or a source archive."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the folder of the guide and its place, unless the clone itself is installed."""
        site = Path(self.root, SITE)
        if version != "editable" and (site / "index.html").is_file():
            build_data["force_include"][str(site)] = PLACES[self.target_name]
