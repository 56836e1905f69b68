from __future__ import annotations

import io
import sys

import pytest

from normd.cli.display.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream, quiet, shown", [
    (Terminal, False, True), (Terminal, True, False), (io.StringIO, False, False),
])  # fmt: skip
def test_a_bar_is_shown_to_people_only(
    monkeypatch: pytest.MonkeyPatch, stream: type[io.StringIO], quiet: bool, shown: bool
) -> None:
    written = stream()
    monkeypatch.setattr(sys, "stderr", written)
    with progress("fit it", 10, quiet=quiet) as advance:
        advance(4)
        advance(6)
    assert ("fit it" in written.getvalue()) == shown
