"""Column maps that divide by a spread, with what holds where there is none."""

from __future__ import annotations

from typing import ClassVar

from normalizers.bases.columns.column_map import ColumnMap, Seen
from normalizers.bases.columns.scales import ScaleRules
from normalizers.bases.columns.shared import shared
from normalizers.contract import Statistics, param, unwrap
from normalizers.contract.constants import (
    OnConstant,
    OnFew,
    check_constant_value,
    decided_constant,
)
from normalizers.kernels.epsilon import EpsMode, check_eps


class ScaledColumnMap(ColumnMap[Seen]):
    """Base of the column maps that divide by a spread.

    Notes
    -----
    A column without spread has no scale: `on_constant` says what it gives, by default the
    difference to its location (``scale_one``), and where the rows sent are measured themselves,
    `constant_value`. `eps` enters as `eps_mode` says, and `on_constant` acts where the scale is
    still 0 after it. Columns without spread are flagged ``constant`` by their number, and listed as
    `dead_dims` in the report; with groups, the rows of such groups are flagged ``degenerate``.
    Fewer than two values in a column of a fit are refused unless `on_few` says otherwise; rows
    that are measured themselves may be one, flagged ``insufficient``.

    `channel_groups` gives each column a label: columns of one label are measured together, as all
    prices of an order book are, and all of its sizes. What is kept stays that of each column.

    Attributes
    ----------
    needed : int
        Values that a spread needs.
    """

    needed: ClassVar[int] = 2

    eps: float | None = param(
        default=None, default_value=0.0, ge=0, affects="solution", help="a peer's epsilon"
    )
    eps_mode: EpsMode | None = param(
        default=None, default_value="none", affects="solution", help="where eps goes"
    )
    on_constant: OnConstant | None = param(
        default=None,
        resolves="scale_one; value of the rows sent, or where constant_value is named",
        affects="solution",
        help="what a column without spread gives: x - loc, one number, x itself, or an error",
    )
    constant_value: float | None = param(
        default=None,
        resolves="0 with on_constant 'value'",
        affects="solution",
        help="the number for on_constant 'value'",
    )
    on_few: OnFew | None = param(
        default=None,
        resolves="error; scale_one of the rows sent",
        affects="solution",
        help="what a column with too few values gives",
    )

    channel_groups: list[str] | None = param(
        default=None,
        min_length=1,
        affects="solution",
        help="a label for each column; those of one label share their statistics",
    )

    def check(self, path: str) -> None:
        """Refuse an epsilon without a place, and a number that no rule uses."""
        check_eps(self.eps, self.eps_mode or self.standard_eps_mode, path)
        check_constant_value(self.on_constant, self.constant_value, path)

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Say what a column without spread gives."""
        standard = "value" if self.by_request else "scale_one"
        rule = self.on_constant or standard
        few = "scale_one" if self.by_request else "error"
        decided = {
            "on_constant": rule,
            "on_few": few,
            **decided_constant(rule, self.constant_value),
        }
        return {**super().defaults(statistics), **decided}

    def pooled(self, seen: Seen) -> Seen:
        """Return the statistics in which columns of one label have those of all of them."""
        if self.channel_groups is None or seen.is_empty:
            return seen
        return shared(seen, self.channel_groups, len(seen.observed))  # type: ignore[attr-defined]

    @property
    def standard_eps_mode(self) -> EpsMode | None:
        """Where an epsilon goes that is named alone; None where it must be told."""
        return None

    @property
    def rules(self) -> ScaleRules:
        """What there is where columns have no scale."""
        return ScaleRules(
            self.least,
            unwrap(self.eps),
            unwrap(self.eps_mode),
            unwrap(self.on_few),
            unwrap(self.on_constant),
            self.constant_value,
        )

    @property
    def least(self) -> int:
        """Values that a column needs."""
        return self.needed
