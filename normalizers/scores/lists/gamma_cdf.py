"""Gamma distribution function: for scores that are positive and skewed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistics,
    Traits,
    floats,
    like,
    lists,
)
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, position_text
from normalizers.kernels import gamma, segments
from normalizers.kernels.segments import ListMoments
from normalizers.scores.lists.base.constant_rule import ConstantRule
from normalizers.scores.lists.base.loc_scale_of_lists import require_one_a_list
from normalizers.scores.lists.base.open_interval import inner_shares
from normalizers.scores.lists.base.ranged_moments import RangedMoments
from normalizers.scores.lists.base.scoped import require_storable_scores
from normalizers.statistics import Extrema, Moments

COLUMNS = 2  # the scores and their logarithms
# Under it a difference of logarithms has fewer digits than half the squared relative deviation.
ROUNDED_GAP = 1e-10
# A deviation from the mean, relative to it, for which log1p keeps its digits.
NEAR = 0.5


@dataclass(frozen=True)
class GammaFits:
    """The gamma distribution of each list.

    Parameters
    ----------
    shape : array of shape (q,)
        0 where the scores have no spread.
    scale : array of shape (q,)
        The constant itself where the scores have no spread.
    """

    shape: Array
    scale: Array


class GammaCdf(ConstantRule, RangedMoments):
    """Replace a score by the share that a gamma distribution has below it.

    ``value = P(shape, score / scale)``, the regularised lower incomplete gamma function; shape
    and scale by maximum likelihood: the root of ``ln k - digamma(k) = ln(mean) - mean(ln s)``
    and ``mean / k``, of the list itself (``scope: query``) or of a stored sample
    (``scope: fitted``). Where lower scores are better the value is the share above.

    Notes
    -----
    The distribution has no scores of 0 or below: a fit refuses them; in a transform they give 0,
    and in the query scope they do not count for their list's distribution. A list of different
    scores none of which is positive is refused. Missing scores follow `nan_policy`: refused with
    their position, or left out and missing in their place. Ties keep equal values. Scores without
    spread (maximum = minimum, exactly) give `constant_value` (0.5) in a list, which is flagged
    ``constant``; beside a stored sample without spread they give 0 below it, 0.5 at it and 1
    above. Scores beyond a stored sample are flagged ``out_of_range``. In the inverse 0 and 1
    count as the nearest numbers within and are flagged ``clipped``. Cost O(N).

    References
    ----------
    Kanoulas et al., "A model for score distributions", SIGIR 2010, for gamma distributed scores;
    Minka, "Estimating a gamma distribution", 2002, for the fit.

    Examples
    --------
    >>> from normalizers import GammaCdf
    >>> GammaCdf().transform([8.0, 4.0, 1.0]).round(4).tolist()
    [0.8739, 0.56, 0.0984]
    """

    name = "gamma_cdf"
    traits = Traits(monotone=True)
    standard_constant = 0.5
    example = Example(input={"scores": [[12.7, 9.3, 0.4], [3.0], []]})

    @property
    def gives(self) -> Fields:
        """Values, and for a list's own distribution what undoing needs."""
        values = like("scores", lists(help="share of the distribution below, 0..1"))
        if self.is_fitted_scope:
            return Fields(values=values)
        return Fields(
            values=values,
            shape=floats("q", help="by list, the shape; 0 for a constant list"),
            scale=floats("q", help="by list, the scale; the constant of a constant list"),
        )

    @property
    def inverse_takes(self) -> Fields:
        """Values, and for a list's own distribution its ``shape`` and ``scale``."""
        return self.gives

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the scores and their logarithms; a score that is not positive is refused."""
        scores = batch.ragged("scores")
        wrong = np.flatnonzero(scores.values <= 0)
        if len(wrong):
            place = batch.form("scores").as_written(list(scores.position(int(wrong[0]))))
            raise InvalidInput(
                "a gamma distribution has positive scores only",
                path="fit.scores" + position_text(place),
            )
        require_storable_scores(batch)
        rows = np.stack([scores.values, np.log(scores.values)], axis=1)
        return statistics.replace(
            **{
                name: cast("Moments | Extrema", kept).update(rows)
                for name, kept in statistics.items()
            }
        )

    def solve(self, statistics: Statistics) -> Fitted:
        """Return shape and scale, and the range where it is known."""
        moments = cast(Moments, statistics["moments"])
        _require_two_columns(moments)
        extrema = cast("Extrema | None", statistics.get("extrema"))
        constant = bool((moments.constant if extrema is None else extrema.constant)[0])
        mean = float(moments.mean[0])
        shape = 0.0 if constant else float(gamma.shape_of(np.array([_stored_gap(moments)]))[0])
        scale = mean / shape if shape else mean
        arrays = {"shape": np.asarray(shape), "scale": np.asarray(scale)}
        if extrema is not None:
            arrays |= {"lower": np.asarray(extrema.min[0]), "upper": np.asarray(extrema.max[0])}
        report = {"shape": shape, "scale": scale}
        return Fitted(arrays, report=report, warnings=self.constant_warnings(constant=constant))

    def normalized(self, fitted: Fitted, scores: Ragged, options: Options) -> Answer:
        """Return the share of the distribution below each score."""
        found = self._of_lists(fitted, scores)
        values = self._shares(scores, found)
        answer = Answer({"values": scores.with_values(values)})
        if not self.is_fitted_scope:
            own = {"shape": found.shape, "scale": found.scale}
            answer = replace(answer, output={**answer.output, **own})
        answer = self.flag_beyond(answer, fitted, scores)
        observed = segments.counts(scores, ~np.isnan(scores.values)) > 0
        answer = self.flag_lists(answer, constant=observed & (found.shape == 0))
        parts = [
            {"shape": shape, "scale": scale}
            for shape, scale in zip(found.shape.tolist(), found.scale.tolist(), strict=True)
        ]
        return replace(answer, explain=parts) if options.explain else answer

    def restored(self, fitted: Fitted, batch: Batch) -> Answer:
        """Return the score with each share of the distribution below it."""
        values = batch.ragged("values")
        keeps = self.on_constant == "keep"
        found = self._sent(fitted, batch, values)
        shape, scale = (segments.broadcast(each, values) for each in (found.shape, found.scale))
        flat = shape == 0
        inside, at_an_end = inner_shares(np.where(flat, 0.5, values.values))
        there = gamma.quantile(
            inside, np.where(flat, 1.0, shape), scale, upper=not self.higher_is_better
        )
        of_constant = values.values if keeps else np.where(np.isnan(values.values), np.nan, scale)
        answer = Answer({"scores": values.with_values(np.where(flat, of_constant, there))})
        return self.flag_scores(answer, values, clipped=at_an_end)

    def _shares(self, scores: Ragged, found: GammaFits) -> Array:
        shape, scale = (segments.broadcast(each, scores) for each in (found.shape, found.scale))
        flat = (shape == 0) & ~np.isnan(scores.values)
        values = gamma.share_below(
            scores.values,
            np.where(shape > 0, shape, 1.0),
            np.where(scale > 0, scale, 1.0),
            upper=not self.higher_is_better,
        )
        # A distribution of one value: 0 below it, 1 above, 1/2 at it.
        step = (1 + self.sign * np.sign(scores.values - scale)) / 2
        positive = flat & ((scores.values > 0) | self.is_fitted_scope | (scale <= 0))
        values[flat] = step[flat]
        values[positive] = self.of_constant(scores.values[positive], step[positive])
        return values

    def _of_lists(self, fitted: Fitted, scores: Ragged) -> GammaFits:
        if self.is_fitted_scope:
            return _everywhere(fitted, len(scores))
        return _own_distributions(scores)

    def _sent(self, fitted: Fitted, batch: Batch, values: Ragged) -> GammaFits:
        if "shape" not in batch:
            return _everywhere(fitted, len(values))
        sent = GammaFits(batch.array("shape"), batch.array("scale"))
        require_one_a_list(values, shape=sent.shape, scale=sent.scale)
        if (sent.shape < 0).any():
            raise InvalidInput("a shape is not negative", path="input.shape")
        return sent


def _everywhere(fitted: Fitted, lists: int) -> GammaFits:
    return GammaFits(np.full(lists, float(fitted["shape"])), np.full(lists, float(fitted["scale"])))


def _own_distributions(scores: Ragged) -> GammaFits:
    """Return the distribution of the positive scores of each list."""
    observed = ~np.isnan(scores.values)
    positive = segments.compress(scores, observed & (scores.values > 0))
    alike = segments.constant(scores, observed)
    empty = (positive.lengths == 0) & ~alike & (segments.counts(scores, observed) > 0)
    if empty.any():
        raise InvalidInput(
            "none of the scores of a list is positive: it has no gamma distribution",
            path=f"input.scores[{int(np.flatnonzero(empty)[0])}]",
        )
    moments = segments.centred_moments(positive)
    spread = (positive.lengths > 0) & ~segments.constant(positive)
    shape = np.zeros(len(scores))
    shape[spread] = gamma.shape_of(_gaps(positive, moments)[spread])
    scale = moments.mean / np.where(spread, shape, 1.0)
    constants = np.nan_to_num(segments.minima(scores, observed))
    return GammaFits(shape, np.where(positive.lengths > 0, scale, constants))


def _gaps(positive: Ragged, moments: ListMoments) -> Array:
    """Return ``ln(mean) - mean(ln s)`` of each list, as a mean of terms that are not negative."""
    of_each = segments.broadcast(moments.mean, positive)
    # The relative deviations add up to 0, so mean(r - ln(1 + r)) is ln(mean) - mean(ln s), by terms
    # of one sign that do not cancel.
    relative = (positive.values - of_each) / of_each
    near = np.log1p(np.clip(relative, -NEAR, NEAR))
    far = np.log(positive.values) - np.log(of_each)
    terms = relative - np.where(np.abs(relative) < NEAR, near, far)
    gap = segments.sums(positive.with_values(terms)) / np.maximum(positive.lengths, 1)
    deviation = np.nan_to_num(moments.std()) / np.where(moments.mean > 0, moments.mean, 1.0)
    # r - ln(1 + r) = r^2 / 2 - r^3 / 3 ..: for small deviations half the relative variance.
    return np.where(gap > ROUNDED_GAP, gap, deviation**2 / 2)


def _stored_gap(moments: Moments) -> float:
    mean, mean_log = (float(number) for number in moments.mean)
    gap = float(np.log(mean)) - mean_log
    if gap > ROUNDED_GAP:
        return gap
    # As for lists: the difference of logarithms has no digits left.
    return float(moments.variance()[0]) / (2 * mean * mean)


def _require_two_columns(moments: Moments) -> None:
    if len(moments.mean) != COLUMNS:
        raise InvalidInput(
            "these moments have two columns: the scores and their logarithms",
            path="statistics.moments",
        )
    if moments.mean[0] <= 0:
        raise InvalidInput(
            "the mean of positive scores is positive", path="statistics.moments.mean"
        )
