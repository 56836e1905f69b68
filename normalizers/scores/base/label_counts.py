"""What labelled scores tell a calibrator: the weight of both labels at every distinct score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from normalizers.contract import Notice, notice
from normalizers.data.arrays import Array
from normalizers.errors import FitError
from normalizers.kernels.likelihood import softplus
from normalizers.statistics import Knots

FEW_POSITIVES = 30
# Of the weight: what rounding makes of a sum of labels.
SUM_ROUNDING = 1e-12
# Of a log loss: what rounding makes of a sum of many terms.
LOSS_ROUNDING = 1e-12


@dataclass(frozen=True)
class LabelCounts:
    """The distinct scores and the weight of positive and negative labels at each.

    Parameters
    ----------
    x : array of shape (m,)
        Ascending.
    positive, negative : array of shape (m,)
        Their sum is above 0.
    """

    x: Array
    positive: Array
    negative: Array

    @classmethod
    def of(cls, knots: Knots) -> LabelCounts:
        """Return the evidence of scores and 0/1 labels; refuse labels of one class only."""
        positive = _sums(knots)
        evidence = cls(knots.x, positive, np.maximum(knots.weight - positive, 0.0))
        for name, weight in (("1", evidence.positives), ("0", evidence.negatives)):
            if not weight:
                raise FitError(
                    f"one class only: no label is {name}, and a probability needs both; "
                    "send scores of both classes"
                )
        return evidence

    @property
    def weight(self) -> Array:
        """Weight of each score."""
        return self.positive + self.negative

    @property
    def positives(self) -> float:
        """Weight of all positive labels."""
        return float(self.positive.sum())

    @property
    def negatives(self) -> float:
        """Weight of all negative labels."""
        return float(self.negative.sum())

    @property
    def is_constant(self) -> bool:
        """Whether there is one score only."""
        return len(self.x) == 1

    @property
    def base_log_odds(self) -> float:
        """Log odds of a positive label."""
        return float(np.log(self.positives) - np.log(self.negatives))

    @property
    def separable_upwards(self) -> bool:
        """Whether no positive label has a smaller score than a negative one."""
        return bool(self.x[self.negative > 0][-1] <= self.x[self.positive > 0][0])

    @property
    def separable_downwards(self) -> bool:
        """Whether no positive label has a larger score than a negative one."""
        return bool(self.x[self.positive > 0][-1] <= self.x[self.negative > 0][0])

    @property
    def covariance_sign(self) -> float:
        """Sign of the covariance of score and label; 0 where it is not more than rounding."""
        share = self.positives / (self.positives + self.negatives)
        away = (1 - share) * self.positive - share * self.negative
        terms = away * self.standardized()
        # n terms are added within n eps sum |term|.
        rounding = len(terms) * np.finfo(np.float64).eps * np.abs(terms).sum()
        total = float(terms.sum())
        return float(np.sign(total)) if abs(total) > rounding else 0.0

    def smoothed(self) -> LabelCounts:
        """Return the evidence with labels that are not quite 0 and 1.

        ``(N1 + 1) / (N1 + 2)`` for positive labels and ``1 / (N0 + 2)`` for negative ones, with
        their weights ``N1`` and ``N0``.
        """
        of_positive = (self.positives + 1) / (self.positives + 2)
        of_negative = 1 / (self.negatives + 2)
        positive = self.positive * of_positive + self.negative * of_negative
        return LabelCounts(self.x, positive, self.weight - positive)

    def standardized(self) -> Array:
        """Return the scores about their mean in units of their deviation, at any magnitude."""
        if self.is_constant:
            return np.zeros(1)
        # A power of two changes no digit, and keeps squares within range.
        scaled = np.ldexp(self.x, -int(np.frexp(np.max(np.abs(self.x)))[1]))
        share = self.weight / self.weight.sum()
        # Counted from the smallest: shares add up to 1 but for rounding, which an offset would
        # multiply.
        mean = scaled[0] + share @ (scaled - scaled[0])
        deviation = np.sqrt(share @ np.square(scaled - mean))
        return np.asarray((scaled - mean) / deviation)

    def log_loss(self, log_odds: Array) -> float:
        """Return the mean log loss of these log odds, infinite ones among them."""
        up, down = self.positive > 0, self.negative > 0
        # Rows without a label of a kind are left out: 0 times an infinite loss is NaN.
        loss = self.positive[up] @ softplus(-log_odds[up])
        loss += self.negative[down] @ softplus(log_odds[down])
        return float(loss / (self.positives + self.negatives))

    def report(self, log_odds: Array) -> dict[str, object]:
        """Return what a fit report says."""
        return {
            "positives": self.positives,
            "range": self.x[[0, -1]].tolist(),
            "log_loss": self.log_loss(log_odds),
            "base_log_loss": self.log_loss(np.full(len(self.x), self.base_log_odds)),
        }

    def diagnostics(self, log_odds: Array) -> tuple[Notice, ...]:
        """Return the warning that the share of positive labels alone would do better."""
        base = self.log_loss(np.full(len(self.x), self.base_log_odds))
        loss = self.log_loss(log_odds)
        if loss <= base * (1 + LOSS_ROUNDING):
            return ()
        told = "the share of positive labels alone has a smaller log loss than these probabilities"
        return (notice("worse_than_base", told, log_loss=loss, base_log_loss=base),)

    def warnings(self) -> tuple[Notice, ...]:
        """Return what makes this evidence weak."""
        found = []
        if self.positives < FEW_POSITIVES:
            told = f"fewer than {FEW_POSITIVES} positive labels: probabilities are rough"
            found.append(notice("few_positives", told, positives=self.positives))
        if self.is_constant:
            told = "all scores are equal: every probability is the share of positive labels"
            found.append(notice("constant_scores", told))
        return tuple(found)


def negative_slope() -> Notice:
    """Return the warning that larger scores go with fewer positive labels."""
    return notice(
        "negative_slope", "better scores have fewer positive labels: is the direction right?"
    )


def _sums(knots: Knots) -> Array:
    """Return the weight of positive labels, without the rounding of a mean of whole numbers."""
    sums = knots.mean * knots.weight
    whole = np.rint(sums)
    # Sums of 0 and 1 are whole; what is this near was one before it became a mean.
    return np.where(np.abs(sums - whole) <= SUM_ROUNDING * knots.weight, whole, sums)
