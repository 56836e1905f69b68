"""What is measured: one run, or one vector of scores, as each measure needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from normalizers.data.batch import Batch
from normalizers.measures.bootstrap import Resamples

THRESHOLD = "threshold"
Inspect: TypeAlias = "Callable[[Batch, str], None]"
# What measures are a function of, by what they need; a text says what of it was not sent.
Views: TypeAlias = Mapping[str, Resamples | str]


def ignore(read: Batch, path: str) -> None:
    """Do nothing with what was read."""


@dataclass(frozen=True)
class Treatment:
    """One of the things that are measured and compared.

    Parameters
    ----------
    name : str or int or None
        Name or place of a run; None for one vector of scores.
    path : str
        Where its scores stand in the request.
    measurable : mapping
        What measures are a function of, for each thing its evidence offers; a text in its place
        says what was needed and not sent.
    higher_is_better : bool
        Whether the scores were sent as they are measured, or with the other sign.
    base_rate : float
        Share of positives, where there are any to speak of.
    """

    name: str | int | None
    path: str
    measurable: Views
    higher_is_better: bool = True
    base_rate: float = np.nan

    @property
    def size(self) -> int:
        """Number of units."""
        known = [len(one) for one in self.measurable.values() if not isinstance(one, str)]
        return max(known, default=0)

    def signed(self, params: Mapping[str, object]) -> dict[str, object]:
        """Return parameters with a threshold by the sign of what is measured, or back."""
        threshold = params.get(THRESHOLD)
        if self.higher_is_better or not isinstance(threshold, float):
            return dict(params)
        return {**params, THRESHOLD: -threshold + 0.0}
