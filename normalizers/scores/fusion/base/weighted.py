"""What every fusion with weights of its runs shares."""

from __future__ import annotations

import math
from collections.abc import Sequence

from normalizers.contract import param
from normalizers.data.arrays import Array
from normalizers.scores.fusion.base.fusion import Fusion
from normalizers.scores.fusion.runs.run import Run
from normalizers.scores.fusion.runs.weights import Weights, check_weights, weights_of


class WeightedFusion(Fusion):
    """Base of the fusions with weights: as given, by place or by name; 1 each without any."""

    weights: Weights | None = param(
        default=None,
        resolves="1 for each run",
        affects="answer",
        help="weight of each run, by place or by name",
    )
    normalize_weights: bool | None = param(
        default=None, default_value=False, affects="answer", help="divide the weights by their sum"
    )
    drop_zero_weight: bool | None = param(
        default=None,
        default_value=False,
        affects="answer",
        help="leave out documents that only runs of weight 0 found",
    )

    @property
    def drops_zero_weight(self) -> bool:
        """Whether documents that only runs of weight 0 found are left out."""
        return bool(self.drop_zero_weight)

    def check(self, path: str) -> None:
        """Refuse weights that are all 0."""
        check_weights(self.weights, path)

    def default_weight(self, runs: int) -> float:
        """Return the weight of each of so many runs when none is given."""
        return 1.0

    def run_weights(self, runs: Sequence[Run]) -> Array:
        """Return the weights as given, or divided by their sum."""
        weights = weights_of(self.weights, runs, default=self.default_weight(len(runs)))
        # fsum: the order in which the runs were sent changes no weight.
        return weights / math.fsum(weights) if self.normalize_weights else weights
