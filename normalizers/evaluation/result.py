"""What one measure says of one treatment, and beside a baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from normalizers.data.arrays import Array
from normalizers.measures.bootstrap import CONFIDENCE, Interval

Tree = dict[str, object]


@dataclass(frozen=True)
class Comparison:
    """A treatment beside the baseline.

    Parameters
    ----------
    baseline : str or int or None
        Name or place of the run; None for other scores of the same rows.
    value : float
        The baseline's.
    difference : float
        The treatment's value minus the baseline's.
    interval : Interval
        Of the difference, over resamples of the queries that both share.
    p : float
        How often resamples differ the other way, from both sides.
    confidence : float
        That of the interval.
    p_holm : float
        The same after Holm's correction for all differences of the request.
    """

    baseline: str | int | None
    value: float
    difference: float
    interval: Interval
    p: float = np.nan
    confidence: float = CONFIDENCE
    p_holm: float = np.nan

    @property
    def differs(self) -> bool:
        """Whether the difference stands beside all others of the request."""
        return self.p_holm < 1 - self.confidence

    def as_dict(self) -> Tree:
        """Return the comparison as it stands in an answer."""
        return {
            "run": self.baseline,
            "value": number(self.value),
            "difference": number(self.difference),
            "interval": _ends(self.interval),
            "p": number(self.p),
            "p_holm": number(self.p_holm),
            "differs": bool(self.differs),
        }


@dataclass(frozen=True)
class Result:
    """One value with what belongs to it; NaN is undefined.

    Parameters
    ----------
    measure : str
        As the request may write it: ``ndcg@10``.
    params : mapping
        Every parameter as it was used.
    run : str or int or None
        Name or place of the run; None for scores with labels.
    value : float
    higher_is_better : bool
    n : int
        Queries (or rows) with a value.
    undefined : int
        Queries without one.
    reason : str
        Why there may be no value.
    by_unit : array of shape (q,) or None
        One value a query.
    base : float or None
        What a guess that knows the share of positives reaches.
    details : mapping
        A table beside the value; empty where the measure has none.
    interval : Interval or None
        Of the value, where resamples were asked for.
    comparison : Comparison or None
    """

    measure: str
    params: Mapping[str, object]
    run: str | int | None
    value: float
    higher_is_better: bool
    n: int
    undefined: int
    reason: str
    by_unit: Array | None = None
    base: float | None = None
    details: Mapping[str, object] = field(default_factory=dict)
    interval: Interval | None = None
    comparison: Comparison | None = None

    def as_dict(self, *, per_query: bool) -> Tree:
        """Return the result as it stands in an answer."""
        tree: Tree = {"measure": self.measure, "params": dict(self.params)}
        if self.run is not None:
            tree["run"] = self.run
        tree |= {
            "value": number(self.value),
            "higher_is_better": self.higher_is_better,
            "n": self.n,
            "undefined": self.undefined,
        }
        if np.isnan(self.value):
            tree["reason"] = self.reason
        return tree | self._beside(per_query=per_query)

    def _beside(self, *, per_query: bool) -> Tree:
        parts: Tree = {}
        if self.base is not None:
            parts["base_value"] = number(self.base)
        if self.details:
            parts["details"] = dict(self.details)
        if self.interval is not None:
            parts["interval"] = _ends(self.interval)
        if self.comparison is not None:
            parts["baseline"] = self.comparison.as_dict()
        if per_query and self.by_unit is not None:
            parts["per_query"] = self.by_unit
        return parts


def number(value: float) -> float | None:
    """Return a value as JSON writes it: undefined is null."""
    return None if np.isnan(value) else float(value)


def _ends(interval: Interval) -> Tree:
    return {"lower": number(interval.lower), "upper": number(interval.upper)}
