"""A measure of every treatment, each beside the baseline by the same resamples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.evaluation.baseline import Parts
from normalizers.evaluation.measuring import Measured, measured
from normalizers.evaluation.result import Comparison, Result
from normalizers.measures.bootstrap import Bootstrap, interval
from normalizers.measures.significance import holm, p_value
from normalizers.measures.table import MeasureSpec


@dataclass(frozen=True)
class BaselineComparison:
    """The baseline by one measure.

    Parameters
    ----------
    one : Measured
        Its value.
    values : array of shape (samples,)
        The same on every resample.
    """

    one: Measured
    values: Array

    def compared(
        self, other: Measured, value: float, values: Array, bootstrap: Bootstrap
    ) -> Comparison:
        """Return how a treatment differs from the baseline."""
        own = self.one.value
        differences = values - self.values
        return Comparison(
            self.one.treatment.name,
            own,
            value - own,
            interval(differences, bootstrap.confidence),
            p_value(differences, _shared_units(self.one, other)),
            bootstrap.confidence,
        )


def corrected(found: Sequence[Result]) -> list[Result]:
    """Return results whose differences are told beside all others among them."""
    compared = [one.comparison for one in found if one.comparison is not None]
    left = iter(holm([one.p for one in compared]))
    return [
        one
        if one.comparison is None
        else replace(one, comparison=replace(one.comparison, p_holm=next(left)))
        for one in found
    ]


def results(
    asked: MeasureSpec, parts: Parts, bootstrap: Bootstrap | None
) -> Iterator[tuple[Result, Measured]]:
    """Yield what a measure says of every treatment, and what that was computed from.

    Parameters
    ----------
    asked : Asked
        The measure.
    parts : Parts
        The treatments, their training part and the baseline.
    bootstrap : Bootstrap or None
        How resamples are drawn; None draws the standard ones for differences alone.
    """
    drawn = bootstrap or Bootstrap()
    with _named(asked):
        beside = _beside(asked, parts, drawn)
    for treatment in parts.evidence.treatments:
        one = measured(asked, treatment, parts.learnt_from(treatment))
        other = None if treatment is parts.baseline else beside
        with _named(asked):
            result = _result(one)
            if bootstrap is not None or other is not None:
                values = one.resampled(drawn)
                ends = None if bootstrap is None else interval(values, drawn.confidence)
                comparison = (
                    None if other is None else other.compared(one, result.value, values, drawn)
                )
                result = replace(result, interval=ends, comparison=comparison)
        yield result, one


@contextmanager
def _named(asked: MeasureSpec) -> Iterator[None]:
    """Say which measure refused its parameters: it does not know its place in the request."""
    try:
        yield
    except InvalidParams as error:
        if error.path:
            raise
        raise InvalidParams(error.message, path=asked.path) from None


def _beside(asked: MeasureSpec, parts: Parts, bootstrap: Bootstrap) -> BaselineComparison | None:
    if parts.baseline is None:
        return None
    one = measured(asked, parts.baseline, parts.learnt_from(parts.baseline))
    return BaselineComparison(one, one.resampled(bootstrap))


def _shared_units(one: Measured, other: Measured) -> int:
    """Return how many units both have a value for."""
    values, others = one.by_unit, other.by_unit
    if values is None or others is None:
        return len(one.evidence)
    return int(np.count_nonzero(~(np.isnan(values) | np.isnan(others))))


def _result(one: Measured) -> Result:
    values, measure = one.by_unit, one.asked.measure
    undefined = 0 if values is None else int(np.isnan(values).sum())
    return Result(
        one.asked.label,
        one.shown_params,
        one.treatment.name,
        one.value,
        measure.higher_is_better,
        one.rows - undefined,
        undefined,
        measure.undefined,
        values,
        one.base,
        one.details,
    )
