"""K23: an optional statistic that stays empty is left out everywhere."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Batch, Fitted, Statistics, Traits, floats, param
from normalizers.contract.fields import Fields
from normalizers.normalizer import Normalizer
from normalizers.statistics import Extrema, Moments
from normalizers.versions import fitting


class Ranged(Normalizer):
    """Keeps a range where it is asked for."""

    name = "ranged"
    family = "series"
    kinds = ("fitted",)
    traits = Traits()
    fits = Fields(x=floats("n c", flat="column"))
    keeps = {"moments": Moments(), "extrema": Extrema()}
    optional_statistics = frozenset({"extrema"})

    with_range: bool | None = param(default=None, default_value=False, affects="answer", help="it")

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add rows."""
        x = batch.array("x")
        ends = statistics["extrema"].update(x) if self.with_range else statistics["extrema"]
        return statistics.replace(moments=statistics["moments"].update(x), extrema=ends)

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the mean."""
        return Fitted({"mean": statistics["moments"].mean}, {"c": 1})  # type: ignore[attr-defined]


def test_k23_an_optional_statistic_that_stays_empty_is_left_out_everywhere() -> None:
    x = np.array([1.0, 3.0])
    for made, kept in ((Ranged(), {"moments"}), (Ranged(with_range=True), {"moments", "extrema"})):
        method = made.validated()
        version = fitting.fit(method, {"x": x})
        assert set(version.statistics) == kept
        assert set(version.report["statistics"]) == kept
        part = fitting.partial(method, fitting.read_fit(method, {"x": x}), {})
        assert set(part) == kept
        assert set(version.statistics.merge(part)) == kept
    empty = {"moments": version.statistics["moments"].to_json(), "extrema": {}}
    assert set(fitting.from_statistics(Ranged(), empty).statistics) == {"moments"}
