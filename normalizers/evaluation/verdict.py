"""Whether a live sample has moved: by the size of what moved, and by what chance alone moves."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, log, sqrt

import numpy as np
from scipy.special import ndtri

from normalizers.data.arrays import Array
from normalizers.evaluation.result import Tree
from normalizers.measures.drift import TOLD, Part

# What a verdict weighs, and the columns of a table of quantiles.
WEIGHED = ("ks", "shift", "out_of_range")
QUANTILES = ("quantile", "fitted", "live", "shift")
DISTRIBUTION, RANGE, MOMENTS = "distribution", "range", "moments"
# Of samples of the same distribution about one in a hundred is called another.
CHANCE = 0.01
# A fifth of the spread is what Cohen calls small; less is no reason to fit again, however sure.
SHIFT_NOTED = 0.2
KS_NOTED = 0.1
OUT_OF_RANGE_NOTED = 0.05
LARGE = 2.5  # times what is noted: half a spread
# Quartiles of a normal distribution are so many deviations apart.
QUARTILES = 1.349


def verdict(parts: Mapping[str, Part], n: int, n_fitted: int | None) -> Tree:
    """Return what the parts of a comparison come to.

    Parameters
    ----------
    parts : mapping
        ``distribution``, ``range`` and ``moments``, as far as they are known.
    n, n_fitted : int
        Rows of the live sample and of the fit; the fit's may not be known.

    Returns
    -------
    dict
        ``drifted``; ``size`` (``none``, ``small``, ``large``); ``shift`` in fitted spreads, ``ks``
        and ``out_of_range`` of the columns that moved most, null where nothing tells them;
        ``chance``, which `ks` a sample of the same distribution seldom exceeds; ``text``.

    Notes
    -----
    A sample has drifted where something moved by more than chance moves it, and by more than a
    fifth of the spread, 0.1 of Kolmogorov and Smirnov's distance or 5 % out of range. A large
    sample alone does not make a small difference one.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.evaluation.verdict import verdict
    >>> moved = {"moments": {"shift": np.array([0.4])}, "range": {"out_of_range": np.array([0.12])}}
    >>> verdict(moved, 500, 1000)["text"]
    'drifted: shifted by 0.40 of the spread; 12 % out of range'
    """
    found = {
        "shift": _largest(_shift(parts)),
        "ks": _largest(parts.get(DISTRIBUTION, {}).get("ks")),
        "out_of_range": _largest(parts.get(RANGE, {}).get("out_of_range")),
    }
    first = next(iter(next(iter(parts.values())).values()))
    bounds = _chance(n, n_fitted or None, max(1, np.asarray(first).size))
    noted = {"shift": SHIFT_NOTED, "ks": KS_NOTED, "out_of_range": OUT_OF_RANGE_NOTED}
    beyond = [
        abs(value) / noted[name]
        for name, value in found.items()
        if value is not None and abs(value) > max(noted[name], bounds[name])
    ]
    size = "none" if not beyond else "large" if max(beyond) >= LARGE else "small"
    return {
        "drifted": bool(beyond),
        "size": size,
        **found,
        "chance": bounds["ks"],
        "text": _text(found, drifted=bool(beyond)),
    }


def with_cause(told: Tree, canary: Tree | None) -> Tree:
    """Return a verdict with its cause: the same rows have other numbers, or other rows came.

    Examples
    --------
    >>> from normalizers.evaluation.verdict import with_cause
    >>> same = {"n": 5, "changed": 0, "model_changed": False}
    >>> with_cause({"drifted": True, "text": "drifted: ks 0.40"}, same)["text"]
    'drifted: ks 0.40; the traffic changed: the 5 rows of the canary are as they were'
    """
    if canary is None:
        return told
    n, changed = canary["n"], canary["changed"]
    if canary["model_changed"]:
        cause = "model"
        says = f"the model changed: {changed} of {n} rows of the canary are other numbers now"
    else:
        cause = "traffic" if told["drifted"] else "none"
        first = "the traffic changed: " if told["drifted"] else ""
        says = f"{first}the {n} rows of the canary are as they were"
    return {**told, "cause": cause, "text": f"{told['text']}; {says}"}


def _shift(parts: Mapping[str, Part]) -> Array | None:
    """Return how far the middle moved, in fitted spreads."""
    if MOMENTS in parts:
        return parts[MOMENTS]["shift"]
    if DISTRIBUTION not in parts:
        return None
    places = {level: place for place, level in enumerate(TOLD)}
    fitted, shift = parts[DISTRIBUTION]["fitted"], parts[DISTRIBUTION]["shift"]
    # Halved first: the difference of two finite quantiles may be none.
    half = fitted[..., places[0.75], :] / 2 - fitted[..., places[0.25], :] / 2
    unit = np.where(half > 0, half, np.nan) * 2 / QUARTILES
    return shift[..., places[0.5], :] / unit


def _largest(values: Array | None) -> float | None:
    """Return the value that is furthest from 0, None where there is none."""
    known = np.asarray([] if values is None else values, dtype=np.float64).ravel()
    known = known[np.isfinite(known)]
    return float(known[np.abs(known).argmax()]) if known.size else None


def _chance(n: int, n_fitted: int | None, compared: int) -> dict[str, float]:
    """Return what samples of the same distribution seldom exceed; Bonferroni over columns."""
    # Shift, distance and range are three comparisons a column.
    rare = CHANCE / (3 * compared)
    unit = sqrt(1 / max(n, 1) + (0 if n_fitted is None else 1 / n_fitted))
    # The next value is below the smallest or above the largest of m in 2 cases of m + 1.
    share = 0.0 if n_fitted is None else 2 / (n_fitted + 1)
    deviation = sqrt(share * (1 - share) / max(n, 1))
    beyond = -float(ndtri(rare / 2))
    # Smirnov's limit: P(sqrt(nm/(n+m)) D > c) is about 2 exp(-2 c^2).
    ks = min(sqrt(-log(rare / 2) / 2) * unit, 1.0)
    return {
        "shift": beyond * unit if n else inf,
        "ks": ks,
        "out_of_range": share + beyond * deviation,
    }


def _text(found: Mapping[str, float | None], *, drifted: bool) -> str:
    shift, ks, out = found["shift"], found["ks"], found["out_of_range"]
    told = [
        "" if shift is None else f"shifted by {shift:.2f} of the spread",
        "" if out is None else f"{_percent(out)} % out of range",
        "" if ks is None else f"ks {ks:.2f}",
    ]
    said = "; ".join(part for part in told if part)
    return f"{'drifted' if drifted else 'no drift'}: {said}"


def _percent(share: float) -> str:
    # Two digits tell a small share; of 100 they would make a power of ten.
    return f"{100 * share:.2g}" if share < 0.995 else "100"
