"""Group min-max: scores of every group within that group's own range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, cast

import numpy as np

from normalizers.bases.group_moments import GroupSpreads
from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistic,
    Statistics,
    Traits,
    param,
    unwrap,
)
from normalizers.contract.resolution import empty_statistics
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.kernels.loc_scale import LocScale
from normalizers.metrics.base.group_affine import AffineGroupNormalizer
from normalizers.metrics.base.group_tables import range_spreads
from normalizers.statistics import Extrema, Grouped

ENDS = 2


class GroupMinMax(AffineGroupNormalizer):
    """Map every group's range onto one interval: y = a + (b - a) (x - min_g) / (max_g - min_g).

    Two scores of a group decide everything, so that this is the weakest alignment: it is here for
    compatibility, and `group_z_score` aligns better. With `scope` ``request`` the ends are those
    of the rows of each request.

    Notes
    -----
    Missing scores are left out and missing in their place. Rows beyond the range of their group
    are flagged ``out_of_range`` and go beyond the interval, or with `clip` become its end, flagged
    ``clipped`` too. A group without spread keeps its location, y = a + x - min_g, flagged
    ``constant``; `on_constant` ``value`` gives the lower end of the interval, or `constant_value`.
    Groups with fewer than two scores are refused unless `on_few` says otherwise. Ties stay ties.
    Cost O(n log n) for a fit, O(m) for a transform.

    See Also
    --------
    GroupZScore : By mean and deviation.

    References
    ----------
    The formula is that of ``sklearn.preprocessing.MinMaxScaler`` by group.

    Examples
    --------
    >>> from normalizers import GroupMinMax
    >>> fitted = GroupMinMax().fit([1.0, 3.0, 50.0, 70.0], groups=["fr", "fr", "si", "si"])
    >>> fitted.transform([2.0, 80.0], groups=["fr", "si"]).tolist()
    [0.5, 1.5]
    """

    name = "group_min_max"
    kinds = ("fitted", "stateless")
    aliases = {"group_minmax": {}}
    presets = {"per_series": {"on_few": "scale_one"}}
    words = ("lowest", "width")
    examples = (
        Example(
            fit={"x": [86.5, 80.4, 74.5, 92.5, 89.3, 85.9], "groups": ["fr"] * 3 + ["si"] * 3},
            input={"x": [80.4, 89.3], "groups": ["fr", "si"]},
        ),
        Example(
            {"scope": "request"},
            input={"x": [86.5, 80.4, 74.5, 92.5, 89.3], "groups": ["fr"] * 3 + ["si"] * 2},
            name="request",
        ),
    )

    scope: Literal["fitted", "request"] | None = param(
        default=None,
        default_value="fitted",
        affects="statistics",
        fits_when=lambda scope: scope != "request",
        help="whose range: that of the fit, or of the rows of each request",
    )
    range: list[float] | None = param(
        default=None,
        resolves="[0, 1]",
        min_length=ENDS,
        max_length=ENDS,
        affects="solution",
        help="the interval that the range is mapped to",
    )
    clip: bool | None = param(
        default=None, default_value=False, affects="answer", help="clamp to the interval"
    )

    @property
    def traits(self) -> Traits:  # type: ignore[override]
        """Rows of a request decide for each other where the range is theirs."""
        return replace(AffineGroupNormalizer.traits, batch_invariant=self.scope != "request")

    @property
    def inverse_takes(self) -> Fields:  # type: ignore[override]
        """Nothing leads back from what was clamped, nor without a fit."""
        lost = self.clip or self.scope == "request"
        return NO_FIELDS if lost else AffineGroupNormalizer.inverse_takes

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The range of each group."""
        return {"extrema": Grouped(Extrema(), self.group_names)}

    def check(self, path: str) -> None:
        """Refuse an interval whose ends do not ascend."""
        if self.range is not None and not self.range[0] < self.range[1]:
            raise InvalidParams("the ends of an interval ascend", path=f"{path}.range")

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Decide the interval, and what a group without spread gives: its lower end."""
        decided = super().defaults(statistics)
        interval = self.range or [0.0, 1.0]
        if self.on_constant == "value" and self.constant_value is None:
            decided["constant_value"] = interval[0]
        if self.scope == "request" and self.on_few is None:
            # A group of one is no mistake of the request that is its own reference.
            decided["on_few"] = "scale_one"
        return {**decided, "range": interval}

    def spreads(self, statistics: Statistics) -> GroupSpreads:
        """Return the smallest score of every group, and the width of its range."""
        table = range_spreads(cast("Grouped[Extrema]", statistics["extrema"]))
        if self.scope != "request":
            return table
        # Where all scores of a group are missing there is nothing to place.
        return table._replace(loc=np.nan_to_num(table.loc))

    def onto(
        self, statistics: Statistics, table: GroupSpreads, scales: LocScale
    ) -> tuple[LocScale, Array | None]:
        """Return scales onto the interval, and its lower end."""
        lower, upper = unwrap(self.range)
        flat = table.constant | np.isnan(table.spread)
        width = np.where(flat, 1.0, upper - lower)
        shift = np.full(scales.loc.shape, lower)
        return LocScale(scales.loc, scales.scale / width, scales.fixed), shift

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return scores within the interval."""
        if self.scope == "request":
            if not len(batch.array("x")):
                return Answer({"y": batch.array("x")})
            fitted = self.solve(self.accumulate(empty_statistics(self), batch))
        answer = super().apply(fitted, batch, options)
        if not self.clip:
            return answer
        y = cast(Array, answer.output["y"])
        lower, upper = unwrap(self.range)
        clipped = replace(answer, output={"y": np.clip(y, lower, upper)})
        beyond = np.asarray(((y < lower) | (y > upper)).any(axis=1))
        return clipped.flagged("clipped", np.flatnonzero(beyond))
