"""What all tests share: random examples without a deadline, since machines differ in speed."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from tests.effort import OPTION, VARIABLE

# The asserts of the checks tell what they compare.
pytest.register_assert_rewrite("normalizers.testing")

ORDINARY, DEEP = "ordinary", "deep"
settings.register_profile(ORDINARY, deadline=None, print_blob=True, max_examples=30)
settings.register_profile(DEEP, deadline=None, print_blob=True, max_examples=200)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--deep``."""
    parser.addoption(OPTION, action="store_true", help="try every combination, which takes long")


def pytest_configure(config: pytest.Config) -> None:
    """Choose how much is tried before any test is read."""
    if config.getoption(OPTION):
        os.environ[VARIABLE] = "1"
    settings.load_profile(DEEP if VARIABLE in os.environ else ORDINARY)
