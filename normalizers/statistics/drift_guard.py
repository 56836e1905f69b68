"""Whether a batch is unlike the last ones: the guard of statistics that move with every batch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self, final

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import IncompatibleStatistics
from normalizers.statistics.base import posted
from normalizers.statistics.base.stacking import freeze, plain
from normalizers.statistics.base.statistic import Members, Statistic

BATCHES = 4
MOMENTUM = 0.9
MEMBERS = ("seen", "skipped", "recent", "root_variance", "excess")


@final
@dataclass(frozen=True, eq=False)
class DriftGuard(Statistic):
    """The last mean squares of each column, and how far their means lie apart.

    A batch is unlike the last ones where, of the mean squares of `BATCHES` batches with it, the
    arithmetic mean exceeds the geometric one by more than `BATCHES` times the recorded variance of
    their roots, in any column.

    Parameters
    ----------
    warm_up : int
        Batches before the guard looks.
    seen, skipped : int
        Batches that came, and those that were left out.
    recent : array of shape (k, c)
        Mean squares of the last ones that counted.
    root_variance : array of shape (c,)
        The moving variance of their roots.
    excess : array of shape (c,)
        Of the last batch: the distance of the means over what is allowed; above 1 it is unlike.

    References
    ----------
    Yang et al.: Unified normalization for accelerating and stabilizing transformers, 2022.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics.drift_guard import DriftGuard
    >>> guard = DriftGuard(warm_up=5)
    >>> for value in (1.0, 1.1, 0.9, 1.0, 1.1):
    ...     guard = guard.looked_at(np.array([value]))
    >>> guard.looked_at(np.array([1.0])).is_unlike, guard.looked_at(np.array([50.0])).is_unlike
    (False, True)
    """

    warm_up: int = 4000
    seen: int = 0
    skipped: int = 0
    recent: Array = field(default_factory=lambda: np.zeros((0, 0)))
    root_variance: Array = field(default_factory=lambda: np.zeros(0))
    excess: Array = field(default_factory=lambda: np.zeros(0))

    name: ClassVar[str] = "drift_guard"
    mergeable: ClassVar[bool] = False

    def __post_init__(self) -> None:
        freeze(self, "recent", "root_variance", "excess")

    @property
    def n(self) -> int:
        """Batches that came."""
        return self.seen

    @property
    def is_unlike(self) -> bool:
        """Whether the last batch is unlike those before it."""
        return self.seen > self.warm_up and bool((self.excess > 1).any())

    def identity(self) -> Mapping[str, object]:
        """Return the number of columns."""
        return {} if self.is_empty else {"columns": self.recent.shape[1]}

    def looked_at(self, mean_square: Array) -> Self:
        """Return the guard after one more batch, of which these are the mean squares, (c,)."""
        recent = self.recent if self.seen else np.zeros((0, len(mean_square)))
        last = np.vstack([recent, mean_square])[-BATCHES:]
        roots = np.sqrt(last)
        distance = last.mean(axis=0) - _geometric_mean(last)
        known = self.root_variance if self.seen else np.zeros(len(mean_square))
        allowed = BATCHES * known
        excess = np.divide(distance, allowed, out=np.zeros_like(distance), where=allowed > 0)
        moved = MOMENTUM * known + (1 - MOMENTUM) * roots.var(axis=0)
        if not self.seen or len(last) < BATCHES:
            moved = np.maximum(known, roots.var(axis=0))
        return replace(self, seen=self.seen + 1, recent=last, root_variance=moved, excess=excess)

    def skipping(self, after: Self) -> Self:
        """Return this guard where the batch that `after` has looked at was left out."""
        return replace(self, seen=after.seen, skipped=self.skipped + 1, excess=after.excess)

    def merge(self, other: Self) -> Self:
        """Return the part that saw anything; two of them have no sum."""
        if other.is_empty:
            return self
        if self.is_empty:
            return other
        raise IncompatibleStatistics("a guard of updates is kept in order: two have no sum")

    def to_arrays(self) -> dict[str, Array]:
        """Return the members; {} when empty."""
        if self.is_empty:
            return {}
        counts = {name: np.array(getattr(self, name), dtype=np.int64) for name in MEMBERS[:2]}
        return {**counts, **{name: getattr(self, name) for name in MEMBERS[2:]}}

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the guard of posted members."""
        if not members:
            return DriftGuard(self.warm_up)
        posted.refuse_unknown(members, MEMBERS, path)
        seen, skipped = (posted.count(members, name, path) for name in MEMBERS[:2])
        root_variance = posted.columns(members, "root_variance", path)
        excess = posted.columns(members, "excess", path, len(root_variance))
        recent = posted.floats(members, "recent", path, (None, len(root_variance)))
        posted.refuse_where(recent < 0, "a mean square is negative", f"{path}.recent")
        posted.refuse_where(root_variance < 0, "a variance is negative", f"{path}.root_variance")
        wrong = np.array([len(recent) > BATCHES or skipped > seen or seen < 1])
        posted.refuse_where(wrong, "these batches cannot be", f"{path}.seen")
        return DriftGuard(self.warm_up, seen, skipped, recent, root_variance, excess)

    def summary(self) -> dict[str, object]:
        """Return batches that came and were left out, and how unlike the last one was."""
        return {"seen": self.seen, "skipped": self.skipped, "excess": plain(self.excess)}


def _geometric_mean(values: Array) -> Array:
    """Return the geometric mean over rows; of a zero 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.exp(np.mean(np.log(values), axis=0)))
