"""What is measured: one run, or one vector of scores, as each measure needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from normalizers.data.batch import Batch
from normalizers.errors import InvalidInput
from normalizers.measures.judged import Judged
from normalizers.measures.labelled import Labelled
from normalizers.measures.measure import Evidence

THRESHOLD = "threshold"
Inspect: TypeAlias = "Callable[[Batch, str], None]"


def ignore(read: Batch, path: str) -> None:
    """Do nothing with what was read."""


@dataclass(frozen=True)
class Treatment:
    """One of the things that are measured and compared.

    Parameters
    ----------
    name : str or int or None
        Name or place of a run; None for scores with labels.
    path : str
        Where its scores stand in the request.
    judged : Judged or None
        Its ranked lists; None for scores with labels.
    labelled : Labelled or None
        Its scores with labels, more is better; None for a run that has no scores throughout.
    higher_is_better : bool
        Whether the scores were sent as they are in `labelled`, or with the other sign.
    """

    name: str | int | None
    path: str
    judged: Judged | None
    labelled: Labelled | None
    higher_is_better: bool = True

    def evidence(self, needed: Evidence, measure: str) -> Judged | Labelled:
        """Return what a measure is a function of.

        Raises
        ------
        InvalidInput
            When the request did not send it.
        """
        if needed == "rankings":
            return self._rankings(measure)
        return self.scores(measure) if needed == "scores" else self.probabilities(measure)

    def scores(self, measure: str) -> Labelled:
        """Return the scores with their labels, or say that there are none."""
        if self.labelled is None:
            raise InvalidInput(
                f"{measure} needs a score at every hit; this run has none at some",
                path=self.path,
            )
        return self.labelled

    def probabilities(self, measure: str) -> Labelled:
        """Return the scores with their labels, or say that they are no probabilities."""
        labelled = self.scores(measure)
        sent = labelled.scores
        if not self.higher_is_better or ((sent < 0) | (sent > 1)).any():
            raise InvalidInput(
                f"{measure} needs probabilities, 0..1 and more for the relevant ones; these "
                "scores are none: calibrate them first",
                path=self.path,
            )
        return labelled

    def signed(self, params: Mapping[str, object]) -> dict[str, object]:
        """Return parameters with a threshold by the sign of `labelled`, or back."""
        threshold = params.get(THRESHOLD)
        if self.higher_is_better or not isinstance(threshold, float):
            return dict(params)
        return {**params, THRESHOLD: -threshold + 0.0}

    def _rankings(self, measure: str) -> Judged:
        if self.judged is None:
            raise InvalidInput(
                f"{measure} needs rankings: send runs and qrels, not scores and labels",
                path=self.path,
            )
        return self.judged
