"""Logistic regression of labels on scores, or of relevance on what several runs say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Self

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistic,
    Statistics,
    Traits,
    param,
)
from normalizers.errors import FitError, InvalidParams
from normalizers.scores.base.label_counts import LabelCounts
from normalizers.scores.calibration.base.calibrator import Solution
from normalizers.scores.calibration.base.sigmoid import LineCalibrator
from normalizers.scores.fusion.base.normalizer_parameter import (
    NORMALIZER,
    NormalizerParameter,
    NormalizerReference,
)
from normalizers.scores.fusion.runs.run import Duplicates
from normalizers.scores.fusion.runs.run_normalizer import read_step_of_run
from normalizers.scores.fusion.training.logistic_fusion import Features, LogisticFusion, Output

OF_FUSION = (NORMALIZER, "duplicates", "output")
OF_CALIBRATOR = ("similarity", "inf_policy")
SHARED = ("features", "C", "nan_policy", "higher_is_better", *OF_FUSION)


class Logistic(NormalizerParameter, LineCalibrator):
    """Turn scores into probabilities by the logistic curve that makes their labels most likely.

    ``probability = 1 / (1 + exp(-(a s + b)))`` with the smallest
    ``a^2 / 2 + C sum(log loss)``; without `C` there is no penalty.

    With `features` it is a fusion, fitted on runs with relevance judgements: the score of a
    document is the probability of relevance, or its log odds, by a regression on what every run
    says of it. ``score_presence`` is its normalized score and whether it is there; ``two_scale``
    its raw score, that score over the best of the list, the logarithm of its rank, and whether it
    is there. Only such scores keep one meaning from query to query: a threshold on them
    (`min_score`) holds for all.

    Notes
    -----
    Without a penalty there is no most likely curve when a threshold separates the labels: the
    slope would grow without end, and the fit is refused. Name `C`, or use `platt`. Otherwise as
    `platt`: both classes are needed, parts merge, equal scores get equal probabilities, missing
    scores follow `nan_policy`, scores beyond the fitted range are flagged ``out_of_range``, and
    a sample of one distinct score gives the share of positives. Cost O(N log N) in the fit.

    Of the fusion: rows are all documents that a run found for a training query; one that a run
    lacks has the lowest score of that run's list, the rank after its last, and is not there.
    Features are standardised by mean and deviation of the rows. A training query for which a run
    found nothing is left out; where a served list is empty, that run has no say. The rows are
    kept, so parts merge to the same fit. The parts of `explain` add up to the log odds, each with
    an equal share of the intercept. Runs are known by their names, or by their places where they
    have none; one that the fit did not see is refused. Cost O(N log N), and O(N p^2) in the fit
    for p features.

    References
    ----------
    The meaning of `C` is that of scikit-learn's ``LogisticRegression``.

    Examples
    --------
    >>> from normalizers import Logistic
    >>> calibrator = Logistic().fit([1.0, 2.0, 2.0, 3.0, 3.0], labels=[0, 0, 1, 1, 0])
    >>> calibrator.transform([1.0, 3.0]).round(3).tolist()
    [0.16, 0.58]
    """

    name = "logistic"
    example = Example(
        fit={"scores": [14.2, 11.8, 9.3, 8.0, 7.7, 3.2, 0.4], "labels": [1, 1, 0, 1, 0, 0, 0]},
        input={"scores": [[12.7, 9.3], [3.0], []]},
    )

    C: float | None = param(
        default=None,
        affects="solution",
        gt=0,
        help="weight of the labels against a penalty on squared coefficients; none without it",
    )
    features: Features | None = param(
        default=None,
        affects="statistics",
        help="makes it a fusion: what a run says of a document",
    )
    output: Output | None = param(
        default=None,
        resolves="probability, of a fusion",
        affects="answer",
        help="of a fusion: the probability of relevance, or the linear predictor, its log odds",
    )
    duplicates: Duplicates | None = param(
        default=None,
        resolves="best, of a fusion",
        affects="answer",
        help="of a fusion: an id twice in a list: its best or first place counts, its places add "
        "up, or refused",
    )
    normalizer: object | None = param(
        default=None,
        read=read_step_of_run,
        resolves="min_max, of the scores of a fusion",
        affects="statistics",
        references=NormalizerReference(),
        help="of a fusion: a method's name, {method, params}, or {ref} to a version",
    )

    @property
    def fusion(self) -> LogisticFusion | None:
        """The fusion that it is when it has features."""
        if self.features is None:
            return None
        return LogisticFusion(**{name: getattr(self, name) for name in SHARED})

    def check(self, path: str) -> None:
        """Refuse what has no meaning with, or without, features."""
        fusion = self.fusion
        for name in OF_CALIBRATOR if fusion else OF_FUSION:
            if name in self.explicit_params:
                told = "has no meaning with features" if fusion else "needs features"
                raise InvalidParams(f"'{name}' {told}", path=f"{path}.{name}")
        if fusion is not None:
            fusion.validated(path)

    def resolved(
        self, statistics: Statistics | None, settled: Mapping[str, object] | None = None
    ) -> Self:
        """Return a copy on which every parameter has the value it is used with."""
        twin, fusion = super().resolved(statistics, settled), self.fusion
        if fusion is None:
            return twin
        used = fusion.resolved(statistics, settled)
        values = {name: getattr(used, name) for name in SHARED}
        return twin.with_values({**values, **dict.fromkeys(OF_CALIBRATOR)})

    @property
    def traits(self) -> Traits:  # type: ignore[override]
        """Those of the calibrator, with the options of the fusion that it is with features."""
        fusion = self.fusion
        if fusion is None:
            return super().traits
        return replace(super().traits, options=fusion.traits.options)

    @property
    def fits(self) -> Fields:
        """Scores with labels; of a fusion, runs with judgements."""
        return self.fusion.fits if self.fusion else super().fits

    @property
    def takes(self) -> Fields:
        """Scores; of a fusion, runs."""
        return self.fusion.takes if self.fusion else super().takes

    @property
    def gives(self) -> Fields:
        """Probabilities; of a fusion, ids and scores."""
        return self.fusion.gives if self.fusion else super().gives

    @property
    def inverse_takes(self) -> Fields:
        """Probabilities; a fusion has no way back."""
        return self.fusion.inverse_takes if self.fusion else super().inverse_takes

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Distinct scores with their labels; of a fusion, the rows."""
        return self.fusion.keeps if self.fusion else super().keeps

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add labelled scores, or judged queries."""
        fusion = self.fusion
        return (
            fusion.accumulate(statistics, batch)
            if fusion
            else super().accumulate(statistics, batch)
        )

    def check_statistics(self, statistics: Statistics, path: str) -> None:
        """Refuse posted statistics that are not those of labels."""
        check = self.fusion.check_statistics if self.fusion else super().check_statistics
        check(statistics, path)

    def report(self, batch: Batch, fitted: Fitted) -> Mapping[str, object]:
        """Return what only the rows tell."""
        fusion = self.fusion
        return fusion.report(batch, fitted) if fusion else super().report(batch, fitted)

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the arrays of the line, or the coefficients."""
        fusion = self.fusion
        return fusion.solve(statistics) if fusion else super().solve(statistics)

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return probabilities, or the fused lists."""
        fusion = self.fusion
        return (
            fusion.apply(fitted, batch, options)
            if fusion
            else super().apply(fitted, batch, options)
        )

    def solve_runs(self, evidence: LabelCounts) -> Solution:
        """Return the most likely line."""
        if self.C is not None:
            # C weighs the sum of the losses, the fit minimizes their mean.
            return self.line(evidence, 1 / (self.C * float(evidence.weight.sum())))
        if not evidence.is_constant and (
            evidence.separable_upwards or evidence.separable_downwards
        ):
            raise FitError(
                "a threshold separates the labels, so no slope is steep enough; name 'C', or use "
                "'platt'",
                path="params.C",
            )
        return self.line(evidence)
