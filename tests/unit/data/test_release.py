"""The release that is installed."""

from __future__ import annotations

import importlib.metadata

import pytest

import normalizers
import normd.client
from normalizers.data import release


def test_the_version_is_that_of_the_distribution() -> None:
    installed = importlib.metadata.version("normd")
    assert normalizers.__version__ == normd.client.__version__ == installed


def test_a_copy_of_the_files_has_no_known_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "DISTRIBUTION", "no-such-distribution")
    assert normalizers.__version__ == "unknown"
