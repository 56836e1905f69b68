"""Relevance from the shape of the scores alone: a normal among exponential scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from normalizers.contract import (
    NO_FIELDS,
    Batch,
    Example,
    Fields,
    Fitted,
    Notice,
    Statistic,
    Statistics,
    lists,
    notice,
    param,
)
from normalizers.data.arrays import Array
from normalizers.errors import FitError
from normalizers.scores.base.probability_map import ProbabilityMap
from normalizers.scores.calibration.base.directed_fit import DirectedFit
from normalizers.scores.calibration.base.mixture import Mixture, MixtureFit, most_likely
from normalizers.statistics import Sample

PARTS = Mixture._fields


class NormalExponential(DirectedFit, ProbabilityMap):
    """Turn scores into probabilities of relevance without labels.

    ``probability = f / (f + g)`` with ``f = pi N(s; mu, sigma)`` and
    ``g = (1 - pi) rate exp(-rate (s - loc))``: relevant documents have normal scores, the others
    exponential ones.

    Notes
    -----
    The five numbers are given, or fitted to a sample of scores by expectation and maximization;
    those that are given stay. The search is deterministic and ends at a local optimum; the fit
    reports its mean log likelihood and warns ``not_converged``, and ``narrow_normal`` where the
    normal part shrank to a thousandth of the range.

    A normal tail falls faster than an exponential one, so the probability falls again beyond
    ``mu + rate sigma^2``; a fit whose scores reach that far warns ``falls_again``. With
    `monotone` the probability is the largest of any score up to this one. Below `loc` the
    exponential density stays what it is at `loc`.

    Equal scores get equal probabilities; where lower scores are better all scores change their
    sign first. Missing scores follow `nan_policy`; a fit leaves them out. Scores beyond the
    fitted range are flagged ``out_of_range``. The rows themselves are kept, up to `sample_limit`.
    There is no inverse. Cost O(N log N + iterations N) in the fit, O(N) after it.

    References
    ----------
    Manmatha, Rath, Feng, "Modeling score distributions for combining the outputs of search
    engines", SIGIR 2001.

    Examples
    --------
    >>> from normalizers import NormalExponential
    >>> mixture = NormalExponential(pi=0.1, mu=14.0, sigma=4.0, rate=0.25, loc=0.0)
    >>> mixture.transform([7.0, 14.0, 38.0]).round(4).tolist()
    [0.0523, 0.5948, 0.0]
    """

    name = "normal_exponential"
    kinds = ("stateless", "fitted")
    example = Example(
        fit={"scores": [0.1, 0.3, 0.4, 0.9, 1.2, 1.9, 2.2, 3.1, 4.8, 11.2, 12.7, 13.1, 14.4]},
        input={"scores": [[12.7, 2.3], [8.0], []]},
    )

    pi: float | None = param(
        default=None, affects="solution", gt=0, lt=1, help="share of relevant documents"
    )
    mu: float | None = param(
        default=None, affects="solution", help="mean score of relevant documents"
    )
    sigma: float | None = param(
        default=None, affects="solution", gt=0, help="deviation of the scores of relevant documents"
    )
    rate: float | None = param(
        default=None, affects="solution", gt=0, help="rate of the exponential scores of the others"
    )
    loc: float | None = param(
        default=None, affects="solution", help="score at which the exponential scores start"
    )
    monotone: bool | None = param(
        default=None,
        default_value=False,
        affects="answer",
        help="never give a larger score a smaller probability",
    )
    sample_limit: int | None = param(
        default=None,
        resolves="1,000,000 with a fit",
        affects="statistics",
        ge=1,
        help="scores that a fit keeps; more are refused",
    )

    @property
    def fits(self) -> Fields:
        """A sample of scores, unless all numbers are given."""
        return (
            Fields(scores=lists(help="sample of scores; lists are pooled"))
            if self.keeps
            else NO_FIELDS
        )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The scores themselves."""
        if len(self.named) == len(PARTS):
            return {}
        return {"sample": Sample(["scores"], self.sample_limit or Sample.ROW_LIMIT)}

    @property
    def named(self) -> dict[str, float]:
        """The numbers that were given."""
        return {name: getattr(self, name) for name in PARTS if getattr(self, name) is not None}

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Decide the limit of a fitted sample."""
        decided = super().defaults(statistics)
        return decided if statistics is None else {**decided, "sample_limit": Sample.ROW_LIMIT}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add scores to the sample."""
        sample = cast(Sample, statistics["sample"])
        return statistics.replace(sample=sample.update(batch.ragged("scores").values))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the mixture that the sample leads to."""
        scores = cast(Sample, statistics["sample"])["scores"]
        x, counts = np.unique(self.sign * scores, return_counts=True)
        if len(x) == 1:
            raise FitError("all scores are equal: they tell no two kinds of documents apart")
        if x[0] < self.named.get("loc", x[0]):
            raise FitError("a score of the sample is below 'loc'", path="params.loc")
        fit = most_likely(x, counts, self.named)
        arrays = {name: np.asarray(value) for name, value in fit.mixture._asdict().items()}
        arrays["sign"] = np.asarray(self.sign)
        arrays["range"] = np.array([scores.min(), scores.max()])
        report = {
            "range": arrays["range"].tolist(),
            "log_likelihood": fit.log_likelihood,
            "iterations": fit.iterations,
            "mixture": fit.mixture._asdict(),
        }
        return Fitted(
            arrays, report=report, warnings=_warnings(fit, float(x[-1]), bool(self.monotone))
        )

    def log_odds(self, fitted: Fitted, sent: Array) -> Array:
        """Return the log odds of relevance, or the largest of any score up to this one."""
        mixture = self._mixture(fitted)
        directed = sent * (float(fitted["sign"]) if fitted.arrays else self.sign)
        return mixture.rising_log_odds(directed) if self.monotone else mixture.log_odds(directed)

    def explained(self, fitted: Fitted) -> dict[str, object]:
        """Return the numbers of the mixture."""
        return dict(self._mixture(fitted)._asdict())

    def _mixture(self, fitted: Fitted) -> Mixture:
        if fitted.arrays:
            return Mixture(*(float(fitted[name]) for name in PARTS))
        return Mixture(**self.named)


def _warnings(fit: MixtureFit, highest: float, monotone: bool) -> tuple[Notice, ...]:
    found = []
    if not fit.converged:
        told = "the search for the mixture did not end: its numbers are rough"
        found.append(notice("not_converged", told, iterations=fit.iterations))
    if fit.collapsed:
        told = "the normal part shrank to a few scores: give 'sigma', or send more scores"
        found.append(notice("narrow_normal", told))
    if highest > fit.mixture.peak and not monotone:
        told = "the probability falls again beyond a score; 'monotone' keeps it"
        found.append(notice("falls_again", told, score=fit.mixture.peak))
    return tuple(found)
