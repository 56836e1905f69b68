"""What every method of series shares: its options, the axes of its flags, its policies."""

from __future__ import annotations

from typing import Literal

from normalizers.contract import Traits, param
from normalizers.normalizer import Normalizer


class SeriesNormalizer(Normalizer):
    """Base of the methods of windows ``(n, t, c)``; flags name a window and a channel."""

    family = "series"
    traits = Traits(options=frozenset({"layout"}), flag_axes=(0, 2))

    nan_policy: Literal["reject", "omit", "propagate"] | None = param(
        default=None,
        default_value="omit",
        affects="answer",
        help="a missing value: refused, or left out and missing in its place",
    )
    inf_policy: Literal["as_nan", "reject"] | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="an infinity: as a missing value, or refused",
    )
