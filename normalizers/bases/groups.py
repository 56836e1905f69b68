"""What the methods share that keep one row of statistics for each group of scores."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from normalizers.bases.group_labels import UnknownGroup, group_of_rows
from normalizers.bases.grouped_fit import GroupedFit
from normalizers.contract.fields import Fields, floats, labels
from normalizers.contract.fitted import Fitted
from normalizers.contract.lazy_report import LazyReport
from normalizers.contract.method import Kind
from normalizers.contract.parameters import param
from normalizers.contract.tolerance import ELEMENTWISE
from normalizers.contract.traits import Traits
from normalizers.data.arrays import Array
from normalizers.data.batch import Batch
from normalizers.data.labels import Labels

ReferenceKind: TypeAlias = Literal["anchors", "self", "pooled", "human"]


class GroupNormalizer(GroupedFit):
    """Base of the methods that align the scores of groups: languages, annotators, instances.

    Their fitted arrays hold ``keys (g, j)``, the labels of each group in code point order.
    """

    family = "metrics"
    kinds: ClassVar[tuple[Kind, ...]] = ("fitted",)
    fits = Fields(
        x=floats("n c", flat="column", help="scores of the anchors"),
        groups=labels("n j", help="the group of each row, one label or several"),
    )
    traits = Traits(tolerance=ELEMENTWISE)  # beside another group's numbers a group's may be tiny
    takes = Fields(
        x=floats("m c", flat="column", help="scores"),
        groups=labels("m j", help="the group of each row, one label or several"),
    )
    gives = Fields(y=floats("m c", flat="column", help="aligned scores"))
    inverse_takes = Fields(
        y=floats("m c", flat="column", help="aligned scores"),
        groups=labels("m j", help="the group of each row"),
    )

    unknown_group: UnknownGroup | None = param(
        default=None,
        default_value="error",
        affects="solution",
        help="a group the fit does not know: refused, statistics of all rows, medians over the "
        "groups, or passed through",
    )
    reference_kind: ReferenceKind | None = param(
        default=None,
        default_value="anchors",
        affects="statistics",
        help="what the fit's rows are; repeated in every answer",
    )
    higher_is_better: bool | None = param(
        default=None, default_value=True, affects="statistics", help="direction of the scores"
    )
    metric: str | None = param(
        default=None,
        min_length=1,
        affects="statistics",
        help="the exact model whose scores these are: another one's are no part of this fit",
    )
    anchor_set: str | None = param(
        default=None,
        min_length=1,
        affects="statistics",
        help="what the anchors are called; a fit that comes with the package names its own",
    )
    flip: bool | None = param(
        default=None,
        default_value=False,
        affects="answer",
        help="turn the sign of scores where lower ones are better",
    )
    nan_policy: Literal["reject", "omit", "propagate"] | None = param(
        default=None,
        default_value="omit",
        affects="answer",
        help="a missing score: out of the statistics and missing in its place, or refused",
    )
    inf_policy: Literal["as_nan", "reject"] | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="an infinite score: refused, or as a missing one",
    )

    @property
    def sign(self) -> float:
        """-1 where answers turn the direction of the scores."""
        return -1.0 if self.flip and not self.higher_is_better else 1.0

    @property
    def group_names(self) -> tuple[str, ...] | None:
        """Names of the labels, None while they are not known."""
        return None if self.group_by is None else tuple(self.group_by)

    @property
    def provenance(self) -> dict[str, object]:
        """What a fit report says of the metric and the anchors, where they are known."""
        told = {"metric": self.metric, "anchor_set": self.anchor_set}
        if self.anchor_set in self.shipped:
            told["attribution"] = self.shipped[str(self.anchor_set)].attribution
        return {name: value for name, value in told.items() if value is not None}

    def report(self, batch: Batch, fitted: Fitted) -> Mapping[str, object]:
        """Return how many scores of each group are missing."""
        missing, groups = np.isnan(batch.array("x")), batch.labels("groups")
        size = len(groups.keys)
        counts = [np.bincount(groups.codes[column], minlength=size) for column in missing.T]
        return LazyReport(partial(_told_missing, groups.keys, np.transpose(counts)))

    def located(self, fitted: Fitted, groups: Labels, path: str) -> Array:
        """Return the row of each label row's group in the fitted arrays, -1 if unknown.

        Raises
        ------
        InvalidInput
            An unknown group, where `unknown_group` is ``error``.
        """
        return group_of_rows(self, fitted, groups, path)


def _told_missing(keys: Array, counts: Array) -> dict[str, object]:
    told = zip(keys.tolist(), counts.tolist(), strict=True)
    return {"missing": [{"keys": key, "missing": count} for key, count in told]}
