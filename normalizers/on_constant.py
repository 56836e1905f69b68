"""What a set of values without spread gives: the words of `on_constant`, checked in one place."""

from __future__ import annotations

from normalizers.errors import InvalidParams

NAMED_CONSTANTS = {"zero": 0.0, "half": 0.5}


def check_constant_value(on_constant: str | None, value: float | None, path: str) -> None:
    """Refuse a constant value beside a rule that does not use it."""
    if value is not None and on_constant not in (None, "value"):
        raise InvalidParams(
            f"constant_value belongs to on_constant: 'value', not '{on_constant}'",
            path=f"{path}.constant_value",
        )
