"""Every page of the site: the hand-written ones with their tables, and one a method."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from docs import tables
from docs.asking import asking
from docs.commands import commands, exit_codes
from docs.method_index import INDEX, method_index, navigation, page_of
from docs.method_page import method_page
from docs.presets import fusion_presets, normalizer_presets
from docs.reference import reference
from normalizers.catalogue.catalogue import CATALOGUE, Catalogue

ROOT = Path(__file__).parents[1]
HAND_WRITTEN = Path(__file__).with_name("pages")
# Beside the pages: scripts, and what their blocks have drawn (`make pictures`).
FOLDERS = (Path(__file__).with_name("assets"), Path(__file__).with_name("pictures"))
# Where the builder looks for the navigation; a page by its written name would be built too.
NAVIGATION = {"SUMMARY.md": ".SUMMARY.md"}


def pages(catalogue: Catalogue = CATALOGUE) -> dict[str, str]:
    """Return the Markdown of every page by its path."""
    return {**hand_written(catalogue), **method_pages(catalogue)}


def hand_written(catalogue: Catalogue) -> dict[str, str]:
    """Return the pages that people wrote, their tables filled in."""
    known = contents(catalogue)
    return {
        path.name: tables.filled(path.read_text(encoding="utf-8"), known)
        for path in sorted(HAND_WRITTEN.glob("*.md"))
    }


def method_pages(catalogue: Catalogue) -> dict[str, str]:
    """Return the page of each method and their index."""
    with asking(catalogue) as ask:
        made = {page_of(cls.name): method_page(cls, catalogue, ask) for cls in catalogue.values()}
    return {INDEX: method_index(catalogue), **made}


def contents(catalogue: Catalogue) -> Mapping[str, Callable[[], str]]:
    """Return what makes the contents of each marker."""
    return {
        "settings": tables.settings,
        "limits": tables.limits,
        "problems": tables.problems,
        "measures": tables.measures,
        "figures": tables.figures,
        "commands": commands,
        "exit-codes": exit_codes,
        "reference": reference,
        "methods": partial(navigation, catalogue),
        "fusion-presets": partial(fusion_presets, catalogue),
        "normalizer-presets": partial(normalizer_presets, catalogue),
    }


def write(folder: Path, catalogue: Catalogue = CATALOGUE) -> None:
    """Write every page with its scripts and pictures below `folder`, and nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    for beside in FOLDERS:
        shutil.copytree(beside, folder / beside.name)
    for name, text in pages(catalogue).items():
        path = folder / NAVIGATION.get(name, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.rstrip() + "\n", encoding="utf-8")


def build(folder: Path) -> None:
    """Build the site of the configuration in `folder`; a broken link is an error.

    Raises
    ------
    subprocess.CalledProcessError
        When there is anything to warn about.
    """
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    subprocess.run(command, cwd=folder, check=True)
