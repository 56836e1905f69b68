"""``python -m stubs``: write the stub of the package."""

from __future__ import annotations

from stubs.stub import STUB, text

if __name__ == "__main__":
    STUB.write_text(text(), encoding="utf-8")
