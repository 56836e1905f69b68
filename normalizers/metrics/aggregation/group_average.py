"""Group average: one mean a system over its groups, with what it rests on."""

from __future__ import annotations

from typing import Literal

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Notice,
    Options,
    Traits,
    floats,
    ids,
    integers,
    labels,
    notice,
    optional,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.data.labels import Labels
from normalizers.errors import InvalidParams
from normalizers.measures.bootstrap import Bootstrap, draws
from normalizers.messages import quoted
from normalizers.metrics.base.cells import Cells, weighted_means
from normalizers.normalizer import Normalizer
from normalizers.statistics.base.stacking import plain

SEPARATOR = "/"  # between the labels of one key
# Draws go through all rows: more would take minutes.
MOST_SAMPLES = 10_000


class GroupAverage(Normalizer):
    """Average each system over its groups, and tell which groups it rests on.

    The rows of one system and group count as their mean; the system's average is
    sum_g w_g mean_sg / sum_g w_g over the groups g that it has. Align first, then average: raw
    scores of other groups are on other scales, so that `group_z_score` stands before it.

    Notes
    -----
    Systems that rest on different groups are not comparable without alignment: ``coverage`` counts
    the groups of each, ``covered`` says which of the report's ``groups`` they are, and a warning
    says where they differ.
    Missing scores are left out. With `missing` ``null`` a system without every group has no
    average, with ``common`` the average is over the groups that all systems have. Given
    ``clusters``, ``lower`` and ``upper`` are the ends of a bootstrap interval in which rows of one
    cluster (a source segment) come together; cells that a draw leaves empty are left out of it.
    Constant scores and ties need no rule. Cost O(m c), of an interval O(samples m c).

    See Also
    --------
    GroupZScore : The alignment before it.

    References
    ----------
    Averages by language with their coverage: "XQ-MEval", arXiv 2604.14934. Bootstrap: Efron,
    Tibshirani, An introduction to the bootstrap, 1993.

    Examples
    --------
    >>> from normalizers import GroupAverage
    >>> answer = GroupAverage().apply_to(
    ...     [1.0, -1.0, 0.5], systems=["A", "A", "B"], groups=["de", "ja", "de"]
    ... )
    >>> answer["systems"].tolist(), answer["mean"].tolist(), answer["coverage"].tolist()
    (['A', 'B'], [0.0, 0.5], [2, 1])
    """

    name = "group_average"
    family = "metrics"
    kinds = ("stateless",)
    aliases = {"aggregate_languages": {}}
    traits = Traits(batch_invariant=False)
    takes = Fields(
        x=floats("m c", flat="column", help="aligned scores"),
        systems=labels("m 1", help="the system of each row"),
        groups=labels("m j", help="the group of each row, one label or several"),
        clusters=optional(labels("m 1", help="rows that are drawn together; asks for an interval")),
    )
    gives = Fields(
        mean=floats("s c", flat="column", help="average of each system"),
        systems=ids("s", help="the systems, in code point order"),
        coverage=integers("s c", help="how many groups the average rests on"),
        covered=integers("s g", help="1 where it rests on a group; the report names their order"),
        lower=optional(floats("s c", help="lower end of the interval, where clusters were sent")),
        upper=optional(floats("s c", help="upper end of the interval, where clusters were sent")),
    )
    example = Example(
        input={
            "x": [1.0, -1.0, 0.5, 0.0, 2.0],
            "systems": ["A", "A", "B", "C", "C"],
            "groups": ["de", "ja", "de", "de", "ja"],
        }
    )

    missing: Literal["skip", "null", "common"] | None = param(
        default=None,
        default_value="skip",
        affects="answer",
        help="a group that a system lacks: left out, no average, or left out for every system",
    )
    weights: dict[str, float] | None = param(
        default=None,
        affects="answer",
        help="weight of each group by its name, several labels joined by '/'; without it 1",
    )
    samples: int | None = param(
        default=None,
        default_value=1000,
        ge=1,
        le=MOST_SAMPLES,
        affects="answer",
        help="draws of the clusters behind an interval",
    )
    seed: int | None = param(
        default=None, default_value=0, ge=0, affects="answer", help="the same draws again"
    )
    confidence: float | None = param(
        default=None,
        default_value=0.95,
        gt=0,
        lt=1,
        affects="answer",
        help="share of the draws within the interval",
    )
    nan_policy: Literal["reject", "omit"] | None = param(
        default=None, default_value="omit", affects="answer", help="a missing score: left out"
    )
    inf_policy: Literal["reject"] | None = param(
        default=None, default_value="reject", affects="answer", help="an infinite score: refused"
    )

    def check(self, path: str) -> None:
        """Refuse weights that are below 0, or all 0."""
        given = self.weights
        if given is None:
            return
        wrong = [name for name, weight in given.items() if weight < 0]
        if wrong or not any(given.values()):
            told = f"the weight of {quoted(wrong[0])} is below 0" if wrong else "every weight is 0"
            raise InvalidParams(f"{told}; weights are 0 or more, not all 0", path=f"{path}.weights")

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the averages and what they rest on."""
        rows = Cells(batch.labels("systems"), batch.labels("groups"), batch.array("x"))
        names = [SEPARATOR.join(key) for key in rows.groups.keys.tolist()]
        weights = self._weights(names)
        cells = rows.means()
        known = ~np.isnan(cells)
        mean, used = self._averages(cells, weights)
        systems = rows.systems.keys[:, 0]
        output: dict[str, Array] = {
            "mean": mean,
            "systems": systems,
            "coverage": np.asarray(used.sum(axis=1), dtype=np.int64),
            "covered": np.asarray(used.any(axis=2), dtype=np.int64),
        }
        if "clusters" in batch:
            output |= self._interval(rows, batch.labels("clusters"), weights)
        report = {"n_groups": len(names), "groups": names}
        parts = {"groups": names, "cells": _shown(systems, cells)} if options.explain else None
        answer = Answer(output, report=report, explain=parts)
        if np.array_equal(known, np.broadcast_to(known[:1], known.shape)):
            return answer
        there = np.asarray(known.any(axis=2))
        return answer.warned(_differing(systems, there, self.missing == "common"))

    def _weights(self, names: list[str]) -> Array:
        given = self.weights
        if given is None:
            return np.ones(len(names))
        unnamed = [name for name in names if name not in given]
        if unnamed:
            raise InvalidParams(
                f"the group {quoted(unnamed[0])} has no weight; weights name every group",
                path="params.weights",
            )
        return np.array([given[name] for name in names], dtype=np.float64)

    def _averages(self, cells: Array, weights: Array) -> tuple[Array, Array]:
        """Return the averages, and which cells they rest on."""
        there = ~np.isnan(cells)
        if self.missing == "common":
            there = there & there.all(axis=0)
        mean = weighted_means(np.where(there, cells, np.nan), weights)
        used = there & (weights[:, None] > 0)
        if self.missing == "null":
            # A system without a row of some group, where another system has one.
            mean = np.where(there.all(axis=1), mean, np.nan)
        return mean, used

    def _interval(self, rows: Cells, clusters: Labels, weights: Array) -> dict[str, Array]:
        bootstrap = Bootstrap(
            samples=unwrap(self.samples), seed=unwrap(self.seed), confidence=unwrap(self.confidence)
        )
        means = [
            self._averages(cells, weights)[0]
            for block in draws(bootstrap, len(clusters.keys))
            for cells in rows.resampled_means(clusters, block)
        ]
        beyond = (1 - bootstrap.confidence) / 2
        drawn_means = np.stack(means)
        known = ~np.isnan(drawn_means).all(axis=0)
        filled = np.where(known, drawn_means, 0.0)
        ends = np.nanquantile(filled, [beyond, 1 - beyond], axis=0)
        lower, upper = np.where(known, ends, np.nan)
        return {"lower": lower, "upper": upper}


def _shown(systems: Array, cells: Array) -> dict[str, object]:
    """Return the mean of each group by system, null where there is none."""
    return {
        str(system): [plain(group) for group in rows]
        for system, rows in zip(systems.tolist(), cells, strict=True)
    }


def _differing(systems: Array, known: Array, common: bool) -> Notice:
    lacking = np.flatnonzero(~known.all(axis=1))
    shown = quoted(str(systems[int(lacking[0])])) if len(lacking) else ""
    told = f"{len(lacking)} of {len(systems)} systems lack a group, {shown} among them"
    ending = (
        "the averages are over the groups that all have"
        if common
        else "their averages rest on other groups and are one ranking only after alignment"
    )
    return notice("different_groups", f"{told}; {ending}", count=len(lacking))
