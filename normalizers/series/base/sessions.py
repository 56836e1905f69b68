"""Closed sessions in a ring, and the open one: what z-scores by session carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from normalizers.bases.carried_arrays import CarriedArray
from normalizers.data.arrays import Array
from normalizers.kernels.expanding import expanding_moments
from normalizers.kernels.step_moments import StepMoments
from normalizers.series.base.expanding import MOMENTS

NO_SESSION = -1.0
RING = ("session_n", "session_mean", "session_deviation", "session_lowest", "session_highest")


def session_arrays(kept: int) -> dict[str, CarriedArray]:
    """Return what is carried of `kept` closed sessions, the oldest first, and of the open one."""

    def held(step: int) -> int:
        return kept

    return {
        **{name: CarriedArray(held, missing=True) for name in RING},
        "closed": CarriedArray(least=0, most=kept, whole=True),
        "session": CarriedArray(start=NO_SESSION, least=NO_SESSION, whole=True),
        **MOMENTS,
    }


@dataclass
class Sessions:
    """The sessions of a few series that have the same ones.

    Parameters
    ----------
    arrays : mapping
        As they are carried, of shape (s,) or (s, kept).
    """

    arrays: dict[str, Array]

    @classmethod
    def of(cls, before: Mapping[str, Array]) -> Sessions:
        """Return the sessions that a request goes on from."""
        return cls({name: np.array(array) for name, array in before.items()})

    def enter(self, session: float) -> None:
        """Close the open session where another begins."""
        current = self.arrays["session"]
        if len(current) and current[0] not in (session, NO_SESSION):
            self._close()
        self.arrays["session"] = np.full(len(current), session)

    def add(self, lists: Array) -> None:
        """Add steps to the open session, one by one: chunks change no bit."""
        open_one = {name: self.arrays[name] for name in MOMENTS}
        self.arrays |= expanding_moments(lists, open_one)[1]

    def pooled(self) -> StepMoments:
        """Return the statistics of all closed sessions together, shape (s, 1)."""
        counts, means, deviations, lowest, highest = (self.arrays[name] for name in RING)
        counts = np.nan_to_num(counts)
        filled = counts > 0
        ends = np.fmax.reduce(np.abs([lowest, highest]), axis=(0, 2), initial=0.0)
        # In units of the largest value, no square overflows, and what vanishes is of no weight.
        exponent = np.frexp(ends)[1][:, None]
        n = np.zeros((len(counts), 1))
        mean, m2 = np.zeros_like(n), np.zeros_like(n)
        for place in range(counts.shape[1]):
            here = filled[:, place, None]
            added = counts[:, place, None]
            centre = np.ldexp(np.where(here, means[:, place, None], 0.0), -exponent)
            spread = np.ldexp(np.where(here, deviations[:, place, None], 0.0), -exponent)
            share = added / np.maximum(n + added, 1)
            shift = np.where(here, centre - mean, 0.0)
            m2 = m2 + added * spread * spread + shift * shift * (n * share)
            mean, n = mean + shift * share, n + added
        low = np.fmin.reduce(lowest, axis=1, initial=np.nan)[:, None]
        high = np.fmax.reduce(highest, axis=1, initial=np.nan)[:, None]
        constant = low == high
        mean = np.where(n > 0, np.where(constant, low, np.ldexp(mean, exponent)), 0.0)
        m2 = np.where(constant, 0.0, m2)
        return StepMoments(n.astype(np.int64), mean, m2, exponent, np.asarray(constant))

    def _close(self) -> None:
        nothing = np.full((len(self.arrays["session"]), 1), np.nan)
        open_one = {name: self.arrays[name] for name in MOMENTS}
        # One step of nothing shows the statistics as they stand.
        stand = expanding_moments(nothing, open_one)[0]
        found = (
            self.arrays["n"],
            stand.mean[:, 0],
            stand.std()[:, 0],
            self.arrays["lowest"],
            self.arrays["highest"],
        )
        for name, last in zip(RING, found, strict=True):
            self.arrays[name] = np.column_stack([self.arrays[name][:, 1:], last])
        kept = self.arrays[RING[0]].shape[1]
        self.arrays["closed"] = np.minimum(self.arrays["closed"] + 1, kept)
        for name, declared in MOMENTS.items():
            self.arrays[name] = np.full(len(nothing), declared.start)
