"""Places in lists: flags by [list, position], and refusals that name one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from normalizers.contract import Answer, Batch
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, position_text


def flag_scores(answer: Answer, scores: Ragged, **flags: Array) -> Answer:
    """Return the answer with flags by [list, position], each a boolean per score."""
    for name, where in flags.items():
        answer = answer.flagged(name, scores.positions(np.flatnonzero(where)))
    return answer


def flag_out_of_range(answer: Answer, scores: Ragged, lower: float, upper: float) -> Answer:
    """Flag the scores beyond a fitted range, and report their share of the observed ones."""
    beyond = (scores.values < lower) | (scores.values > upper)
    observed = int(np.count_nonzero(~np.isnan(scores.values)))
    share = float(np.count_nonzero(beyond) / observed) if observed else 0.0
    report = {**(answer.report or {}), "out_of_range": share}
    return replace(flag_scores(answer, scores, out_of_range=beyond), report=report)


def refuse_list_values(batch: Batch, name: str, wrong: Array, message: str) -> None:
    """Refuse the first value of a ragged input that is wrong, with its list and position."""
    if wrong.any():
        position = batch.ragged(name).position(int(np.argmax(wrong)))
        place = position_text(batch.form(name).as_written(position))
        raise InvalidInput(message, path=f"input.{name}{place}")
