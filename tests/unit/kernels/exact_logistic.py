"""The most likely line by bisection in 60 digits: slow, and independent of any step or unit."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext

DIGITS = 60
HALVINGS = 90
# Beyond these log odds, in decimal digits, a label is certain for float64.
FARTHEST = Decimal(60)


def most_likely_probabilities(x: Sequence[float], labels: Sequence[float]) -> list[float]:
    """Return the probability of a positive label at each score, at the largest likelihood.

    The likelihood of a slope with its best level is concave in the slope: the sign of its slope
    says on which side of the best one it lies.
    """
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = DIGITS, 10**9, -(10**9)
        # About the middle score, so that the line of a steep slope has digits left there.
        middle = Decimal(sorted(x)[len(x) // 2])
        scores = [Decimal(value) - middle for value in x]
        sign = 1 if _rise(scores, labels, Decimal(0)) > 0 else -1
        largest = max(abs(score) for score in scores)
        smallest = min(abs(a - b) for a in scores for b in scores if a != b)
        low, high = Decimal("1e-12") / largest, Decimal(10**6) / smallest
        for _ in range(HALVINGS):
            slope = sign * (low * high).sqrt()
            rises = sign * _rise(scores, labels, slope) > 0
            low, high = (abs(slope), high) if rises else (low, abs(slope))
        level = _level(scores, labels, slope)
        return [float(_sigmoid(slope * score + level)) for score in scores]


def _rise(scores: Sequence[Decimal], labels: Sequence[float], slope: Decimal) -> Decimal:
    """Return how the log likelihood rises with the slope, at the best level."""
    level = _level(scores, labels, slope)
    return sum(
        (Decimal(label) - _sigmoid(slope * score + level)) * score
        for score, label in zip(scores, labels, strict=True)
    )  # type: ignore[return-value]


def _level(scores: Sequence[Decimal], labels: Sequence[float], slope: Decimal) -> Decimal:
    """Return the level at which the probabilities add up to the positive labels."""
    lines = [slope * score for score in scores]
    low, high = -max(lines) - FARTHEST, -min(lines) + FARTHEST
    level, positives = (low + high) / 2, Decimal(sum(labels))
    while True:
        shares = [_sigmoid(line + level) for line in lines]
        excess = sum(shares) - positives
        low, high = (level, high) if excess < 0 else (low, level)
        curvature = sum(share * (1 - share) for share in shares)
        newton = level - excess / curvature if curvature > Decimal("1e-50") else low
        best = newton if low < newton < high else (low + high) / 2
        if abs(best - level) < Decimal("1e-30"):
            return best
        level = best


def _sigmoid(value: Decimal) -> Decimal:
    if value < 0:
        return 1 - _sigmoid(-value)
    return 1 / (1 + (-value).exp())
