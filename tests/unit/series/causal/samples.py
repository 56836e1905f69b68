"""Streams with gaps, and a series cut into chunks with its state carried on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from normalizers.contract.answer import Answer
from normalizers.normalizer import Normalizer

NAN = float("nan")
STREAM = np.array(
    [11.082, 1.889, 7.836, NAN, 6.095, 6.569, NAN, NAN, 5.27, 13.646, 7.452, 6.295, 6.295]
)


def in_chunks(method: Normalizer, x: np.ndarray, cuts: Sequence[int]) -> list[Answer]:
    """Return the answers to a series cut at these steps."""
    answers: list[Answer] = []
    state: dict[str, object] = {}
    for start, stop in zip([0, *cuts], [*cuts, len(x)], strict=True):
        answers.append(method.apply_to(x=x[start:stop], start_step=start, **state))
        state = {"state": answers[-1]["state"]}
    return answers
