"""Secondary distances: a distance measured by the neighbourhoods of both of its ends."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Literal

import numpy as np

from normalizers.bases.direction import ScoreType
from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Fields,
    Fitted,
    Notice,
    Options,
    floats,
    param,
)
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput, ShapeError, position_text
from normalizers.hubness.base.bank_fit import BANK_FIELDS, BankNormalizer
from normalizers.hubness.base.item_bias import ItemBiasNormalizer
from normalizers.hubness.base.live import Live

SQUARE = Fields(sims=floats("q g", help="distances of objects to each other"))


class SecondaryDistance(BankNormalizer):
    """Base of the methods that give a distance in place of a distance.

    Notes
    -----
    Fitted, the item's side comes from its distances to a bank and the query's side from the
    distances sent: to the gallery, or to its candidates. With `symmetric` nothing is fitted:
    ``sims`` is one square matrix of n objects, an object is no neighbour of its own, and the
    diagonal of the answer is 0. Answers are distances, smaller is nearer; scores that are
    similarities (`score_type`) are taken as their negatives. There is no way back. A candidate
    whose item the fit does not know is measured by the mean of the items' sides, with
    ``unknown_item: raw`` it is missing.
    """

    kinds = ("fitted", "stateless")  # type: ignore[assignment]
    traits = replace(ItemBiasNormalizer.traits, options=frozenset())
    inverse_takes = NO_FIELDS
    strength = None
    center_bias = None

    score_type: ScoreType | None = param(
        default=None,
        default_value="distance",
        affects="statistics",
        help="distances, or similarities, which are negated",
    )
    symmetric: bool | None = param(
        default=None,
        default_value=False,
        affects="statistics",
        fits_when=lambda symmetric: not symmetric,
        help="measure one square matrix of distances by itself, without a fit",
    )
    unknown_item: Literal["mean_bias", "raw", "error"] | None = param(
        default=None,
        default_value="mean_bias",
        affects="answer",
        help="the side of a candidate that the fit does not know: the mean, missing, or refused",
    )

    @property
    def fits(self) -> Fields:  # type: ignore[override]
        """The bank, unless the matrix is measured by itself."""
        return NO_FIELDS if self.symmetric else BANK_FIELDS

    @property
    def takes(self) -> Fields:  # type: ignore[override]
        """Distances of live queries, or of objects to each other."""
        return SQUARE if self.symmetric else ItemBiasNormalizer.takes

    @property
    def fittable(self) -> bool:  # type: ignore[override]
        """Whether there is a fit."""
        return not self.symmetric

    @abstractmethod
    def of_square(self, distances: Array) -> Array:
        """Return the secondary distances of n objects; the diagonal is set to 0 afterwards."""

    @abstractmethod
    def of_live(self, distances: Array, fitted: Fitted, live: Live) -> Array:
        """Return the secondary distances of live queries, flat."""

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return secondary distances."""
        if not self.symmetric:
            return super().apply(fitted, batch, options)
        distances = self._square(batch.array("sims"))
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.array(self.of_square(distances)) if distances.size else distances.copy()
        np.fill_diagonal(found, 0.0)
        return Answer({"scores": found}, explain={"symmetric": True} if options.explain else None)

    def corrected(self, fitted: Fitted, live: Live) -> Array:
        """Return the secondary distances."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.of_live(-live.scores.values, fitted, live)

    def ranked(self, fitted: Fitted, live: Live) -> Array:
        """Return the negated secondary distances."""
        return -self.corrected(fitted, live)

    def parts(self, fitted: Fitted, live: Live) -> dict[str, object]:
        """Return the items' sides."""
        return {"item_bias": fitted["item_bias"].tolist()}

    def of_items(self, numbers: Array, live: Live) -> Array:
        """Return for each score its item's number, with the mean for an unknown item."""
        missing = self.unknown_item == "raw" or not len(numbers)
        unknown = np.nan if missing else float(np.mean(numbers))
        return live.of_items(np.append(numbers, unknown))

    def _certified(
        self, fitted: Fitted, live: Live, adjusted: Array, top_k: int
    ) -> tuple[dict[str, object], tuple[Notice, ...]]:
        """Return nothing: what lies outside a list has no bound here."""
        return {}, ()

    def _square(self, sims: Array) -> Array:
        rows, columns = sims.shape
        if rows != columns:
            raise ShapeError(
                f"{rows} rows of {columns}: distances of objects to each other are square",
                path="input.sims",
            )
        distances = sims if self.score_type == "distance" else -sims
        if self.score_type == "distance" and (distances < 0).any():
            place = position_text(np.argwhere(distances < 0)[0].tolist())
            raise InvalidInput("a distance is negative", path=f"input.sims{place}")
        return np.asarray(distances, dtype=np.float64)


def others(distances: Array) -> Array:
    """Return each row's distances to other objects, ascending, shape (n, n - 1)."""
    apart = np.array(distances)
    np.fill_diagonal(apart, np.inf)
    return np.asarray(np.sort(apart, axis=1)[:, :-1])
