"""What every score fusion shares: normalized scores of the runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Literal, Self, TypeAlias, cast

import numpy as np

from normalizers.contract import Batch, Fields, Notice, Options, Statistics, optional, param
from normalizers.contract.fields import method
from normalizers.data.arrays import Array
from normalizers.data.batch import MethodReference
from normalizers.errors import InvalidParams
from normalizers.kernels import segments
from normalizers.scores.fusion.base.fusion import Fusion
from normalizers.scores.fusion.base.normalizer_parameter import NORMALIZER, NormalizerParameter
from normalizers.scores.fusion.runs.pool import Pool, Share
from normalizers.scores.fusion.runs.pooled import PooledNormalizer
from normalizers.scores.fusion.runs.read_runs import read_runs
from normalizers.scores.fusion.runs.run import ReadRules, Run, runs_field
from normalizers.scores.fusion.runs.run_normalizer import RunNormalizer, read_normalizer
from normalizers.scores.fusion.runs.scale_warnings import scale_warnings

NanPolicy: TypeAlias = Literal["reject", "omit", "last"]
STANDARD_NORMALIZER = "min_max"


class ScoreFusion(NormalizerParameter, Fusion):
    """Base of the fusions of normalized scores.

    Notes
    -----
    Missing scores follow `nan_policy`. Lists without spread give their normalizer's constant and
    the warning ``constant_list``. An id twice in a list counts at its best place. Sums are exactly
    rounded: the order of the runs changes no bit, equal contributions tie exactly, and ties are
    ordered by id ascending. Cost O(N log N) for N hits in all.

    Attributes
    ----------
    standard_normalizer : str
        What normalizes the runs when nothing is named.
    """

    standard_normalizer: ClassVar[str] = STANDARD_NORMALIZER

    higher_is_better: bool | None = param(
        default=None,
        resolves="what the normalizer was given, else true",
        affects="answer",
        help="direction of the scores of runs that do not say theirs",
    )
    nan_policy: NanPolicy | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="a missing or infinite score: refused, its hit dropped, or put last without a score",
    )

    @property
    def takes(self) -> Fields:
        """The runs, each with a normalizer of its own if need be."""
        runs = runs_field()
        own = optional(method(help="normalizer of this run, in place of that of all runs"))
        members = cast(Fields, runs.members).with_fields(normalizer=own)
        return Fields(runs=replace(runs, members=members))

    def check(self, path: str) -> None:
        """Refuse a direction other than the one that the normalizer was given."""
        if self.normalizer is None or self.higher_is_better is None:
            return
        direction = self.normalizer_of_all.direction
        if direction not in (None, self.higher_is_better):
            raise InvalidParams(
                "the normalizer was given the other direction", path=f"{path}.higher_is_better"
            )

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Take the direction that the normalizer was given."""
        direction = self.normalizer_of_all.direction
        decided = super().defaults(statistics)
        return {**decided, "higher_is_better": True if direction is None else direction}

    def resolved(
        self, statistics: Statistics | None, settled: Mapping[str, object] | None = None
    ) -> Self:
        """Return a copy whose normalizer is resolved too, but for the direction of the runs."""
        used = self.normalizer_of_all.resolved
        return super().resolved(statistics, settled).with_values({NORMALIZER: used})

    @property
    def normalizer_of_all(self) -> RunNormalizer:
        """The normalizer of the runs that have none of their own."""
        written = self.standard_normalizer if self.normalizer is None else self.normalizer
        return read_normalizer(written, f"params.{NORMALIZER}")

    def rules(self, options: Options) -> ReadRules:
        """Return how the lists of a run are read: their scores decide."""
        return replace(super().rules(options), nan_policy=self.nan_policy or "reject")

    def read(self, batch: Batch, options: Options) -> tuple[list[Run], list[Notice]]:
        """Return the runs and what was noticed about them."""
        directions = [own.direction if own else None for own in own_normalizers(batch)]
        return read_runs(batch, self.rules(options), directions=directions)

    def shares(self, pool: Pool, batch: Batch) -> tuple[list[Share], list[Notice]]:
        """Return the normalized scores of each run."""
        of_all = self.normalizer_of_all
        used = [own or of_all for own in own_normalizers(batch)]
        shares, notices = [], []
        for index, (run, normalizer) in enumerate(zip(pool.runs, used, strict=True)):
            if isinstance(normalizer.resolved_method, PooledNormalizer):
                values, absent = normalizer.resolved_method.normalize_in_pool(run, pool.totals)
                shares.append(Share(values, values, absent))
                continue
            values, noticed = self.normalized(normalizer, run, f"input.runs[{index}]")
            shares.append(Share(values, values, self.absent(run, values, normalizer)))
            notices += noticed
        return shares, [*notices, *scale_warnings(pool, used)]

    def normalized(
        self, normalizer: RunNormalizer, run: Run, path: str
    ) -> tuple[Array, list[Notice]]:
        """Return the normalized score of each hit of a run, and what was noticed."""
        return normalizer.apply(run, path)

    def absent(self, run: Run, values: Array, normalizer: RunNormalizer) -> Array | None:
        """Return by query what a run gives every document that it lacks; None for nothing."""
        return None


def own_normalizers(batch: Batch) -> Sequence[RunNormalizer | None]:
    """Return by run the normalizer that it names, None for those that name none."""
    return [
        read_normalizer(named.written, f"input.runs[{index}].{NORMALIZER}")
        if isinstance(named := record.get(NORMALIZER), MethodReference)
        else None
        for index, record in enumerate(batch.records("runs"))
    ]


def lowest(run: Run, values: Array) -> Array:
    """Return by query the lowest normalized value of a run's list, NaN without any."""
    return segments.minima(run.lists.with_values(values), ~np.isnan(values))
