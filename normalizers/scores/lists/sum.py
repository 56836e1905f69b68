"""Sum: each score's share of the sum of its list."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from normalizers.contract import Answer, Example
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.kernels import list_scales, segments
from normalizers.kernels.list_scales import Scaled
from normalizers.scores.lists.base.constant_rule import ConstantRule
from normalizers.scores.lists.base.self_scaled import OwnListScale


class Sum(ConstantRule, OwnListScale):
    """Give each score its share of the sum of its list, counted from the smallest score.

    ``value = (score - lowest) / sum(score - lowest)``, so that the values of a list add up to 1.
    Where lower scores are better all scores change their sign first.

    Notes
    -----
    Missing scores follow `nan_policy`: refused with their position, or left out of the sum and
    missing in their place. Ties keep equal values. A list without spread (maximum = minimum,
    exactly) gives `constant_value` (1.0) and is flagged ``constant``. Values fall with the length
    of a list. The answer carries the smallest score as ``loc`` and the sum as ``scale``, which
    the inverse takes. Cost O(N).

    References
    ----------
    Montague and Aslam, "Relevance score normalization for metasearch", CIKM 2001.

    Examples
    --------
    >>> from normalizers import Sum
    >>> Sum().transform([5.0, 3.0, 1.0]).round(4).tolist()
    [0.6667, 0.3333, 0.0]
    """

    name = "sum"
    presets = {"ranx": {"constant_value": 0.0}}
    standard_constant = 1.0
    example = Example(input={"scores": [[12.7, 9.3, 0.4], [3.0], []]})

    def scale_lists(self, scores: Ragged) -> Scaled:
        """Return the shares of the sums."""
        return list_scales.shares_of_sum(scores)

    def on_zero_scale(self, answer: Answer, scores: Ragged, flat: Array) -> Answer:
        """Return the answer with what lists without spread give."""
        values = np.array(cast(Ragged, answer.canonical("values")).values)
        values[flat] = self.of_constant(scores.values[flat], values[flat])
        output = {**answer.output, "values": scores.with_values(values)}
        constant = segments.counts(scores, flat) > 0
        return self.flag_lists(replace(answer, output=output), constant=constant)
