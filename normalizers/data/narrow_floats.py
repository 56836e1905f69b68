"""Floats of 16 and 8 bits that NumPy does not know, as the float32 numbers they are exactly."""

from __future__ import annotations

from functools import cache

import numpy as np

from normalizers.data.arrays import Array

# Bytes of each, by the name that safetensors has for it.
NARROW_FLOATS = {"BF16": 2, "F8_E4M3": 1, "F8_E5M2": 1}
# E4M3: a sign, four bits of exponent and three of fraction; no infinities, one pattern is NaN.
FRACTION_BITS, EXPONENT_BIAS = 3, 7
MISSING = 0x7F


def widened(content: bytes | bytearray | memoryview, code: str) -> Array:
    r"""Return the numbers of `content` as a flat float32 array; every one is exact.

    Parameters
    ----------
    content : bytes
        Little-endian numbers, one after the other.
    code : str
        ``BF16``, ``F8_E4M3`` (finite, with NaN) or ``F8_E5M2``.

    Examples
    --------
    >>> from normalizers.data.narrow_floats import widened
    >>> widened(b"\xc0\x3f\x00\xc0", "BF16").tolist()
    [1.5, -2.0]
    >>> widened(b"\x3c\xc0", "F8_E4M3").tolist(), widened(b"\x3e\xc0", "F8_E5M2").tolist()
    ([1.5, -2.0], [1.5, -2.0])
    """
    if code == "BF16":
        # It is the upper half of a float32.
        return (np.frombuffer(content, "<u2").astype(np.uint32) << 16).view(np.float32)
    codes = np.frombuffer(content, np.uint8)
    if code == "F8_E5M2":
        # It is the upper half of a float16.
        return (codes.astype(np.uint16) << 8).view(np.float16).astype(np.float32)
    return np.asarray(_values_of_e4m3()[codes])


@cache
def _values_of_e4m3() -> Array:
    """Return the number of each of the 256 codes."""
    size = np.arange(256) & MISSING
    exponent, fraction = size >> FRACTION_BITS, size & (2**FRACTION_BITS - 1)
    significand = np.where(exponent, fraction + 2**FRACTION_BITS, fraction)
    values = np.ldexp(
        significand.astype(np.float32), np.maximum(exponent, 1) - EXPONENT_BIAS - FRACTION_BITS
    )
    values[size == MISSING] = np.nan
    signed: Array = np.where(np.arange(256) > MISSING, -values, values).astype(np.float32)
    return signed
