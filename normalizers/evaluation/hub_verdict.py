"""What measures of hubs before and after a correction come to."""

from __future__ import annotations

from collections.abc import Mapping

from normalizers.evaluation.result import Tree

# Of what halves of the live queries agree: on a real set at least 0.98 for right banks, at most
# 0.6 for wrong ones, whatever the method.
AGREES = 0.75
TELLING = 0.3  # halves that agree less tell nothing of a bank
HUBS = 0.05  # more places to move than in random lists


def hub_verdict(
    robin_hood: Mapping[str, float | None], agreement: float | None, among: float | None
) -> Tree:
    """Return the verdict of a Robin Hood index ``before``, ``after`` and ``random``.

    Parameters
    ----------
    robin_hood : mapping
        The index.
    agreement, among : float or None
        How the bias of the bank agrees with live queries, and how these agree among themselves.

    Examples
    --------
    >>> from normalizers.evaluation.hub_verdict import hub_verdict
    >>> found = hub_verdict({"before": 0.55, "after": 0.64, "random": 0.37}, 0.32, 0.72)
    >>> found["harms"], found["bank"]
    (True, 'differs')
    """
    bank = judged_bank(agreement, among)
    before, after, random = (robin_hood[name] for name in ("before", "after", "random"))
    if before is None or after is None or random is None:
        return _told(bank, "no query has a neighbour", hubs=False, harms=None)
    hubs, harms = before > random + HUBS, after >= before
    other = "the bank shows other hubs than these queries meet"
    moved = f"robin_hood {before:.3f} -> {after:.3f}, at random {random:.3f}"
    differs = bank == "differs"
    if harms and differs:
        text = f"it harms: {moved}; {other}: fit on real queries"
    elif harms and not hubs:
        text = f"it harms, and there is little to correct: {moved}; serve the scores as they are"
    elif harms:
        text = f"it harms: {moved}; lower 'strength', or take another method or bank"
    elif differs:
        text = f"it helps, but less than it could: {moved}; {other}"
    elif not hubs:
        text = f"there are hardly more hubs than at random: {moved}; it may not be needed"
    else:
        text = f"it helps: {moved}"
    return _told(bank, text, hubs=hubs, harms=harms)


def judged_bank(agreement: float | None, among: float | None) -> str:
    """Return whether the bank ``agrees`` with live queries or ``differs``, or ``unknown``."""
    if agreement is None or among is None or among < TELLING:
        return "unknown"
    return "agrees" if agreement >= AGREES * among else "differs"


def _told(bank: str, text: str, *, hubs: bool, harms: bool | None) -> Tree:
    helps = harms is False
    return {"hubs": hubs, "helps": helps, "harms": bool(harms), "bank": bank, "text": text}
