"""What methods share that keep their statistics by group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from normalizers.bases.group_labels import require_distinct, require_names
from normalizers.bases.weighted_fit import rows_of
from normalizers.contract.parameters import param
from normalizers.data.arrays import Array
from normalizers.data.batch import Batch
from normalizers.data.labels import Labels
from normalizers.normalizer import Normalizer
from normalizers.statistics import Grouped, Statistics


class GroupedFit(Normalizer):
    """Base of the methods whose fits have rows of ``groups``, mixed in before another base.

    Those of the statistics in `keeps` that are `Grouped` take the rows by their groups.
    """

    group_by: list[str] | None = param(
        default=None,
        resolves="['group'] for one label a row",
        min_length=1,
        affects="statistics",
        help="names of the labels; needed when a row has several",
    )

    def check(self, path: str) -> None:
        """Refuse a name of labels that stands twice."""
        require_distinct(self.group_by, f"{path}.group_by")

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Name the labels as the statistics do."""
        names = [grouped.group_by for grouped in grouped_of(statistics).values()]
        return {"group_by": list(names[0])} if names and names[0] else {}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows to the statistics of their groups."""
        self.require_names(batch.labels("groups"))
        rows, groups = self.rows_by_group(batch)
        kept = {name: part.update(groups, *rows) for name, part in grouped_of(statistics).items()}
        return statistics.replace(**kept)

    def rows_by_group(self, batch: Batch) -> tuple[Sequence[Array], Labels]:
        """Return the rows as statistics take them, with their groups."""
        return rows_of(batch, batch.array("x")), batch.labels("groups")

    def require_names(self, groups: Labels) -> None:
        """Refuse rows with another number of labels than `group_by` names."""
        require_names(groups, self.group_by)


def grouped_of(statistics: Statistics | None) -> dict[str, Grouped[Any]]:
    """Return those of the statistics that keep one for each group."""
    parts = (statistics or {}).items()
    return {name: part for name, part in parts if isinstance(part, Grouped)}
