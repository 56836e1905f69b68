"""A live sample beside the statistics that a version was fitted from."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.batch import Batch
from normalizers.errors import InvalidInput, UnsupportedOperation
from normalizers.evaluation.result import Tree, number
from normalizers.evaluation.sample import (
    DISTRIBUTION,
    GROUPS,
    MOMENTS,
    PROBABILITIES,
    RANGE,
    compared,
    read_sample,
)
from normalizers.evaluation.verdict import verdict, with_cause
from normalizers.measures.drift import Part
from normalizers.versions.version import Version

REASONS = {
    DISTRIBUTION: "the version keeps no distribution of what it was fitted on",
    RANGE: "the version keeps no smallest and largest value",
    MOMENTS: "the version keeps no mean and deviation",
}


def drift(version: Version, batch: Batch, canary: Tree | None = None) -> Tree:
    """Return how far a live sample is from what a version was fitted on.

    Parameters
    ----------
    version : Version
        A fitted version with its statistics.
    batch : Batch
        The live sample as the version reads its input.
    canary : dict, optional
        What :func:`normalizers.versions.canary.compared_canary` found: a changed model is told
        from changed traffic by it.

    Returns
    -------
    dict
        ``n``, ``n_fitted``, ``missing``, and what the statistics allow: ``distribution`` (``ks``,
        and by ``p`` the quantiles ``fitted``, ``live``, ``shift``), ``range`` (ends,
        ``out_of_range``), ``moments`` (``shift`` in fitted deviations, ``ratio`` of deviations),
        ``verdict`` (``drifted``, ``size``, ``text`` and the numbers it weighs, with a canary
        ``cause``: ``model``, ``traffic`` or ``none``);
        null with the reason where they do not. One number a column, and a group; a plain number
        where there is one column.

    Raises
    ------
    UnsupportedOperation
        For a version without statistics, or of which none tells of single values.
    InvalidInput
        For a sample without values.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers import Percentile
    >>> from normalizers.evaluation import drift
    >>> version = Percentile().fit([1.0, 2.0, 3.0, 4.0]).version_
    >>> found = drift(version, version.read({"scores": [3.0, 5.0]}))
    >>> found["distribution"]["ks"], found["range"]["out_of_range"]
    (0.5, 0.5)
    """
    resolved, kept = version.resolved_method, version.statistics
    if kept.is_empty:
        raise UnsupportedOperation(
            f"this version of '{resolved.name}' keeps no statistics to compare a sample with"
        )
    sample = read_sample(resolved, batch)
    if np.isnan(sample.columns).all():
        raise InvalidInput("there are no values in the sample", path=f"input.{sample.name}")
    found = compared(kept, sample)
    if found.membership and not found.parts:
        raise InvalidInput("no row belongs to a group of the fit", path=f"input.{GROUPS}")
    if not found.parts:
        raise UnsupportedOperation(
            f"'{resolved.name}' keeps nothing of single values that a sample could be compared with"
        )
    reasons = {name: why for name, why in REASONS.items() if name not in found.parts}
    if np.isnan(found.parts.get(MOMENTS, {}).get("shift", np.zeros(0))).any():
        reasons[f"{MOMENTS}.shift"] = "the fitted deviation is 0"
    return {
        "n": len(sample.columns),
        "n_fitted": kept.n,
        "missing": int(np.isnan(sample.columns).any(axis=1).sum()),
        **found.membership,
        **{name: _shown(found.parts.get(name)) for name in REASONS},
        **({"canary": canary} if canary else {}),
        "verdict": with_cause(verdict(found.parts, len(sample.columns), kept.n), canary),
        **({"reasons": reasons} if reasons else {}),
    }


def _shown(part: Part | None) -> Tree | None:
    """Return a part with one number in place of an array of the only column."""
    if part is None:
        return None
    return {
        name: array if name == PROBABILITIES else _squeezed(array) for name, array in part.items()
    }


def _squeezed(array: Array) -> object:
    if array.shape[-1] != 1:
        return array
    narrow = array[..., 0]
    return narrow if narrow.ndim else number(float(narrow))
