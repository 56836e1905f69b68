"""Series as the text of LLMTime: digits with separators, and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    param,
    series,
    texts,
    unwrap,
)
from normalizers.data.arrays import Array, string_array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.kernels.digits import digits_of, number_of, places_for
from normalizers.messages import quoted
from normalizers.series.base.layouts import Windows
from normalizers.series.base.series_normalizer import SeriesNormalizer

DECIMAL = 10


class LlmtimeSerialize(SeriesNormalizer):
    """Write each series as text for a language model: ``" 3 5 2 , - 1 2 5 0 ,"``.

    A number is its sign and its digits in `base`, `prec` of them behind the point, each with
    `bit_sep` before it; numbers are joined by `time_sep`, which the text ends with too. Leading
    zeros are left out unless `fixed_length`; a missing value is `missing_str`.

    Notes
    -----
    Digits are truncated, not rounded, each from what is left of a float64, as in the source: 0.29
    with two digits may be 28. Values beyond `max_val` are refused, negative ones unless `signed`;
    scale first (`llmtime_scale`). A missing value is a word of its own. Constants and ties need no
    rule. Cost O(digits).

    The way back reads such a text: ``sign (digits + 1/2) / base^prec`` with
    `half_bin_correction`. Anything else in the text is refused with its place.

    References
    ----------
    Gruver, Finzi, Qiu, Wilson, "Large Language Models Are Zero-Shot Time Series Forecasters",
    NeurIPS 2023; ngruver/llmtime (MIT), ``serialize_arr`` and ``deserialize_str``.

    Examples
    --------
    >>> from normalizers import LlmtimeSerialize
    >>> method = LlmtimeSerialize(prec=2, half_bin_correction=False)
    >>> answer = method.apply_to([0.5, -12.5, None], layout="T")
    >>> answer["text"].tolist()
    [' 5 0 , - 1 2 5 0 , Nan ,']
    >>> method.inverse_to([" 5 0 , - 1 2 5 0 , Nan ,"])["x"].values.tolist()
    [0.5, -12.5, nan]
    """

    name = "llmtime_serialize"
    kinds = ("stateless",)
    traits = replace(SeriesNormalizer.traits, way_back="quantized", way_back_bound=0.01)
    example = Example(input={"x": [0.5, 3.52, -12.5]})

    base: int | None = param(
        default=None, default_value=10, affects="answer", ge=2, le=1000, help="base of the digits"
    )
    prec: int | None = param(
        default=None, default_value=3, affects="answer", ge=0, le=15, help="digits behind the point"
    )
    signed: bool | None = param(
        default=None, default_value=True, affects="answer", help="whether numbers may be negative"
    )
    fixed_length: bool | None = param(
        default=None, default_value=False, affects="answer", help="whether leading zeros stay"
    )
    max_val: float | None = param(
        default=None,
        default_value=1e7,
        affects="answer",
        gt=0,
        le=1e15,
        help="largest size of a number",
    )
    time_sep: str | None = param(
        default=None, default_value=" ,", affects="answer", min_length=1, help="after each number"
    )
    bit_sep: str | None = param(
        default=None, default_value=" ", affects="answer", help="before each digit"
    )
    plus_sign: str | None = param(
        default=None, default_value="", affects="answer", help="before a number from 0 on"
    )
    minus_sign: str | None = param(
        default=None, default_value=" -", affects="answer", min_length=1, help="before one below 0"
    )
    decimal_point: str | None = param(
        default=None, default_value="", affects="answer", help="between the digits"
    )
    missing_str: str | None = param(
        default=None,
        default_value=" Nan",
        affects="answer",
        min_length=1,
        help="a missing value",
    )
    half_bin_correction: bool | None = param(
        default=None,
        default_value=True,
        affects="answer",
        help="whether a text is read as the middle of what its last digit covers",
    )

    def check(self, path: str) -> None:
        """Refuse digits that run together."""
        if (self.base or DECIMAL) > DECIMAL and self.bit_sep == "":
            raise InvalidParams(
                "digits of a base above 10 need a bit_sep between them", path=f"{path}.bit_sep"
            )

    @property
    def takes(self) -> Fields:
        """Series of one channel."""
        return Fields(x=series("n t 1", help="series of one channel"))

    @property
    def gives(self) -> Fields:
        """A text for each series."""
        return Fields(text=texts("n", help="one text a series"))

    @property
    def inverse_takes(self) -> Fields:
        """Texts, of a forecast too."""
        return Fields(text=texts("n", help="one text a series"))

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the text of each series."""
        lists = Windows.of(cast("Array | Ragged", batch["x"])).lists
        self._require_sizes(lists)
        there = ~np.isnan(lists.values)
        words = np.full(len(lists.values), unwrap(self.missing_str), dtype=object)
        words[there] = list(self._written(lists.values[there]))
        separator = unwrap(self.time_sep)
        written = ["".join(word + separator for word in part) for part in lists.with_values(words)]
        answer = Answer({"text": string_array(written)})
        parts = {"digits": [self._places, unwrap(self.prec)]}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the numbers of each text."""
        found = [
            [self._number(word, f"input.text[{index}]", place) for place, word in self._words(text)]
            for index, text in enumerate(batch.array("text").tolist())
        ]
        return Answer({"x": Ragged.of(found)})

    @property
    def _places(self) -> int:
        return places_for(unwrap(self.max_val), unwrap(self.base))

    def _require_sizes(self, lists: Ragged) -> None:
        large = np.abs(lists.values) > unwrap(self.max_val)
        negative = (lists.values < 0) & (not self.signed)
        for wrong, told in (
            (large, f"a size above max_val, {self.max_val}; scale the series first"),
            (negative, "a negative number, and signed is false"),
        ):
            if wrong.any():
                index, step = lists.position(int(np.argmax(wrong)))
                raise InvalidInput(f"series {index} has {told} (step {step})", path="input.x")

    def _written(self, values: Array) -> Iterator[str]:
        found = digits_of(values, unwrap(self.base), unwrap(self.prec), self._places)
        for negative, digits in zip(found.negative, found.digits.tolist(), strict=True):
            sign = self.minus_sign if negative else self.plus_sign
            yield unwrap(sign) + self._joined(digits)

    def _joined(self, digits: list[int]) -> str:
        """Return digits with what stands between them, leading zeros left out where they may."""
        whole = len(digits) - unwrap(self.prec)
        start = 0
        if not self.fixed_length:
            start = next((i for i, digit in enumerate(digits) if digit), len(digits) - 1)
            if self.decimal_point:
                start = min(start, max(whole - 1, 0))
        words = [f"{self.bit_sep}{digit}" for digit in digits]
        point = [f"{self.bit_sep}{self.decimal_point}"] if self.decimal_point else []
        return "".join([*words[start:whole], *point, *words[max(start, whole) :]])

    def _words(self, text: str) -> Iterator[tuple[int, str]]:
        words = text.split(unwrap(self.time_sep))
        # What stands behind the last separator is no number but the end.
        yield from enumerate(words[:-1] if not words[-1].strip() else words)

    def _number(self, word: str, path: str, place: int) -> float:
        if word.strip() == unwrap(self.missing_str).strip():
            return np.nan
        minus = unwrap(self.minus_sign)
        negative = word.startswith(minus)
        rest = word.removeprefix(minus if negative else unwrap(self.plus_sign))
        if self.decimal_point:
            rest = rest.replace(f"{self.bit_sep}{self.decimal_point}", "", 1)
        digits = self._digits(rest)
        if digits is None:
            raise InvalidInput(f"{quoted(word)}, number {place}, is no number", path=path)
        half = unwrap(self.half_bin_correction)
        size = number_of(digits, unwrap(self.base), unwrap(self.prec), half=half)
        return -size if negative else size

    def _digits(self, text: str) -> list[int] | None:
        between = unwrap(self.bit_sep)
        words = text.removeprefix(between).split(between) if between else list(text)
        if not words or not all(word.isascii() and word.isdigit() for word in words):
            return None
        digits = [int(word) for word in words if len(word) < DECIMAL]
        base = unwrap(self.base)
        fits = len(digits) == len(words) and all(digit < base for digit in digits)
        return digits if fits else None
