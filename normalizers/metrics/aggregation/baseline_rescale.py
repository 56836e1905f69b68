"""Scores between a chance level and a perfect one."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Traits,
    floats,
    param,
    unwrap,
)
from normalizers.errors import InvalidParams
from normalizers.normalizer import Normalizer


class BaselineRescale(Normalizer):
    """Measure scores from a baseline: y = (x - lower) / (upper - lower).

    `lower` is the score of chance, `upper` the perfect one; a score below chance is negative.

    Notes
    -----
    Missing scores are missing in the answer, or refused. With `clip` scores beyond the two bounds
    become 0 and 1, and are flagged ``clipped``; then there is no way back. Constants and ties need
    no rule. Cost O(m).

    See Also
    --------
    group_min_max

    References
    ----------
    The rule of ``huggingface/leaderboards``, pull 21.

    Examples
    --------
    >>> from normalizers import BaselineRescale
    >>> BaselineRescale(lower=0.25, upper=1.0).transform([0.25, 0.625, 1.0]).tolist()
    [0.0, 0.5, 1.0]
    """

    name = "baseline_rescale"
    family = "metrics"
    kinds = ("stateless",)
    traits = Traits(monotone=True, flag_axes=(0, 1))
    takes = Fields(x=floats("m c", flat="column", help="scores"))
    gives = Fields(y=floats("m c", flat="column", help="0 at the baseline, 1 for a perfect score"))
    example = Example(params={"lower": 0.25, "upper": 1.0}, input={"x": [0.25, 0.5, 1.0, 0.2]})

    lower: float | None = param(
        default=None, resolves="it must be given", affects="answer", help="score of chance"
    )
    upper: float | None = param(
        default=None, resolves="it must be given", affects="answer", help="perfect score"
    )
    clip: bool | None = param(
        default=None, default_value=False, affects="answer", help="keep answers within 0 and 1"
    )
    nan_policy: Literal["reject", "omit"] | None = param(
        default=None,
        default_value="omit",
        affects="answer",
        help="a missing score: refused, or missing in its place",
    )

    def check(self, path: str) -> None:
        """Refuse one bound alone, and bounds that are no interval."""
        for name in ("lower", "upper"):
            if getattr(self, name) is None:
                raise InvalidParams(f"say '{name}': two scores span it", path=f"{path}.{name}")
        if not unwrap(self.lower) < unwrap(self.upper):
            raise InvalidParams("'lower' must be below 'upper'", path=f"{path}.lower")

    @property
    def inverse_takes(self) -> Fields:
        """Rescaled scores; none that were clipped."""
        return NO_FIELDS if self.clip else self.gives

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the rescaled scores."""
        lower, upper = unwrap(self.lower), unwrap(self.upper)
        x = batch.array("x")
        # Halves: the difference of two large bounds may overflow.
        y = (x / 2 - lower / 2) / (upper / 2 - lower / 2)
        answer = Answer({"y": np.clip(y, 0.0, 1.0) if self.clip else y})
        if self.clip:
            answer = answer.flagged("clipped", np.argwhere((y < 0) | (y > 1)))
        parts = {"lower": lower, "upper": upper}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the scores that give these."""
        lower, upper = unwrap(self.lower), unwrap(self.upper)
        y = batch.array("y")
        return Answer({"x": lower * (1 - y) + upper * y})
