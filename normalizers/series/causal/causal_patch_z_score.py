"""Z-scores by patches: all steps of a patch with mean and deviation of everything up to its end."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.bases.carried_arrays import CarriedArray
from normalizers.contract import Example, param, unwrap
from normalizers.data.arrays import Array
from normalizers.kernels.expanding import expanding_moments
from normalizers.kernels.step_moments import StepMoments
from normalizers.series.base.causal_scaling import CausalZScore
from normalizers.series.base.expanding import MOMENTS, check_ends
from normalizers.series.base.steps import Steps


class CausalPatchZScore(CausalZScore):
    """Standardize patches of steps with everything up to their end: ``y = (x - mean) / std``.

    Notes
    -----
    Not strictly causal: a step sees up to ``patch - 1`` later steps, those of its own patch, as
    the transformer does that reads the patch at once. Patches are counted from the first step of
    the series. Cut at their ends, chunks give the same bits as one request; the steps of a patch
    that is cut are answered with what there is of it.

    The state is that of `expanding_z_score`. Ties need no rule. Cost O(N).

    References
    ----------
    DataDog/toto (Apache-2.0), ``CausalPatchStdMeanScaler``; google-research/timesfm (Apache-2.0),
    whose running statistics of patches are these.

    Examples
    --------
    >>> from normalizers import CausalPatchZScore
    >>> CausalPatchZScore(patch=2).transform([1.0, 3.0, 2.0, 6.0]).round(4).tolist()
    [-1.0, 1.0, -0.5345, 1.6036]
    """

    name = "causal_patch_z_score"
    aliases = {}
    presets = {
        "toto": {"ddof": 1, "ddof_floor": 1, "eps": 0.1, "eps_mode": "add_var"},
        "timesfm": {"eps": 1e-6, "eps_mode": "below_to_one"},
    }
    shaping = ("patch",)
    include_current = None  # a patch contains its steps
    example = Example(params={"patch": 3}, input={"x": [11.1, 1.9, 7.8, 5.9, 6.1, 3.0]})

    patch: int | None = param(
        default=None, default_value=32, affects="answer", ge=1, help="steps in a patch"
    )

    @property
    def carries(self) -> Mapping[str, CarriedArray]:
        """The moments of all steps, and their ends."""
        return MOMENTS

    def check_carried(self, arrays: Mapping[str, Array]) -> None:
        """Refuse ends that contradict each other."""
        check_ends(arrays)

    def moments(self, steps: Steps) -> tuple[StepMoments, Mapping[str, Array]]:
        """Return the statistics at the end of the patch of each step."""
        found, after = expanding_moments(steps.lists, steps.before)
        patch, count = unwrap(self.patch), steps.values.shape[1]
        places = np.arange(steps.start, steps.start + count)
        ends = np.minimum((places // patch + 1) * patch, steps.start + count) - 1 - steps.start
        return StepMoments(*(part[:, ends] for part in found)), after
