"""Z-scores by session: every step with mean and deviation of the last closed sessions."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Mapping

import numpy as np

from normalizers.bases.carried_arrays import CarriedArray
from normalizers.contract import Batch, Example, Fields, Statistics, labels, param, unwrap
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidParams, ShapeError
from normalizers.kernels.step_moments import StepMoments
from normalizers.series.base.causal_scaling import CausalZScore
from normalizers.series.base.sessions import Sessions, session_arrays
from normalizers.series.base.steps import Steps

# Every window and channel holds numbers of each: more than a year of trading days.
MOST_SESSIONS = 400
# Whole numbers of so many bytes survive JSON.
DIGEST_BYTES = 6


class SessionZScore(CausalZScore):
    """Standardize each session with the last `n_sessions` closed ones: ``y = (x - mean) / std``.

    A session is a run of steps with one label in `sessions`: a trading day, say. Another label
    closes it. Each instrument is a window or channel of its own.

    Notes
    -----
    The sessions before are pooled, each value with the same weight. Before `min_sessions` of them
    are closed, steps are missing and flagged ``insufficient``. A label that comes again after
    another one opens a new session.

    The state holds of each closed session, the oldest first, its count, mean, deviation and ends,
    how many are ``closed``, a number for the label of the open ``session``, and of that the
    moments that `expanding_z_score` carries. Ties need no rule. Cost O(N + sessions n_sessions).

    References
    ----------
    Zhang, Zohren, Roberts, "DeepLOB", IEEE Transactions on Signal Processing 67, 2019, which
    takes the five days before.

    Examples
    --------
    >>> from normalizers import SessionZScore
    >>> SessionZScore(n_sessions=1).transform(
    ...     [1.0, 3.0, 4.0, 2.0], sessions=["mon", "mon", "tue", "tue"]
    ... ).tolist()
    [nan, nan, 2.0, 0.0]
    """

    name = "session_z_score"
    aliases = {}
    shaping = ("n_sessions",)
    include_current = None  # the sessions before contain no step of this one
    example = Example(
        params={"n_sessions": 2, "min_sessions": 1},
        input={
            "x": [11.1, 1.9, 7.8, 5.9, 6.1, 3.0],
            "sessions": ["mon", "mon", "tue", "tue", "wed", "wed"],
        },
    )

    n_sessions: int | None = param(
        default=None,
        resolves="required",
        affects="answer",
        ge=1,
        le=MOST_SESSIONS,
        help="closed sessions that statistics look back on",
    )
    min_sessions: int | None = param(
        default=None,
        resolves="n_sessions",
        affects="answer",
        ge=1,
        help="closed sessions that statistics need",
    )

    @property
    def takes(self) -> Fields:
        """Rows in order, the session of each step, and what the answer before them carried."""
        rows = super().takes
        sessions = labels("t j", help="the session of each step, of all windows")
        return Fields(x=rows["x"], sessions=sessions, mask=rows["mask"], state=rows["state"])

    @property
    def carries(self) -> Mapping[str, CarriedArray]:
        """The closed sessions, and the open one."""
        return session_arrays(unwrap(self.n_sessions))

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """All sessions must be closed unless `min_sessions` says otherwise."""
        return {**super().defaults(statistics), "min_sessions": self.n_sessions}

    def check(self, path: str) -> None:
        """Require a number of sessions."""
        if self.n_sessions is None:
            raise InvalidParams(
                f"'{self.name}' needs 'n_sessions', how many it looks back on",
                path=f"{path}.n_sessions",
            )
        if self.min_sessions is not None and self.min_sessions > self.n_sessions:
            raise InvalidParams("min_sessions is at most n_sessions", path=f"{path}.min_sessions")

    def labels_of(self, batch: Batch) -> Array:
        """Return a number for the label of each step: (n, t), or one a value of ragged series."""
        sent = batch.labels("sessions")
        numbers = np.array([_number(tuple(key)) for key in sent.keys.tolist()])
        of_steps = numbers[sent.codes] if len(numbers) else np.empty(0)
        x = batch["x"]
        if isinstance(x, Ragged):
            if len(of_steps) != len(x.values):
                raise ShapeError(
                    f"there are {len(x.values)} values, but {len(of_steps)} sessions",
                    path="input.sessions",
                )
            return np.asarray(of_steps)
        windows = batch.array("x").shape[0]
        return np.broadcast_to(of_steps, (windows, len(of_steps)))

    def moments(self, steps: Steps) -> tuple[StepMoments, Mapping[str, Array]]:
        """Return the pooled statistics of the sessions before that of each step."""
        found: list[tuple[StepMoments, dict[str, Array]]] = []
        carried = steps.before["session"]
        for rows in _alike(np.column_stack([carried, unwrap(steps.labels)])):
            before = {name: array[rows] for name, array in steps.before.items()}
            found.append(self._of_series(steps.lists[rows], unwrap(steps.labels)[rows], before))
        moments = StepMoments(
            *(np.concatenate(parts) for parts in zip(*(part for part, _ in found), strict=True))
        )
        return moments, {
            name: np.concatenate([after[name] for _, after in found]) for name in found[0][1]
        }

    def _of_series(
        self, lists: Array, sessions: Array, before: Mapping[str, Array]
    ) -> tuple[StepMoments, dict[str, Array]]:
        """Return the statistics of series that have the same sessions."""
        held = Sessions.of(before)
        series, count = lists.shape
        labels_ = sessions[0] if series else np.empty(0)
        edges = [0, *(np.flatnonzero(np.diff(labels_)) + 1).tolist(), len(labels_)]
        parts = []
        for start, stop in itertools.pairwise(edges):
            if start == stop:
                continue
            held.enter(float(labels_[start]))
            parts.append(self._known(held, stop - start))
            held.add(lists[:, start:stop])
        if not parts:
            return self._known(held, count), held.arrays
        joined = (np.concatenate(each, axis=1) for each in zip(*parts, strict=True))
        return StepMoments(*joined), held.arrays

    def _known(self, held: Sessions, count: int) -> StepMoments:
        """Return the pooled statistics for some steps; none before enough sessions are closed."""
        pooled = held.pooled()
        enough = (held.arrays["closed"] >= unwrap(self.min_sessions))[:, None]
        pooled = pooled._replace(n=np.where(enough, pooled.n, 0), constant=pooled.constant & enough)
        return StepMoments(*(np.repeat(part, count, axis=1) for part in pooled))


def _alike(sessions: Array) -> list[slice]:
    """Return runs of series that have the same sessions."""
    differs = (sessions[1:] != sessions[:-1]).any(axis=1)
    edges = [0, *(np.flatnonzero(differs) + 1).tolist(), len(sessions)]
    return [slice(start, stop) for start, stop in itertools.pairwise(edges)]


def _number(key: tuple[str, ...]) -> float:
    """Return a whole number that stands for a label in a state."""
    digest = hashlib.sha256("\0".join(key).encode()).digest()
    return float(int.from_bytes(digest[:DIGEST_BYTES], "big"))
