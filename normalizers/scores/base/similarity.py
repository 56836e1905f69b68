"""Which similarity made the scores, and whether more of it is better."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from normalizers.errors import InvalidParams

Similarity: TypeAlias = Literal[
    "cosine",
    "dot",
    "bm25",
    "l2",
    "l1",
    "euclidean",
    "hamming",
    "cosine_distance",
    "negative_dot",
]
SIMILARITIES: Mapping[str, bool] = {
    "cosine": True,
    "dot": True,
    "bm25": True,
    "l2": False,
    "l1": False,
    "euclidean": False,
    "hamming": False,
    "cosine_distance": False,
    "negative_dot": False,
}


def check_direction(similarity: str | None, higher_is_better: bool | None, path: str) -> None:
    """Refuse a direction that the similarity contradicts."""
    if similarity is None or higher_is_better in (None, SIMILARITIES[similarity]):
        return
    raise InvalidParams(
        f"'{similarity}' means higher_is_better {str(SIMILARITIES[similarity]).lower()}",
        path=f"{path}.higher_is_better",
    )
