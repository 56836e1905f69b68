"""What every map from scores to probabilities shares."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import ClassVar

import numpy as np

from normalizers.contract import Answer, Batch, Fields, Fitted, Options, like, lists, param
from normalizers.data.arrays import Array
from normalizers.kernels.logspace import sigmoid
from normalizers.normalizer import Normalizer
from normalizers.scores.base.flags import flag_out_of_range, refuse_list_values
from normalizers.scores.base.score_method import InfPolicy, NanPolicy


class ProbabilityMap(Normalizer):
    """Base of the methods that turn lists of scores into probabilities.

    A subclass gives the log odds of scores.

    Attributes
    ----------
    sent, domain : str
        Name of the field that is mapped, and what is said of a value that cannot be.
    """

    family = "scores"
    sent: ClassVar[str] = "scores"
    domain: ClassVar[str] = ""

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

    @property
    def takes(self) -> Fields:
        """Lists of what is calibrated."""
        return Fields(**{self.sent: lists(help=f"one list, or ragged lists, of {self.sent}")})

    @property
    def gives(self) -> Fields:
        """Probabilities."""
        return Fields(probabilities=like(self.sent, lists(help="of a positive label, 0..1")))

    def unusable(self, sent: Array) -> Array:
        """Return which values cannot be calibrated; NaN is a missing one."""
        return np.zeros(sent.shape, dtype=bool)

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the probability of a positive label at each score."""
        sent = batch.ragged(self.sent)
        refuse_list_values(batch, self.sent, self.unusable(sent.values), self.domain)
        probabilities = self.probability(fitted, sent.values)
        answer = Answer({"probabilities": sent.with_values(probabilities)})
        if "range" in fitted.arrays:
            answer = flag_out_of_range(answer, sent, *fitted["range"])
        return replace(answer, explain=self.explained(fitted)) if options.explain else answer

    def probability(self, fitted: Fitted, sent: Array) -> Array:
        """Return the probability at each of `sent`, shape (N,)."""
        return sigmoid(self.log_odds(fitted, sent))

    def explained(self, fitted: Fitted) -> dict[str, object]:
        """Return the fitted numbers behind every probability."""
        return {name: array.tolist() for name, array in fitted.arrays.items()}

    @abstractmethod
    def log_odds(self, fitted: Fitted, sent: Array) -> Array:
        """Return the log odds at each of `sent`, shape (N,); NaN stays."""
