"""What values without spread, or too few of them, give: the words, checked in one place."""

from __future__ import annotations

from typing import Literal, TypeAlias

from normalizers.errors import InvalidParams

OnConstant: TypeAlias = Literal["scale_one", "value", "zero", "half", "keep", "error"]
OnFew: TypeAlias = Literal["scale_one", "zero", "identity", "error"]


def check_constant_value(on_constant: str | None, value: float | None, path: str) -> None:
    """Refuse a constant value beside a rule that does not use it."""
    if value is not None and on_constant not in (None, "value"):
        raise InvalidParams(
            f"constant_value belongs to on_constant: 'value', not '{on_constant}'",
            path=f"{path}.constant_value",
        )


def decided_constant(on_constant: str | None, value: float | None) -> dict[str, object]:
    """Return what follows where one of the two is not given: a value means ``value``, that 0."""
    if value is not None:
        return {"on_constant": "value"}
    return {"constant_value": 0.0} if on_constant == "value" else {}
