"""Components of a reward: their weights, and their place in the range of their group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.labels import Labels
from normalizers.errors import InvalidParams
from normalizers.messages import quoted, unknown


def component_weights(
    weights: Sequence[float] | Mapping[str, float] | None,
    k: int,
    columns: Sequence[str] | None,
) -> Array:
    """Return the weight of each of `k` components, 1 where none is named.

    Raises
    ------
    InvalidParams
        As many weights as there are components are needed, not negative, and not all 0.
    """
    path = "params.weights"
    if weights is None:
        return np.ones(k)
    if isinstance(weights, Mapping):
        if columns is None:
            raise InvalidParams(
                "the columns of this request have no names; list weights", path=path
            )
        for name in weights:
            if name not in columns:
                raise InvalidParams(unknown("component", name, columns), path=path)
        lacking = [name for name in columns if name not in weights]
        if lacking:
            raise InvalidParams(f"no weight for the component {quoted(lacking[0])}", path=path)
        weights = [weights[name] for name in columns]
    if len(weights) != k:
        raise InvalidParams(f"{len(weights)} weights for {k} components", path=path)
    found = np.asarray(weights, dtype=np.float64)
    if (found < 0).any() or not found.any():
        raise InvalidParams("weights are not negative, and not all 0", path=path)
    return found


def ranged(x: Array, groups: Labels, flat: Array, fixed: float) -> Array:
    """Return (x - min) / (max - min) inside each group, 0 where x is missing.

    Parameters
    ----------
    x : array of shape (n,)
        NaN is missing.
    groups : Labels
        The group of each row.
    flat : bool array of shape (g,)
        Groups without a range.
    fixed : float
        What their values give; NaN leaves them as they are.
    """
    codes = groups.codes
    lowest, highest = np.full(len(flat), np.inf), np.full(len(flat), -np.inf)
    seen = ~np.isnan(x)
    np.minimum.at(lowest, codes[seen], x[seen])
    np.maximum.at(highest, codes[seen], x[seen])
    # Halves, so that no range overflows; of groups without one they are not used.
    width = np.where(flat | ~(lowest <= highest), 1.0, highest / 2 - lowest / 2)
    low = np.where(np.isfinite(lowest), lowest, 0.0)
    shares = (x / 2 - low[codes] / 2) / width[codes]
    answered = np.where(flat[codes], x if np.isnan(fixed) else fixed, shares)
    return np.where(seen, answered, 0.0)
