"""Golden words for the meaning of a refusal, and the problem types that say it."""

from __future__ import annotations

MEANINGS: dict[str, frozenset[str]] = {
    "non_finite": frozenset({"non-finite"}),
    "dimension_mismatch": frozenset({"shape-error", "incompatible-statistics"}),
    "bad_n": frozenset({"invalid-input"}),
    "n_negative": frozenset({"invalid-input", "incompatible-statistics"}),
    "rank": frozenset({"rank-deficient"}),
    "unknown_group": frozenset({"invalid-input"}),
}


def means(slug: str, word: str) -> bool:
    """Whether a problem type says what the golden word says; its own slug says it too."""
    return slug == word or slug in MEANINGS.get(word, frozenset())
