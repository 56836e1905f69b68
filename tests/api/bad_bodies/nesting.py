"""How deep a body that nobody should follow is nested."""

from __future__ import annotations

LEVELS = 100_000
