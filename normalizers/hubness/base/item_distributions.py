"""The distribution of each item's similarities to a bank, as a fit holds it."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Fitted
from normalizers.data.arrays import Array
from normalizers.hubness.base.bank_fit import fitted_bias
from normalizers.hubness.base.live import UNKNOWN, Live
from normalizers.statistics import ItemQuantiles, Quantiles

POOLED_ITEMS = 1000  # whose similarities stand for those of an item that is not known
POOLED = 257  # quantiles of them


def fitted_distributions(kept: ItemQuantiles) -> Fitted:
    """Return the distribution of every item, and of a sample of all of them together."""
    sketch = kept.sketch
    arrays = {
        "offsets": sketch.offsets,
        "values": sketch.values,
        "counts": sketch.counts,
        "n": np.asarray(kept.n),
        "pooled": _pooled(sketch),
    }
    fitted = fitted_bias(np.zeros(kept.items), kept, arrays)
    error = float(np.max(sketch.rank_error, initial=0.0))
    return Fitted(fitted.arrays, fitted.sizes, {"items": kept.items, "rank_error": error})


def held_distributions(fitted: Fitted) -> ItemQuantiles:
    """Return the distributions that a fit holds."""
    sketch = Quantiles(offsets=fitted["offsets"], values=fitted["values"], counts=fitted["counts"])
    return ItemQuantiles(n=int(fitted["n"]), sketch=sketch)


def item_survival(distances: Array, fitted: Fitted, live: Live, unknown: float | None) -> Array:
    """Return for each distance the share of its item's distances to the bank that are larger.

    The distance of an item that the fit does not know has the share `unknown`, by default that of
    all items together.
    """
    items = live.items
    if items is None:
        items = np.tile(np.arange(live.gallery), len(live.scores))
    observed = ~np.isnan(distances)
    known = (items != UNKNOWN) & observed
    found = np.full(len(distances), np.nan)
    # Larger distances are similarities strictly below: ties are not larger.
    farther = held_distributions(fitted).below(items[known], -distances[known])
    found[known] = farther / max(int(fitted["n"]), 1)
    others = observed & ~known
    if unknown is not None:
        found[others] = unknown
    elif others.any():
        pooled = fitted["pooled"]
        places = np.searchsorted(pooled, -distances[others], side="left")
        found[others] = places / max(len(pooled), 1)
    return found


def _pooled(sketch: Quantiles) -> Array:
    """Return quantiles of the similarities of all items, of many items of some evenly apart."""
    items = len(sketch.offsets) - 1
    if not items or not len(sketch.values):
        return np.zeros(0)
    chosen = np.unique(np.linspace(0, items - 1, min(items, POOLED_ITEMS)).astype(np.int64))
    places = np.concatenate(
        [np.arange(sketch.offsets[item], sketch.offsets[item + 1]) for item in chosen.tolist()]
    )
    order = places[np.argsort(sketch.values[places], kind="stable")]
    reached = np.cumsum(sketch.counts[order])
    levels = (np.arange(POOLED) + 0.5) / POOLED * reached[-1]
    return np.asarray(sketch.values[order][np.searchsorted(reached, levels)], dtype=np.float64)
