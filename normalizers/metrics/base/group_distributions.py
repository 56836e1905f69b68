"""Group methods that know the distribution of every group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

import numpy as np

from normalizers.bases.group_labels import UNKNOWN
from normalizers.bases.groups import GroupNormalizer
from normalizers.contract import Answer, Fitted, Statistic, Statistics, param
from normalizers.data.arrays import Array
from normalizers.errors import NotEnoughData
from normalizers.metrics.base.group_tables import key_table
from normalizers.statistics import Grouped, Quantiles
from normalizers.statistics.base.stacking import plain

QUANTILES = "quantiles"


class KeptDistributions(GroupNormalizer):
    """Mixed in before a base of group methods: the distribution of each group is kept."""

    quantiles_exact_limit: int | None = param(
        default=None,
        default_value=Quantiles.EXACT_LIMIT,
        ge=2,
        affects="statistics",
        help="most distinct scores of a group that are kept; beyond them they are sketched",
    )

    @property
    def empty_quantiles(self) -> Quantiles:
        """The distribution of no scores."""
        return Quantiles(self.quantiles_exact_limit or Quantiles.EXACT_LIMIT)

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The distribution of each group."""
        return {QUANTILES: Grouped(self.empty_quantiles, self.group_names)}


def group_distributions(statistics: Statistics) -> dict[tuple[str, ...], Quantiles]:
    """Return the distribution of each group that saw columns.

    Raises
    ------
    NotEnoughData
        A group has no score in some column, or there is no group.
    """
    quantiles = cast("Grouped[Quantiles]", statistics[QUANTILES])
    groups = {key: quantiles[key] for key in quantiles if quantiles[key].width}
    if not groups:
        raise NotEnoughData("no group has any statistics")
    for key, group in groups.items():
        empty = np.isnan(group.ends()[0])
        if empty.any():
            column = int(np.argmax(empty))
            raise NotEnoughData(f"the group {list(key)} has no score in column {column}")
    return groups


def stored_groups(groups: Mapping[tuple[str, ...], Quantiles], *others: Quantiles) -> Fitted:
    """Return the keys of groups, and their distributions with others behind them."""
    parts = [*groups.values(), *others]
    arrays = parts[0].stack(parts)
    width = parts[0].width
    keys = key_table(groups)
    return Fitted({"keys": keys, **arrays}, {"c": width, "j": keys.shape[1]})


def stored_distributions(fitted: Fitted) -> list[Quantiles]:
    """Return the distributions of a fit, read once."""

    def read() -> list[Quantiles]:
        members = {name: array for name, array in fitted.arrays.items() if name != "keys"}
        columns = len(members["n"]) if "n" in members else members["v"].shape[1]
        # No limit: what is stored is not sketched again.
        whole = Quantiles(max(Quantiles.EXACT_LIMIT, len(members.get("values", ()))))
        return whole.unstack(members, columns // fitted.sizes["c"], "fitted")

    return fitted.once("distributions", read)


def told_of_groups(
    groups: Mapping[tuple[str, ...], Quantiles],
) -> list[dict[str, object]]:
    """Return what the fit report says of each group: n, ends and the error of a rank."""
    return [
        {
            "keys": list(key),
            "n": group.observed.tolist() if group.n else None,
            "min": plain(group.ends()[0]),
            "max": plain(group.ends()[1]),
            "rank_error": None if group.curve else plain(group.rank_error),
        }
        for key, group in groups.items()
    ]


def rows_by_group(
    x: Array, index: Array, table: list[Quantiles], height: Callable[[Quantiles, Array], Array]
) -> Array:
    """Return ``height(distribution, rows)`` of the rows of each group, in their places."""
    y = np.full(x.shape, np.nan)
    for group in np.unique(index).tolist():
        rows = index == group
        y[rows] = height(table[group], x[rows])
    return y


def outside(x: Array, index: Array, table: list[Quantiles]) -> Array:
    """Return which rows lie beyond the ends of their group in some column."""
    beyond = rows_by_group(x, index, table, Quantiles.outside)
    return np.asarray((beyond == 1).any(axis=1))


def scores_at(part: Quantiles, shares: Array) -> Array:
    """Return the score of each share, (m, c), in the distribution of its column; NaN is missing."""
    known = np.nan_to_num(shares)
    columns = [part.quantile(column)[:, at] for at, column in enumerate(known.T)]
    return np.where(np.isnan(shares), np.nan, np.stack(columns, axis=1))


def flagged_rows(answer: Answer, index: Array, beyond: Array) -> Answer:
    """Return the answer with rows of unknown groups, and beyond their group's ends, flagged."""
    answer = answer.flagged("unknown_group", np.flatnonzero(index == UNKNOWN))
    return answer.flagged("out_of_range", np.flatnonzero(beyond))
