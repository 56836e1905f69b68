"""What every method on score lists shares: its input, its direction, its policies, its floor."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import ClassVar, Literal, TypeAlias, cast

import numpy as np

from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Fields,
    Fitted,
    Options,
    Statistics,
    lists,
    param,
)
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import UnsupportedOperation
from normalizers.kernels.min_max import clamp
from normalizers.normalizer import Normalizer
from normalizers.scores.base.flags import flag_scores
from normalizers.scores.base.similarity import SIMILARITIES, Similarity, check_direction

NanPolicy: TypeAlias = Literal["reject", "omit", "propagate", "last"]
InfPolicy: TypeAlias = Literal["as_nan", "reject"]


class ScoreMethod(Normalizer):
    """Base of the methods that give a value for every score of a list.

    Attributes
    ----------
    bounded : bool
        Whether values lie within about 0..1, so that in a fusion 0 may stand for an absent one.
    """

    family = "scores"
    bounded: ClassVar[bool] = True

    similarity: Similarity | None = param(
        default=None, affects="answer", help="which similarity made the scores: their direction"
    )
    higher_is_better: bool | None = param(
        default=None,
        default_value=True,
        resolves="what the similarity says, else true",
        affects="answer",
        help="direction of the scores",
    )
    nan_policy: NanPolicy | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="a missing score: refused, left out and missing in its place, or passed on",
    )
    inf_policy: InfPolicy | None = param(
        default=None,
        default_value="as_nan",
        affects="answer",
        help="an infinite score: as a missing one, or refused",
    )
    floor: float | None = param(default=None, affects="answer", help="smaller values become it")

    def check(self, path: str) -> None:
        """Refuse a direction that the similarity contradicts."""
        check_direction(self.similarity, self.higher_is_better, path)

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Take the direction from the similarity."""
        if self.similarity is None:
            return {}
        return {"higher_is_better": SIMILARITIES[self.similarity]}

    @property
    def takes(self) -> Fields:
        """Lists of scores."""
        return Fields(scores=lists(help="one list, or ragged lists, of scores"))

    @property
    def inverse_takes(self) -> Fields:
        """Nothing, unless a method has a way back."""
        return NO_FIELDS

    @property
    def sign(self) -> float:
        """What turns scores so that more is better: 1 or -1."""
        return 1.0 if self.higher_is_better else -1.0

    def directed(self, scores: Ragged) -> Ragged:
        """Return the scores, or their negatives where lower ones are better."""
        return scores if self.higher_is_better else scores.with_values(-scores.values)

    @abstractmethod
    def normalized(self, fitted: Fitted, scores: Ragged, options: Options) -> Answer:
        """Return the answer before `floor` lifts its values."""

    def restored(self, fitted: Fitted, batch: Batch) -> Answer:
        """Return the scores that give `batch`, where there is a way back."""
        raise UnsupportedOperation(f"'{self.name}' has no inverse")

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return a value for every score."""
        answer = self.normalized(fitted, batch.ragged("scores"), options)
        if self.floor is None:
            return answer
        values = cast(Ragged, answer.canonical("values"))
        lifted = values.with_values(self.lifted(values.values, self.floor))
        return replace(answer, output={**answer.output, "values": lifted})

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return a score for every value; what a floor lifted is flagged ``clipped``."""
        answer = self.restored(fitted, batch)
        if self.floor is None:
            return answer
        values = batch.ragged("values")
        return self.flag_scores(answer, values, clipped=self.was_lifted(values.values, self.floor))

    def lifted(self, values: Array, floor: float) -> Array:
        """Return values with those below `floor` lifted to it."""
        return np.asarray(clamp(values, floor))

    def was_lifted(self, values: Array, floor: float) -> Array:
        """Return which values a floor may have lifted."""
        return np.asarray(values <= floor)

    def flag_lists(self, answer: Answer, **flags: Array) -> Answer:
        """Return the answer with flags by list, each given as a boolean per list."""
        for name, where in flags.items():
            answer = answer.flagged(name, np.flatnonzero(where))
        return answer

    def flag_scores(self, answer: Answer, scores: Ragged, **flags: Array) -> Answer:
        """Return the answer with flags by [list, position], each a boolean per score."""
        return flag_scores(answer, scores, **flags)


def in_place(values: Array, observed: Array) -> Array:
    """Return the values of observed scores in the places of all scores, NaN elsewhere."""
    filled = np.full(len(observed), np.nan)
    filled[observed] = values
    return filled
