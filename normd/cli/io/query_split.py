"""Queries, lists or rows in two parts: one to choose by, the other to measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from normalizers.data.arrays import Array
from normd.cli.errors import Misuse

RUNS, BASELINE, TRAINING = "runs", "baseline", "training"
# Members of an evidence that are one for all of its rows.
SHARED = frozenset({BASELINE, "offsets", "lengths"})


def halves(sent: Mapping[str, Any], share: float, seed: int) -> dict[str, Any]:
    """Return the evidence of some queries, with that of the others as its training part.

    Parameters
    ----------
    sent : mapping
        Members of an evidence, one entry a query, list or row each.
    share : float
        How much of it is for choosing.
    seed : int
        The same parts again.

    Examples
    --------
    >>> from normd.cli.io.query_split import halves
    >>> found = halves({"scores": [0.1, 0.2, 0.3, 0.4], "labels": [0, 1, 0, 1]}, 0.5, 0)
    >>> found["scores"], found["training"]["scores"]
    ([0.2, 0.4], [0.1, 0.3])
    """
    if "offsets" in sent:
        raise Misuse("--split goes by rows or lists; this file holds both in one")
    count = _count(sent)
    chosen = round(share * count)
    if not 0 < chosen < count:
        raise Misuse(f"--split {share:g} of {count} leaves one part empty")
    drawn = np.sort(np.random.default_rng(seed).permutation(count)[:chosen])
    rest = np.setdiff1d(np.arange(count), drawn)
    training = {name: _part(value, drawn) for name, value in sent.items() if name not in SHARED}
    measured = {name: _part(value, rest) for name, value in sent.items() if name not in SHARED}
    beside = sent.get(BASELINE)
    if isinstance(beside, Mapping):
        others = {name: _part(value, drawn) for name, value in beside.items()}
        measured[BASELINE] = {
            **{name: _part(value, rest) for name, value in beside.items()},
            TRAINING: {**training, **others},
        }
    elif beside is not None:
        measured[BASELINE] = beside
    return {**measured, TRAINING: training}


def _count(sent: Mapping[str, Any]) -> int:
    first = sent[RUNS][0]["ids"] if RUNS in sent else next(iter(sent.values()))
    return len(first)


def _part(value: Any, which: Array) -> Any:
    """Return some entries: of each member of a run, of a list or of an array."""
    if isinstance(value, np.ndarray):
        return value[which]
    if isinstance(value, Mapping):
        return {name: _part(item, which) for name, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        if value and isinstance(value[0], Mapping):
            return [_part(item, which) for item in value]
        return [value[place] for place in which.tolist()]
    return value
