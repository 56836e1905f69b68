"""Accuracy curve: how often people agree that a system with so much more score is better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Traits,
    floats,
    optional,
    param,
)
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.normalizer import Normalizer

PERCENT = 100.0
# Below a half nobody agrees, and above all nobody can: what the published tool refuses too.
LOWEST, HIGHEST = 50.0, 100.0


class Constants(NamedTuple):
    """Of a / (1 + exp(-b delta)), in percent."""

    a: float
    b: float


# Constants of the published curves: Kocmi et al., "Navigating the metrics maze", as the tool
# mt-thresholds 1.0.4 has them. All digits: four of them are off by 1.5e-4.
CURVES: Mapping[str, Constants] = {
    "bleu": Constants(88.33333333333225, 0.9663926931178954),
    "chrf": Constants(92.999999999972, 1.1142732157139852),
    "spbleu101": Constants(84.58445492823891, 1.262507595109315),
    "spbleu200": Constants(90.99999999998793, 0.8079046528617078),
    "bleurt-default": Constants(94.66666666666666, 0.4947232832741672),
    "bleurt20": Constants(98.33333333332963, 1.3727206190931929),
    "comet20": Constants(97.33333333332897, 0.7266990738678005),
    "comet22": Constants(96.22374133884283, 2.8359194570556636),
    "xcomet-xxl": Constants(98.93432477039522, 1.1629533711748128),
    "xcomet-xl": Constants(96.56738237041118, 1.4535595865214588),
    "cometkiwi-xxl": Constants(96.23167242471065, 1.2826577343149304),
    "cometkiwi23-xl-src": Constants(96.39080593943235, 1.8888877927713834),
    "cometkiwi22": Constants(98.88141616584615, 2.719280643871758),
    "comet21qe": Constants(93.7997435048193, 43.38413992717536),
    "bertscore": Constants(94.99999999999999, 2.6823162097239917),
    "metricx-23-large": Constants(93.60777624544488, 26.277850179370947),
    "metricx-23-qe-large": Constants(97.99999999782683, 15.541455989240491),
}
# As the tool spells them.
SPELLINGS = {
    "xcometxxl": "xcomet-xxl",
    "xcometxl": "xcomet-xl",
    "cometkiwixxl": "cometkiwi-xxl",
}
Metric = Literal[
    "bleu", "chrf", "spbleu101", "spbleu200", "bleurt-default", "bleurt20", "comet20", "comet22",
    "xcomet-xxl", "xcomet-xl", "cometkiwi-xxl", "cometkiwi23-xl-src", "cometkiwi22", "comet21qe",
    "bertscore", "metricx-23-large", "metricx-23-qe-large",
    "xcometxxl", "xcometxl", "cometkiwixxl",
]  # fmt: skip


class AccuracyCurve(Normalizer):
    """Tell how often people agree with a difference of scores: a / (1 + exp(-b delta)) percent.

    `deltas` are differences of two systems in the points of the metric (COMET times 100) within one
    language; the answer is the share of such pairs in which people prefer the same system.

    Notes
    -----
    The curves pool languages and hold within one language only: differences of aligned scores (z
    values) are no points, so go back to the scores first. A difference of 0 gives a / 2, and one
    below 0 less. The way back takes `accuracy_percent`, or `accuracy` as a share; below 50 % and
    above 100 % are refused, and what no difference reaches, a and more, is missing and flagged
    ``above_curve``. Missing differences are missing in their place. Ties and constants need no
    rule. Cost O(m).

    References
    ----------
    Kocmi et al., "Navigating the metrics maze: reconciling score magnitudes and accuracies", ACL
    2024; constants of ``kocmitom/MT-Thresholds``.

    Examples
    --------
    >>> from normalizers import AccuracyCurve
    >>> AccuracyCurve(metric="bleu").transform([1.0, 2.34]).round(2).tolist()
    [63.99, 80.0]
    """

    name = "accuracy_curve"
    family = "metrics"
    aliases = {"delta_to_accuracy": {}}
    kinds = ("stateless",)
    traits = Traits(monotone=True)
    takes = Fields(
        deltas=floats("m c", flat="column", help="differences in the points of the metric")
    )
    gives = Fields(
        accuracy_percent=floats("m c", flat="column", help="pairs that people order alike, in %")
    )
    inverse_takes = Fields(
        (("accuracy_percent",), ("accuracy",)),
        accuracy_percent=optional(floats("m c", flat="column", help="50 to 100")),
        accuracy=optional(floats("m c", flat="column", help="the same as a share, 0.5 to 1")),
    )
    example = Example(params={"metric": "bleu"}, input={"deltas": [1.0, 2.34]})

    metric: Metric | None = param(
        default=None,
        resolves="it must be given",
        affects="answer",
        help="whose curve: the exact name of the metric",
    )
    nan_policy: Literal["reject", "omit"] | None = param(
        default=None,
        default_value="omit",
        affects="answer",
        help="a missing difference: refused, or missing in its place",
    )

    def check(self, path: str) -> None:
        """Refuse a curve of no metric."""
        if self.metric is None:
            raise InvalidParams(
                f"say whose curve; known: {', '.join(CURVES)}", path=f"{path}.metric"
            )

    @property
    def constants(self) -> Constants:
        """The curve of the metric."""
        named = str(self.metric)
        return CURVES[SPELLINGS.get(named, named)]

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the share of pairs that people order alike."""
        a, b = self.constants
        with np.errstate(over="ignore"):
            # Beyond the largest exponent the share is 0, as it should be.
            answer = Answer({"accuracy_percent": a / (1 + np.exp(-b * batch.array("deltas")))})
        return replace(answer, explain={"a": a, "b": b}) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the difference that has this accuracy; missing where none has."""
        a, b = self.constants
        if "accuracy" in batch:
            percent, field = batch.array("accuracy") * PERCENT, "accuracy"
        else:
            percent, field = batch.array("accuracy_percent"), "accuracy_percent"
        wrong = (percent < LOWEST) | (percent > HIGHEST)
        if wrong.any():
            row = int(np.argmax(wrong.any(axis=1)))
            unit = PERCENT if field == "accuracy" else 1.0
            raise InvalidInput(
                f"an accuracy is {LOWEST / unit:g} to {HIGHEST / unit:g}",
                path=f"input.{field}[{row}]",
            )
        above = percent >= a
        ratio = a / np.where(above, np.nan, percent) - 1
        answer = Answer({"deltas": -np.log(ratio) / b})
        return answer.flagged("above_curve", np.flatnonzero(above.any(axis=1)))
