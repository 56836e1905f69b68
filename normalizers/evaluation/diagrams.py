"""Threshold curves and reliability diagrams, as answers hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, cast

from pydantic import Field

from normalizers.errors import InvalidParams
from normalizers.evaluation.result import Tree, number
from normalizers.evaluation.table import measurable
from normalizers.evaluation.treatment import Treatment
from normalizers.measures.labelled import Labelled, best_threshold, f1
from normalizers.measures.measure import Parameters
from normalizers.measures.reliability import Bins, reliability
from normalizers.measures.table import read_parameters
from normalizers.measures.threshold_curve import MOST_POINTS, POINTS, threshold_curve

P = TypeVar("P", bound=Parameters)


class Points(Parameters):
    """How finely a threshold curve is drawn."""

    points: int = Field(
        default=POINTS, ge=2, le=MOST_POINTS, description="thresholds that are shown at most"
    )


def read_diagram(kind: type[P], sent: object, path: str) -> P | None:
    """Return what a diagram is drawn with: true for the standard, false or null for none."""
    if sent is None or sent is False:
        return None
    if sent is True:
        return kind()
    if not isinstance(sent, Mapping):
        raise InvalidParams("true, or an object of parameters, is expected here", path=path)
    return read_parameters(kind, sent, path)


def curve_tree(treatment: Treatment, points: Points) -> Tree:
    """Return precision, recall and F1 by threshold, all queries together."""
    labelled = cast(Labelled, measurable(treatment, "scores", "a threshold curve"))
    curve = threshold_curve(labelled, points.points)
    best = best_threshold(labelled)
    sign = 1.0 if treatment.higher_is_better else -1.0
    chosen = None if best is None else {"threshold": sign * best, "f1": f1(labelled, best)}
    return {
        **_run(treatment),
        "best": chosen,
        **curve._asdict(),
        "threshold": sign * curve.threshold,
    }


def reliability_tree(treatment: Treatment, bins: Bins) -> Tree:
    """Return predicted and observed shares by bins of probability."""
    labelled = cast(Labelled, measurable(treatment, "probabilities", "a reliability diagram"))
    return {
        **_run(treatment),
        "base_rate": number(labelled.base_rate),
        **reliability(labelled, bins.bins, bins.binning)._asdict(),
    }


def _run(treatment: Treatment) -> Tree:
    return {} if treatment.name is None else {"run": treatment.name}
