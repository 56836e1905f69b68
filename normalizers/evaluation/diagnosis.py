"""Whether a correction of hubs helps live queries: told without labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from normalizers.contract.neighbours import LiveNeighbours
from normalizers.data.arrays import Array
from normalizers.data.batch import Batch
from normalizers.errors import InvalidInput, InvalidParams, UnsupportedOperation
from normalizers.evaluation.hub_verdict import hub_verdict
from normalizers.evaluation.result import Tree, number
from normalizers.measures.hubness import MEASURES
from normalizers.measures.occurrence import Occurrences
from normalizers.measures.random_retrieval import expected
from normalizers.runtime.apply import read
from normalizers.validation.limits import Limits
from normalizers.versions.version import Version

DIAGNOSED_BY = 10  # nearest items of each query
SUGGESTED_QUERIES = 200
LEFT_OUT = "candidates, a few queries, or a method of two banks, tell no bias of every item"


class HasVersion(Protocol):
    """A normalizer that was fitted."""

    @property
    def version_(self) -> Version:
        """The version of the fit."""


def diagnose(
    fit: Version | HasVersion, x: object = None, /, *, k: int = DIAGNOSED_BY, **fields: object
) -> Tree:
    """Return whether a correction of hubs helps live queries, without labels.

    Parameters
    ----------
    fit : Version or fitted normalizer
        A method that corrects scores of the items of a gallery.
    x : array_like of shape (q, g), optional
        Scores of about 200 live queries against the gallery.
    k : int
        How many of the nearest items of each query count.
    **fields : array_like
        Others in their place: ``query_embeddings`` and ``gallery_embeddings``, or
        ``candidate_ids`` (``candidate_positions``) and ``candidate_scores``.

    Returns
    -------
    dict
        ``n`` queries, ``items``, ``k``, ``tie_share``; ``measures``: by name ``before``,
        ``after`` and ``random``, what random lists come to; ``agreement``, the correlation of
        the bias with that of the live queries as a bank, and ``live_agreement``, that of two
        halves of the live queries, null with the reason where they do not tell it; ``verdict``:
        ``hubs`` (are there more than at random), ``helps``, ``harms``, ``bank`` (``agrees``,
        ``differs``, ``unknown``), ``text``.

    Raises
    ------
    UnsupportedOperation
        For a method that corrects no ranking of items.
    InvalidInput
        For scores that a transform refuses, none, or lists that are too short.

    Notes
    -----
    The verdict weighs the Robin Hood index, the share of places in lists that would have to move
    until every item had equally many: a correction that does not lower it on live queries does
    harm. The bank shows other hubs than live queries meet where it agrees with them less than
    three quarters as well as they agree among themselves; where they hardly do, nothing tells.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers import Sinkhorn
    >>> from normalizers.evaluation import diagnose
    >>> rng = np.random.default_rng(0)
    >>> hubs = rng.normal(size=50)
    >>> bank, live = (rng.normal(size=(200, 50)) + hubs for _ in range(2))
    >>> found = diagnose(Sinkhorn().fit(bank), live)
    >>> found["verdict"]["helps"], found["verdict"]["bank"]
    (True, 'agrees')
    """
    version = fit if isinstance(fit, Version) else fit.version_
    main = next(iter(version.takes), "sims")
    if x is not None and main in fields:
        raise InvalidInput(f"'{main}' was given twice", path=main)
    values = fields if x is None else {main: x, **fields}
    return diagnosis(version, read_live(version, values), k)


def read_live(
    version: Version, values: Mapping[str, object], limits: Limits | None = None
) -> Batch:
    """Return validated live queries, as the method of a version is diagnosed by.

    Raises
    ------
    UnsupportedOperation
        For a method that corrects no ranking of items.
    """
    resolved = version.resolved_method
    if not resolved.diagnoses:
        raise UnsupportedOperation(
            f"'{resolved.name}' is not diagnosed: with these parameters it corrects no ranking of "
            "items"
        )
    sizes = version.fitted.sizes
    return read(resolved, resolved.diagnoses, values, "input", sizes, limits=limits)


def diagnosis(version: Version, batch: Batch, k: int = DIAGNOSED_BY) -> Tree:
    """Return the same as `diagnose`, of what `read_live` gave."""
    if k < 1:
        raise InvalidParams("k is at least 1", path="k")
    found = version.resolved_method.neighbours(version.fitted, version.statistics, batch, k)
    queries = len(found.before)
    if not queries or not found.items:
        what = "live query" if not queries else "item of a gallery"
        raise InvalidInput(f"there is no {what} to diagnose by", path="input")
    measures = _measures(found, k)
    agreement, among, reason = _agreements(found)
    told: Tree = {
        "n": queries,
        "items": found.items,
        "k": k,
        "tie_share": found.ties / queries,
        "measures": measures,
        "agreement": agreement,
        "live_agreement": among,
        "verdict": hub_verdict(measures["robin_hood"], agreement, among),
    }
    if reason:
        told["reasons"] = {"agreement": reason}
    warnings = _warnings(queries, found.items, k)
    return {**told, "warnings": warnings} if warnings else told


def _measures(found: LiveNeighbours, k: int) -> dict[str, dict[str, float | None]]:
    before, after = (Occurrences.of(lists, found.items) for lists in (found.before, found.after))
    return {
        measure.name: {
            "before": number(float(np.asarray(measure.function(before, k)))),
            "after": number(float(np.asarray(measure.function(after, k)))),
            "random": number(expected(measure.name, before, k)),
        }
        for measure in MEASURES
    }


def _agreements(found: LiveNeighbours) -> tuple[float | None, float | None, str]:
    """Return how the bias and that of live queries correlate, how those of two halves of them do.

    None where nothing tells it, with the reason.
    """
    if found.bias is None or not found.live_biases:
        return None, None, LEFT_OUT
    whole, even, odd = found.live_biases
    agreement, among = _correlation(found.bias, whole), _correlation(even, odd)
    return agreement, among, "" if agreement is not None else "the bias of every item is the same"


def _correlation(mine: Array, theirs: Array) -> float | None:
    """Return the correlation of two biases, None where one is the same for all items."""
    both = (_deviations(mine), _deviations(theirs))
    if both[0] is None or both[1] is None:
        return None
    return float(np.clip(both[0] @ both[1], -1.0, 1.0))


def _deviations(bias: Array) -> Array | None:
    """Return the deviations from the mean as a vector of length 1; None where there are none."""
    scale = float(np.max(np.abs(bias), initial=0.0))
    centred = bias / scale - np.mean(bias / scale) if scale else bias
    length = float(np.linalg.norm(centred))
    # An offset of all biases leaves its rounding.
    return centred / length if length > len(bias) * np.finfo(np.float64).eps else None


def _warnings(queries: int, items: int, k: int) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    if 2 * k > items:
        message = "k is more than half of the gallery: nearly every item is near, hub or not"
        found.append({"code": "large_k", "message": message, "k": k, "items": items})
    if queries < SUGGESTED_QUERIES // 4:
        message = f"a few live queries tell little; send about {SUGGESTED_QUERIES}"
        found.append({"code": "few_queries", "message": message, "n": queries})
    return found
