"""The direction of scores: similarities as they are, distances negated."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, position_text

ScoreType: TypeAlias = Literal["similarity", "distance"]


def as_similarities(scores: Array, score_type: str, path: str) -> Array:
    """Return similarities: the scores themselves, or negated distances; NaN stays.

    Raises
    ------
    InvalidInput
        A negative distance, with its position.
    """
    if score_type == "similarity":
        return scores
    negative = scores < 0
    if negative.any():
        raise _negative(path + position_text(np.argwhere(negative)[0].tolist()))
    return -scores


def as_similarity_lists(scores: Ragged, score_type: str, path: str) -> Ragged:
    """Return the same for ragged lists."""
    if score_type == "similarity":
        return scores
    negative = scores.values < 0
    if negative.any():
        place = scores.position(int(np.argmax(negative)))
        raise _negative(path + position_text(place))
    return scores.with_values(-scores.values)


def _negative(path: str) -> InvalidInput:
    return InvalidInput("a distance is negative; are these similarities?", path=path)
