"""What the methods share that keep one row of statistics for each group of scores."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias, cast

import numpy as np

from normalizers.bases.weighted_fit import rows_of
from normalizers.contract.fields import Fields, floats, labels
from normalizers.contract.fitted import Fitted
from normalizers.contract.lazy_report import LazyReport
from normalizers.contract.method import Kind
from normalizers.contract.parameter_models import other_words
from normalizers.contract.parameters import param
from normalizers.contract.tolerance import ELEMENTWISE
from normalizers.contract.traits import Traits
from normalizers.data.arrays import Array
from normalizers.data.batch import Batch
from normalizers.data.labels import Labels
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.messages import quoted_key
from normalizers.normalizer import Normalizer
from normalizers.statistics import Grouped, Statistics

ReferenceKind: TypeAlias = Literal["anchors", "self", "pooled", "human"]
UnknownGroup: TypeAlias = Literal["error", "global", "median", "pass"]
UNKNOWN = -1
SHOWN_GROUPS = 5


class GroupNormalizer(Normalizer):
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

    group_by: list[str] | None = param(
        default=None,
        resolves="['group'] for one label a row",
        min_length=1,
        affects="statistics",
        help="names of the labels; needed when a row has several",
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

    # Without an annotation: it is no parameter. The groups of one fit by key.
    _positions = cast("tuple[Array, dict[tuple[str, ...], int]] | None", None)

    def check(self, path: str) -> None:
        """Refuse a name of labels that stands twice."""
        names = self.group_by or []
        if len(set(names)) < len(names):
            raise InvalidParams("a name stands here twice", path=f"{path}.group_by")

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

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Name the labels as the statistics do."""
        names = [grouped.group_by for grouped in grouped_of(statistics).values()]
        return {"group_by": list(names[0])} if names and names[0] else {}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows to the statistics of their groups."""
        rows, groups = rows_of(batch, batch.array("x")), batch.labels("groups")
        self.require_names(groups)
        kept = {name: part.update(groups, *rows) for name, part in grouped_of(statistics).items()}
        return statistics.replace(**kept)

    def report(self, batch: Batch, fitted: Fitted) -> Mapping[str, object]:
        """Return how many scores of each group are missing."""
        missing, groups = np.isnan(batch.array("x")), batch.labels("groups")
        size = len(groups.keys)
        counts = [np.bincount(groups.codes[column], minlength=size) for column in missing.T]
        return LazyReport(partial(_told_missing, groups.keys, np.transpose(counts)))

    def require_names(self, groups: Labels) -> None:
        """Refuse rows with another number of labels than `group_by` names."""
        given = groups.shape[1]
        named = len(self.group_by or ["group"])
        if given != named:
            raise InvalidParams(
                f"a row has {given} labels, and group_by names {named}; name each label",
                path="params.group_by",
            )

    def located(self, fitted: Fitted, groups: Labels, path: str) -> Array:
        """Return the row of each label row's group in the fitted arrays, -1 if unknown.

        Raises
        ------
        InvalidInput
            An unknown group, where `unknown_group` is ``error``.
        """
        if np.array_equal(groups.keys, fitted["keys"]):
            return groups.codes
        positions = self._key_positions(fitted["keys"])
        found = [positions.get(tuple(key), UNKNOWN) for key in groups.keys.tolist()]
        index = np.array(found, dtype=np.int64)[groups.codes]
        if self.unknown_group == "error" and UNKNOWN in found:
            row = int(np.argmax(index == UNKNOWN))
            raise InvalidInput(
                f"the fit does not know the group {quoted_key(groups.rows[row].tolist())}; "
                f"unknown_group {other_words(self, 'unknown_group', 'error')} accepts it",
                path=f"{path}[{row}]",
            )
        return index

    def _key_positions(self, keys: Array) -> dict[tuple[str, ...], int]:
        held = self._positions
        if held is None or held[0] is not keys:
            held = (keys, {tuple(key): row for row, key in enumerate(keys.tolist())})
            self._positions = held
        return held[1]


def grouped_of(statistics: Statistics | None) -> dict[str, Grouped[Any]]:
    """Return those of the statistics that keep one for each group."""
    parts = (statistics or {}).items()
    return {name: part for name, part in parts if isinstance(part, Grouped)}


def _told_missing(keys: Array, counts: Array) -> dict[str, object]:
    told = zip(keys.tolist(), counts.tolist(), strict=True)
    return {"missing": [{"keys": key, "missing": count} for key, count in told]}


def shown_groups(keys: Array) -> str:
    """Return the first few keys as a message shows them, and how many more there are."""
    named = ", ".join(quoted_key(key) for key in keys[:SHOWN_GROUPS].tolist())
    rest = len(keys) - SHOWN_GROUPS
    return f"{named} and {rest} more" if rest > 0 else named
