"""Methods that map every score by itself, without any statistics."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

import numpy as np

from normalizers.contract import Answer, Batch, Fields, Fitted, Options, Traits, like, lists
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.scores.base.score_method import ScoreMethod


class PointwiseMap(ScoreMethod):
    """Base of the methods whose value depends on the score alone; increasing maps."""

    kinds = ("stateless",)
    traits = Traits(monotone=True)

    @property
    def gives(self) -> Fields:
        """One value a score."""
        return Fields(values=like("scores", lists(help="normalized scores")))

    @property
    def inverse_takes(self) -> Fields:
        """The values."""
        return self.gives

    @abstractmethod
    def forward(self, scores: Array) -> Array:
        """Return the value of each score that has its direction; NaN stays NaN."""

    @abstractmethod
    def backward(self, values: Array) -> tuple[Array, Array]:
        """Return the score of each value, and which values lie at an end of the range."""

    def normalized(self, fitted: Fitted, scores: Ragged, options: Options) -> Answer:
        """Return the value of every score."""
        values = np.asarray(self.forward(self.directed(scores).values)) + 0.0
        answer = Answer({"values": scores.with_values(values)})
        return replace(answer, explain=self.parts()) if options.explain else answer

    def restored(self, fitted: Fitted, batch: Batch) -> Answer:
        """Return the score of every value."""
        values = batch.ragged("values")
        scores, at_an_end = self.backward(values.values)
        answer = Answer({"scores": values.with_values(self.sign * scores + 0.0)})
        return self.flag_scores(answer, values, clipped=at_an_end)

    def parts(self) -> dict[str, object]:
        """Return what the map is made of."""
        return {"higher_is_better": self.higher_is_better}
