"""Suggestions for misspelt names, and the spellings peers use for our words."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from normalizers.errors import printable

LONGEST_SHOWN = 60  # characters of a name that was sent
# Spellings that peers, papers and golden files use for a field or parameter of ours. They are
# never accepted, only suggested.
FOREIGN_SPELLINGS = {
    "vectors": "x", "X": "x", "embeddings": "x", "output": "y", "aligned": "y",
    "group": "groups", "keys": "groups", "lp": "groups", "by": "group_by",
    "indptr": "offsets", "query_offsets": "offsets", "distances": "sims",
    "quality": "qualities", "cluster": "clusters", "weight": "weights",
    "human": "qualities", "metric_scores": "scores",
    "loc_scale": "loc", "stats": "statistics", "score": "scores", "id": "ids",
    "momentum": "alpha", "zero_variance_output": "constant_value", "zero_std": "constant_value",
    "few": "on_few", "singleton": "on_few", "missing_score": "nan_policy",
    "nonfinite": "nan_policy", "nan": "nan_policy", "unknown": "unknown_item",
    "lower_is_better": "higher_is_better", "increasing": "higher_is_better",
    "min_value": "lower", "max_value": "upper", "min_score": "lower", "max_score": "upper",
    "low": "quantile_range", "high": "quantile_range", "quantiles": "quantile_range",
    "top_n": "k", "tau": "temperature", "temp": "temperature", "iters": "iterations",
    "mode": "variant", "rank_constant": "k", "norm": "normalizer", "normalize": "normalizer",
    "l2_after": "post", "epsilon": "eps", "reference": "reference_kind",
    "metric": "similarity", "extrapolate": "out_of_bounds",
}  # fmt: skip


def printable_name(name: object) -> str:
    r"""Return a name as a message shows it: its beginning, with what does not print escaped.

    Examples
    --------
    >>> from normalizers.messages import printable_name
    >>> print(printable_name("a\nb"))
    a\nb
    """
    text = str(name)
    start = printable(text[:LONGEST_SHOWN])
    return start if len(text) <= LONGEST_SHOWN else f"{start}..."


def quoted(name: object) -> str:
    """Return a name as a message shows it, in quotes."""
    return f"'{printable_name(name)}'"


def quoted_key(key: Iterable[str]) -> str:
    """Return the labels of a key as a message shows them."""
    return " / ".join(map(quoted, key))


def suggestion(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that `name` most likely means, or None."""
    names = list(known)
    peer = FOREIGN_SPELLINGS.get(name)
    if peer in names:
        return peer
    close = get_close_matches(name.lower().replace("-", "_"), names, n=1, cutoff=0.6)
    return close[0] if close else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?``, or nothing when no name is close."""
    guess = suggestion(name, known)
    return f"; did you mean '{guess}'?" if guess else ""


def unknown(kind: str, name: object, known: Iterable[str]) -> str:
    """Return what is said of a name that is not known: a guess, and the names that are.

    Examples
    --------
    >>> from normalizers.messages import unknown
    >>> unknown("option", "explian", ["explain", "depth"])
    "unknown option 'explian'; did you mean 'explain'?; known: explain, depth"
    """
    names = list(known)
    hint = did_you_mean(str(name), names)
    return f"unknown {kind} {quoted(name)}{hint}; known: {', '.join(names) or 'none'}"
