"""One measure of one treatment: its value, and what it might have been with other queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from normalizers.data.arrays import Array
from normalizers.evaluation.table import measurable
from normalizers.evaluation.treatment import Treatment
from normalizers.measures.bootstrap import (
    Bootstrap,
    Resamples,
    resampled_at_once,
    resampled_means,
    resampled_pooled,
)
from normalizers.measures.table import MeasureSpec


@dataclass(frozen=True)
class Measured:
    """A measure with the evidence and the parameters it was computed from.

    Parameters
    ----------
    asked : Asked
    treatment : Treatment
    evidence : Resamples
        What it is a function of.
    params : mapping
        By the sign of the evidence.
    in_sample : bool
        Whether a parameter was chosen on the evidence it is measured on.
    rate : float
        Share of positives that a guess would know; NaN for rankings.
    """

    asked: MeasureSpec
    treatment: Treatment
    evidence: Resamples
    params: Mapping[str, object]
    in_sample: bool
    rate: float

    @property
    def by_unit(self) -> Array | None:
        """One value a query, NaN where undefined; None for a measure of all rows together."""
        if not self.asked.measure.by_unit:
            return None
        return np.asarray(self.asked.measure.function(self.evidence, **self.params))

    @property
    def value(self) -> float:
        """The value, the mean where there is one a query; NaN where undefined."""
        values = self.by_unit
        if values is None:
            return self._pooled(self.evidence)
        known = values[~np.isnan(values)]
        return float(known.mean()) if len(known) else np.nan

    @property
    def rows(self) -> int:
        """Number of queries, or of rows for a measure of all together."""
        return len(self.evidence) if self.asked.measure.by_unit else self.evidence.rows

    @property
    def base(self) -> float | None:
        """What a guess reaches that knows the share of positives only; of hubs, random lists."""
        guess = self.asked.measure.base
        return None if guess is None else float(guess(self.evidence, self.rate, **self.params))

    @property
    def shown_params(self) -> Mapping[str, object]:
        """Parameters as the request writes them."""
        return self.treatment.signed(self.params)

    def resampled(self, bootstrap: Bootstrap) -> Array:
        """Return the value on every resample, shape (samples,)."""
        values = self.by_unit
        if values is not None:
            return resampled_means(values, bootstrap)
        at_once = self._resampled_at_once(bootstrap)
        if at_once is not None:
            return at_once
        return resampled_pooled(
            self._pooled, self.evidence, bootstrap, work=self.asked.measure.work
        )

    @property
    def details(self) -> Mapping[str, object]:
        """The table beside the value, empty where there is none."""
        tabled = self.asked.measure.details
        return {} if tabled is None else tabled(self.evidence, **self.params)

    def _resampled_at_once(self, bootstrap: Bootstrap) -> Array | None:
        resample = self.asked.measure.resample
        if resample is None:
            return None
        return resampled_at_once(
            lambda counts: resample(self.evidence, counts, **self.params),
            len(self.evidence),
            bootstrap,
        )

    def _pooled(self, evidence: Resamples) -> float:
        return float(self.asked.measure.function(evidence, **self.params))


def measured(asked: MeasureSpec, treatment: Treatment, training: Treatment | None) -> Measured:
    """Return a measure of a treatment; what is not given is chosen on its training part.

    Raises
    ------
    InvalidInput
        When the treatment is not what the measure needs.
    """
    measure = asked.measure
    evidence = measurable(treatment, measure.needs, asked.label)
    params = treatment.signed(asked.given)
    missing = [name for name, value in params.items() if value is None]
    part = training or treatment
    chosen = measure.choose is not None and bool(missing)
    if measure.choose is not None and missing:
        params |= measure.choose(measurable(part, measure.needs, asked.label))
    in_sample = chosen and training is None
    return Measured(asked, treatment, evidence, params, in_sample, part.base_rate)
