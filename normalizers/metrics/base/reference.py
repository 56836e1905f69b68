"""The scale that groups are mapped onto: rows of their own, or one of the groups."""

from __future__ import annotations

from normalizers.bases.groups import GroupNormalizer
from normalizers.contract import Batch, Fields, Statistics, floats, param
from normalizers.errors import FitError, InvalidParams
from normalizers.messages import quoted_key
from normalizers.statistics.base.stacked_groups import Inner, Key
from normalizers.statistics.grouped import Grouped
from normalizers.statistics.once import Once

REFERENCE = "reference"


class ReferencedGroups(GroupNormalizer):
    """Mixed in before a base of group methods: where the target of the map comes from.

    A fit names it once: rows in the field ``reference``, or by `reference_group` one of its own
    groups. References that parts of a fit have in common are kept once.
    """

    reference_group: str | list[str] | None = param(
        default=None,
        affects="statistics",
        help="the group whose scale is the target, by its label or labels, in place of the field "
        "'reference'",
    )

    @property
    def fits(self) -> Fields:  # type: ignore[override]
        """Rows of groups, and the reference where no group is one."""
        if self.reference_group is not None:
            return GroupNormalizer.fits
        reference = floats("r c", flat="column", help="scores on the scale that is wanted")
        return GroupNormalizer.fits.with_fields(reference=reference)

    def check(self, path: str) -> None:
        """Refuse a reference group with another number of labels than a key has."""
        named = self.group_by
        if named is not None and self.reference_group is not None:
            labels = len(self._reference_key(self.reference_group))
            if labels != len(named):
                raise InvalidParams(
                    f"the reference group has {labels} labels, and group_by names {len(named)}",
                    path=f"{path}.reference_group",
                )

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows to the statistics of their groups; a reference is the same in every part."""
        kept = super().accumulate(statistics, batch)
        once = {
            name: part.update(batch.array(REFERENCE))
            for name, part in statistics.items()
            if isinstance(part, Once)
        }
        return kept.replace(**once)

    def with_reference(self, name: str, inner: Inner) -> dict[str, Grouped[Inner] | Once[Inner]]:
        """Return what is kept: one statistic a group, and that of the reference beside it."""
        groups: dict[str, Grouped[Inner] | Once[Inner]] = {name: Grouped(inner, self.group_names)}
        if self.reference_group is None:
            groups[f"{name}_{REFERENCE}"] = Once(inner)
        return groups

    def reference_of(self, statistics: Statistics, name: str) -> Grouped[Inner]:
        """Return the reference as the one group of a statistic.

        Raises
        ------
        FitError
            No row of the fit is of the reference group.
        """
        groups: Grouped[Inner] = statistics[name]  # type: ignore[assignment]
        if self.reference_group is None:
            once: Once[Inner] = statistics[f"{name}_{REFERENCE}"]  # type: ignore[assignment]
            return Grouped(once.inner, ("reference",), {(REFERENCE,): once.inner})
        key = self._reference_key(self.reference_group)
        if key not in groups:
            raise FitError(
                f"no row is of the reference group {quoted_key(list(key))}",
                path="params.reference_group",
            )
        return Grouped(groups[key], groups.group_by, {key: groups[key]})

    @staticmethod
    def _reference_key(written: str | list[str]) -> Key:
        return (written,) if isinstance(written, str) else tuple(written)
