"""The direction of scores that a fit has to know."""

from __future__ import annotations

from normalizers.contract import Statistics, param
from normalizers.normalizer import Normalizer
from normalizers.scores.base.similarity import SIMILARITIES, Similarity, check_direction


class DirectedFit(Normalizer):
    """Base of the methods whose fit depends on which scores are better."""

    similarity: Similarity | None = param(
        default=None, affects="solution", help="which similarity made the scores: their direction"
    )
    higher_is_better: bool | None = param(
        default=None,
        default_value=True,
        resolves="what the similarity says, else true",
        affects="solution",
        help="direction of the scores of the fit",
    )

    def check(self, path: str) -> None:
        """Refuse a direction that the similarity contradicts."""
        check_direction(self.similarity, self.higher_is_better, path)

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Take the direction from the similarity."""
        decided = super().defaults(statistics)
        if self.similarity is None:
            return decided
        return {**decided, "higher_is_better": SIMILARITIES[self.similarity]}

    @property
    def sign(self) -> float:
        """What turns scores so that more is better: 1 or -1."""
        return 1.0 if self.higher_is_better else -1.0
