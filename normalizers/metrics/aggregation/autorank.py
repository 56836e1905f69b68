"""AutoRank: one rank for each system from several metrics."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from normalizers.bases.by_column import by_column
from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Traits,
    floats,
    ids,
    notice,
    optional,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.normalizer import Normalizer

LOW, HIGH = 0.25, 1.0
# A floor, not added: metrics of equal scores give 0.
EPS = 1e-9


class Autorank(Normalizer):
    """Rank the systems of one language pair by several metrics: 1 is the best.

    ``2024``: each metric goes from 1 for its best system to N + 1 for its worst,
    r = 1 + N (best - x) / (best - worst), and the rank is the mean over the metrics. ``2025``: each
    metric becomes (x - median) / max(1e-9, Q_100 - Q_25), and the mean over the metrics is mapped
    by one line from 1 for the best system to N for the worst, so that one very bad system
    compresses the others less.

    Notes
    -----
    Each column is a metric, each row a system; `higher_is_better` says the direction of every one
    and must be given. The text of 2024 says the scale ends at N, the published sheets end at N + 1:
    `worst_rank` has both. Missing scores: a system that lacks a metric has no rank, and counts for
    the others in the metrics it has. A metric of equal scores says nothing: rank 1 for all, with a
    warning. Equal scores get equal ranks. Cost O(m k log m).

    See Also
    --------
    MedianInterpercentile : The scaling of 2025 with stored statistics.
    GroupAverage : One mean a system over languages.

    References
    ----------
    Kocmi et al., Findings of the WMT24 and WMT25 General Machine Translation Shared Tasks
    (``wmt-conference/wmt24-news-systems``, ``wmt25-general-mt``).

    Examples
    --------
    >>> from normalizers import Autorank
    >>> ranked = Autorank(variant="2024", higher_is_better=[True, False])
    >>> ranked.transform([[0.9, 1.0], [0.8, 3.0], [0.5, 5.0]]).ravel().tolist()
    [1.0, 2.125, 4.0]
    """

    name = "autorank"
    family = "metrics"
    aliases = {"autorank_minmax": {"variant": "2024"}}
    kinds = ("stateless",)
    traits = Traits(batch_invariant=False, preserves_columns=False)
    takes = Fields(
        x=floats("m k", flat="column", help="a row a system, a column a metric"),
        systems=optional(ids("m", help="the systems, each once")),
    )
    example = Example(
        {"higher_is_better": True},
        input={"x": [[0.9, -2.1], [0.8, -2.9], [0.5, -4.2], [0.6, -3.0]]},
    )

    variant: Literal["2024", "2025"] | None = param(
        default=None,
        default_value="2025",
        affects="answer",
        help="the shared task whose rule it is",
    )
    higher_is_better: bool | list[bool] | dict[str, bool] | None = param(
        default=None,
        resolves="it must be given",
        affects="answer",
        help="direction of the metrics: one for all, a list, or an object by name of column",
    )
    worst_rank: Literal["n_systems_plus_1", "n_systems"] | None = param(
        default=None,
        resolves="n_systems_plus_1 with 2024, n_systems with 2025",
        affects="answer",
        help="the rank of the worst system, with variant 2024 of each metric",
    )
    nan_policy: Literal["reject", "omit"] | None = param(
        default=None,
        default_value="omit",
        affects="answer",
        help="a missing score: refused, or no rank for its system",
    )

    @property
    def gives(self) -> Fields:
        """The rank of each system, and what each metric says."""
        rank = floats("m 1", flat="column", help="rank of each system, 1 is the best")
        if self.variant == "2024":
            return Fields(autorank=rank, ranks=floats("m k", help="rank of each by each metric"))
        return Fields(autorank=rank, scaled=floats("m k", help="each metric on one scale"))

    def check(self, path: str) -> None:
        """Refuse metrics without a direction."""
        if self.higher_is_better is None:
            raise InvalidParams(
                "say the direction of every metric: one for all, a list, or by name of column",
                path=f"{path}.higher_is_better",
            )

    def defaults(self, statistics: object) -> dict[str, object]:
        """Decide where the scale ends."""
        ends = "n_systems_plus_1" if self.variant == "2024" else "n_systems"
        return {"worst_rank": self.worst_rank or ends}

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the ranks."""
        x = batch.array("x")
        given = unwrap(self.higher_is_better)
        better = by_column(given, x.shape[1], batch.columns, "params.higher_is_better")
        directed = np.where(np.array(better), x, -x)
        name, metrics = ("ranks", self._ranks(directed)) if self.variant == "2024" else (
            "scaled", _scaled(directed)
        )  # fmt: skip
        mean = metrics.mean(axis=1)
        rank = mean if self.variant == "2024" else self._mapped(mean)
        answer = Answer({"autorank": rank[:, None], name: metrics})
        answer = answer.flagged("missing", np.flatnonzero(np.isnan(rank)))
        constant = _constant(directed)
        if constant.any():
            columns = np.flatnonzero(constant).tolist()
            told = f"the metrics {columns} say nothing: all of their scores are equal"
            answer = answer.warned(notice("constant_metric", told, columns=columns))
        return replace(answer, explain=self._parts(x)) if options.explain else answer

    def _last(self, systems: int) -> int:
        return systems + 1 if self.worst_rank == "n_systems_plus_1" else systems

    def _ranks(self, x: Array) -> Array:
        best, worst = _ends(x)
        # Halves: the difference of two large scores may overflow.
        width = best / 2 - worst / 2
        below = (best / 2 - x / 2) / np.where(width > 0, width, 1.0)
        return 1 + (self._last(len(x)) - 1) * below

    def _mapped(self, mean: Array) -> Array:
        best, worst = _ends(mean[:, None])
        width = (best - worst)[0]
        if not width > 0:
            return np.where(np.isnan(mean), np.nan, 1.0)
        return np.asarray(1 + (self._last(len(mean)) - 1) * (best[0] - mean) / width)

    def _parts(self, x: Array) -> dict[str, object]:
        return {"n_systems": len(x), "worst_rank": self._last(len(x))}


def _scaled(x: Array) -> Array:
    """Return each metric about its median, in units of its upper three quarters."""
    scaled = np.full(x.shape, np.nan)
    for at, column in enumerate(x.T):
        known = ~np.isnan(column)
        if known.any():
            low, median, high = np.quantile(column[known], [LOW, 0.5, HIGH])
            scaled[known, at] = (column[known] - median) / max(EPS, high - low)
    return scaled


def _ends(x: Array) -> tuple[Array, Array]:
    """Return the best and the worst known score of each column, NaN where there is none."""
    known = ~np.isnan(x)
    best = np.max(x, axis=0, initial=-np.inf, where=known)
    worst = np.min(x, axis=0, initial=np.inf, where=known)
    none = ~known.any(axis=0)
    return np.where(none, np.nan, best), np.where(none, np.nan, worst)


def _constant(x: Array) -> Array:
    best, worst = _ends(x)
    return np.asarray((best == worst) & ((~np.isnan(x)).sum(axis=0) > 1))
