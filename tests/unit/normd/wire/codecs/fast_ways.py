"""The decoders of numbers, each to be forced upon a test, and texts that tell them apart."""

from __future__ import annotations

import pytest

from normd.wire.codecs import json, number_spans, number_text

# Valid or not: what decoders of numbers are known to differ in.
TOKENS = (
    "0", "-0", "-0.0", "0.0", "-0e1", "1", "-1", "1.5", "1e5", "1E+5", "1e-5", "0.1", "1e23",
    "9007199254740993", "9007199254740993.0", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "18446744073709551616", "123456789012345678901234567890", "9" * 308, "1" + "0" * 308,
    "9" * 400, "9" * 5000, "1" + "0" * 5000 + "e-5000", "0." + "0" * 400 + "1", "1e400",
    "-1e400", "1e-400", "5e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
    "2.2250738585072011e-308", "1.7976931348623157e308", "1.7976931348623158e308",
    "1.7976931348623159e308", "1.0000000000000002220446049250313081", "8.5e22",
    "1.", ".5", "01", "-01", "+1", "1e", "1e+", "-", "--1", "0x1", "1_0", "1 2", "1\u00a0",
    "null", "true", "false", "NaN", "-NaN", "Infinity", "-Infinity", '"1"', "", ",", "[", "]",
    "[]", "[1]", "{}", "\ufeff", "\\u0031", "1\x00", "1\x0b",
)  # fmt: skip
WAYS = ("msgspec", "simdjson")


def force(
    monkeypatch: pytest.MonkeyPatch,
    way: str,
    *,
    shortest: int = 1,
    wide: int = 1,
    piece: int = 10**9,
) -> None:
    """Send the shortest lists the fast way, by one decoder."""
    if way == "simdjson":
        pytest.importorskip("simdjson")
    else:
        monkeypatch.setattr(number_text, "_simdjson", lambda: None)
    monkeypatch.setattr(number_spans, "SHORTEST", shortest)
    monkeypatch.setattr(json, "SHORTEST", shortest)
    monkeypatch.setattr(number_text, "WIDE_BYTES", wide)
    monkeypatch.setattr(number_text, "PIECE_BYTES", piece)
