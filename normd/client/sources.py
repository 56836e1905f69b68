"""What a normalizer is made of: parameters, and data, statistics or weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from normd.client.fields import names_of, plain, written
from normd.client.methods import Method, main_of


@dataclass(frozen=True)
class Source:
    """Parameters, and at most one of data, statistics and weights."""

    params: Mapping[str, object] | None = None
    fit: object = None
    statistics: Mapping[str, object] | None = None
    weights: Mapping[str, object] | None = None

    @property
    def is_given(self) -> bool:
        """Whether there is any."""
        return any(
            part is not None for part in (self.params, self.fit, self.statistics, self.weights)
        )

    def members(self, method: Method) -> dict[str, object]:
        """Return the members of a body; data that are no mapping are the main field."""
        found: dict[str, object] = {}
        if self.params is not None:
            found["params"] = plain(self.params, "params")
        if self.fit is not None:
            found["fit"] = written(named_fit(self.fit, method), "fit")
        if self.statistics is not None:
            found["statistics"] = written(self.statistics, "statistics")
        if self.weights is not None:
            found["weights"] = written(self.weights, "weights")
        return found


def named_fit(fit: object, method: Method) -> Mapping[str, object]:
    """Return the data of a fit by field."""
    if isinstance(fit, Mapping):
        return fit
    return {main_of(method.fits, method.name): fit, **names_of(fit, method.fits)}
