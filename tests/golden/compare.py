"""How an answer is held against what a golden case expects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from normalizers.data.arrays import Array

# Entries that carry the sign of the columns of `output`, and the axis that the columns are.
SIGNED = {"output": 1, "W": 1, "W_rows": 0}
# Entries that a rotation changes.
ROTATED = ("output", "W", "W_rows", "inverse", "inverse_of_output")
# A property of this ending bounds the number from above.
BOUND = "_below"


@dataclass(frozen=True)
class Tolerance:
    """``abs(got - expected) <= atol + rtol * abs(expected)``, element by element."""

    rtol: float
    atol: float

    def holds(self, got: float, expected: float) -> bool:
        """Whether two numbers agree; NaN agrees with NaN, an infinity with itself."""
        if np.isnan(got) or np.isnan(expected):
            return bool(np.isnan(got) and np.isnan(expected))
        if np.isinf(got) or np.isinf(expected):
            return got == expected
        return abs(got - expected) <= self.atol + self.rtol * abs(expected)


Found = Mapping[str, object]
Mode = Callable[[Found, Found, Tolerance], dict[str, str]]


def difference(got: object, expected: object, tolerance: Tolerance, path: str = "") -> str:
    """Return the first place where `got` is not what was expected; empty when there is none.

    Objects need the same keys in any order, lists the same length; null is NaN.
    """
    got, expected = _plain(got), _plain(expected)
    if isinstance(expected, Mapping):
        return _object_difference(got, expected, tolerance, path)
    if isinstance(expected, list):
        return _list_difference(got, expected, tolerance, path)
    if _is_number(expected):
        agree = _is_number(got) and tolerance.holds(float(str(got)), float(str(expected)))
    else:
        agree = type(got) is type(expected) and got == expected
    return "" if agree else f"{path or 'value'}: got {_short(got)}, expected {_short(expected)}"


def exact(got: Found, expected: Found, tolerance: Tolerance) -> dict[str, str]:
    """Compare every entry as it is; return what is wrong, by entry."""
    found = {
        name: difference(got[name], value, tolerance, name) for name, value in expected.items()
    }
    return {name: fault for name, fault in found.items() if fault}


def sign_columns(got: Found, expected: Found, tolerance: Tolerance) -> dict[str, str]:
    """Compare after turning each column of `output` to the expected sign, the same in all rows."""
    signs = column_signs(got["output"], expected["output"])
    turned = {
        name: _turned(value, signs, SIGNED[name]) if name in SIGNED else value
        for name, value in got.items()
    }
    return exact(turned, expected, tolerance)


def gram(got: Found, expected: Found, tolerance: Tolerance) -> dict[str, str]:
    """Compare only what a rotation of the output leaves alone."""
    kept = {name: value for name, value in expected.items() if name not in ROTATED}
    return exact(got, kept, tolerance)


def properties(got: Found, expected: Found, tolerance: Tolerance) -> dict[str, str]:
    """Compare properties: ``..._below`` bounds the number from above, others are equal."""
    bounds = {name: limit for name, limit in expected.items() if name.endswith(BOUND)}
    others = {name: value for name, value in expected.items() if name not in bounds}
    above = {
        name: f"{name}: got {_short(got[name])}, expected less than {limit}"
        for name, limit in bounds.items()
        if not float(str(got[name])) < float(str(limit))
    }
    return {**exact(got, others, tolerance), **above}


MODES: dict[str, Mode] = {
    "exact": exact,
    "sign_columns": sign_columns,
    "gram": gram,
    "property": properties,
}


def column_signs(got: object, expected: object) -> Array:
    """Return +1 or -1 for every column: the sign that brings `got` closest to `expected`."""
    one, other = np.asarray(got, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    if one.shape != other.shape or one.ndim != 2:
        return np.ones(one.shape[-1] if one.ndim else 1)
    return np.where((one * other).sum(axis=0) < 0, -1.0, 1.0)


def _turned(value: object, signs: Array, axis: int) -> object:
    array = np.asarray(value, dtype=np.float64)
    if array.ndim != 2 or array.shape[axis] != len(signs):
        return value
    return array * (signs if axis == 1 else signs[:, None])


def _object_difference(
    got: object, expected: Mapping[str, object], tolerance: Tolerance, path: str
) -> str:
    if not isinstance(got, Mapping):
        return f"{path}: got {_short(got)}, expected an object"
    if got.keys() != expected.keys():
        return f"{path}: got the keys {_short(sorted(got))}, expected {_short(sorted(expected))}"
    inside = (
        difference(got[key], value, tolerance, f"{path}.{key}") for key, value in expected.items()
    )
    return next(filter(None, inside), "")


def _list_difference(
    got: object, expected: Sequence[object], tolerance: Tolerance, path: str
) -> str:
    if not isinstance(got, list):
        return f"{path}: got {_short(got)}, expected a list"
    if len(got) != len(expected):
        return f"{path}: got {len(got)} entries, expected {len(expected)}"
    inside = (
        difference(one, other, tolerance, f"{path}[{index}]")
        for index, (one, other) in enumerate(zip(got, expected, strict=True))
    )
    return next(filter(None, inside), "")


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return np.nan if value is None else value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
