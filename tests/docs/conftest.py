"""A runner of the blocks of a page, with a folder and a service of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from demo.service import running
from tests.docs.blocks import Runner


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runner]:
    monkeypatch.chdir(tmp_path)
    with ExitStack() as stack:
        yield Runner(tmp_path, lambda: stack.enter_context(running(tmp_path)).address)
