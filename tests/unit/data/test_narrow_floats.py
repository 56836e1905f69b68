"""Floats of 16 and 8 bits against the definition of each, code by code."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.data.narrow_floats import NARROW_FLOATS, widened

# Bits of exponent and of fraction, and whether the largest exponent holds infinities.
FORMS = {"BF16": (8, 7, True), "F8_E5M2": (5, 2, True), "F8_E4M3": (4, 3, False)}


def _number(code: int, exponent_bits: int, fraction_bits: int, infinite: bool) -> float:
    sign = -1.0 if code >> (exponent_bits + fraction_bits) else 1.0
    exponent = (code >> fraction_bits) & (2**exponent_bits - 1)
    fraction = code & (2**fraction_bits - 1)
    bias = 2 ** (exponent_bits - 1) - 1
    if exponent == 2**exponent_bits - 1:
        if infinite:
            return float("nan") if fraction else sign * float("inf")
        if fraction == 2**fraction_bits - 1:
            return float("nan")
    if exponent == 0:
        return sign * fraction * 2.0 ** (1 - bias - fraction_bits)
    return sign * (1 + fraction / 2**fraction_bits) * 2.0 ** (exponent - bias)


@pytest.mark.parametrize("code", NARROW_FLOATS)
def test_r22_every_code_is_the_number_it_stands_for(code: str) -> None:
    size = NARROW_FLOATS[code]
    codes = np.arange(2 ** (8 * size), dtype=f"<u{size}")
    found = widened(codes.tobytes(), code)
    expected = [_number(one, *FORMS[code]) for one in codes.tolist()]
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, np.array(expected))
    np.testing.assert_array_equal(np.signbit(found), codes >= 2 ** (8 * size - 1))
