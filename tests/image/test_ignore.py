"""Patterns of a ``.dockerignore``: the last one that matches decides, a folder with its files."""

from __future__ import annotations

import pytest

from image.ignore import Ignore

ONLY = "# kept\n*\n!app\n!image/one.py\n**/__pycache__\n**/*.py[cod]\n"


@pytest.mark.parametrize(
    "path, hidden",
    [
        ("README.md", True),
        ("app", False),
        ("app/main.py", False),
        ("app/a/b.py", False),
        ("app/__pycache__/main.cpython-313.pyc", True),
        ("app/main.pyc", True),
        ("image/one.py", False),
        ("image/two.py", True),
        ("other/app", True),
    ],
)
def test_the_last_match_decides(path: str, hidden: bool) -> None:
    assert Ignore(ONLY).hides(path) is hidden


def test_without_patterns_nothing_is_hidden() -> None:
    assert not Ignore("# nothing\n\n").hides("app")
