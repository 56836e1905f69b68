"""The project's own words: one version, its line in the changelog, addresses that exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
RESERVED = (".invalid", ".example", ".test", ".localhost", "example.com", "example.org")


def test_the_changelog_begins_with_the_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (first, *_) = re.findall(r"^## \[(?!Unreleased)([^]]+)\] - \d{4}-\d{2}-\d{2}$", changes, re.M)
    assert first == PROJECT["version"]


def test_addresses_are_no_reserved_names() -> None:
    for name, address in PROJECT["urls"].items():
        parts = urlsplit(address)
        assert parts.scheme == "https"
        assert not (parts.hostname or "").endswith(RESERVED), name


def test_the_license_is_the_one_that_is_named() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert PROJECT["license"] == "Apache-2.0"
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text
