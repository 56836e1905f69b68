"""Methods that measure a list by itself only, without a scope and without a fit."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

import numpy as np

from normalizers.contract import Answer, Batch, Fields, Fitted, Options, Traits
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput
from normalizers.kernels import segments
from normalizers.kernels.list_scales import Scaled
from normalizers.scores.base.score_method import ScoreMethod, in_place
from normalizers.scores.lists.base.loc_scale_of_lists import (
    from_loc_and_scale,
    loc_scale_fields,
    with_loc_scale,
)


class OwnListScale(ScoreMethod):
    """Base of the methods ``value = (score - loc) / scale`` with both from the list itself."""

    kinds = ("stateless",)
    traits = Traits(monotone=True)

    @property
    def gives(self) -> Fields:
        """Values, and what undoing needs."""
        return loc_scale_fields(
            "normalized scores",
            "what was subtracted",
            "what divided, signed; 0 where nothing could",
        )

    @property
    def inverse_takes(self) -> Fields:
        """Values with the ``loc`` and ``scale`` of the answer."""
        return self.gives

    @abstractmethod
    def scale_lists(self, scores: Ragged) -> Scaled:
        """Return the values of complete lists in which more is better."""

    @abstractmethod
    def on_zero_scale(self, answer: Answer, scores: Ragged, flat: Array) -> Answer:
        """Return the answer with what lists give that have the scale 0.

        Parameters
        ----------
        answer : Answer
            What the formula gives.
        scores : Ragged
            As they were sent.
        flat : bool array of shape (N,)
            The observed scores of such lists.
        """

    def normalized(self, fitted: Fitted, scores: Ragged, options: Options) -> Answer:
        """Return the value of every score."""
        observed = ~np.isnan(scores.values)
        found = self.scale_lists(segments.compress(self.directed(scores), observed))
        if np.isinf(found.scale).any():
            raise InvalidInput(
                "a list's scores lie too far apart for a float64", path="input.scores"
            )
        # + 0.0: a turned sign makes no -0.0.
        loc, scale = self.sign * found.loc + 0.0, self.sign * found.scale + 0.0
        values = scores.with_values(in_place(found.values, observed))
        answer = with_loc_scale(Answer({"values": values}), loc, scale)
        flat = observed & (segments.broadcast(scale, scores) == 0)
        answer = self.on_zero_scale(answer, scores, flat)
        parts = [
            {"loc": low, "scale": wide}
            for low, wide in zip(loc.tolist(), scale.tolist(), strict=True)
        ]
        return replace(answer, explain=parts) if options.explain else answer

    def restored(self, fitted: Fitted, batch: Batch) -> Answer:
        """Return ``loc + scale value``."""
        values = batch.ragged("values")
        scores = from_loc_and_scale(values, batch.array("loc"), batch.array("scale"))
        return Answer({"scores": values.with_values(scores)})
