"""Which strength suits: a small grid on rows held out, or on pairs of known similarity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, cast

import numpy as np

from normalizers.bases.vectors import Step, average_cosine, missing_rows, prepared
from normalizers.contract import Batch, Fields, Fitted
from normalizers.contract.fields import floats, integers, optional
from normalizers.data.arrays import Array
from normalizers.embeddings.base.group_maps import GroupMaps
from normalizers.embeddings.base.shrinkage import chosen_shrinkage
from normalizers.embeddings.base.spectrum import Spectrum
from normalizers.errors import InvalidInput
from normalizers.measures.vectors import Pairs, cosine_spearman, pair_cosines
from normalizers.statistics import Scatter

GRID = (10.0, 3.0, 1.0, 0.1)
HELD_OUT = 5  # every fifth row, where no others were sent
MOST_ROWS = 4000  # of those held out
# A direction whose variance grows this much on other rows was fitted to chance.
OVERFIT_RATIO = 2.0
FIRST, SECOND, SIMILARITIES = "pair_first", "pair_second", "pair_similarities"
FULL = {"eps": 0.0, "shrinkage": "auto"}
NONE = "as they are"


class Trial(NamedTuple):
    """One point of the grid: its parameters and its map of centred rows, None for no map."""

    says: str
    params: dict[str, object] | None
    matrix: Array | None


class Recommending(GroupMaps):
    """Base of the whitenings that try a small grid where a fit asks to ``recommend``."""

    @property
    def fits(self) -> Fields:
        """Rows, and pairs of known similarity for the grid."""
        if self.by_group:
            return super().fits
        place = "of each pair: its position in validation, or in x without it"
        return super().fits.with_fields(
            **{
                FIRST: optional(integers("p", help=f"first row {place}; for recommend")),
                SECOND: optional(integers("p", help=f"second row {place}; for recommend")),
                SIMILARITIES: optional(floats("p", help="how similar it is known to be")),
            }
        )

    def report(self, batch: Batch, fitted: Fitted) -> dict[str, object]:
        """Return what only the rows know, and the curve of the grid where it is asked for."""
        told = super().report(batch, fitted)
        if not batch.asked.get("recommend"):
            return told
        verdict = cast("dict[str, object]", fitted.report["verdict"])
        found = recommended(batch, cast(Step, self.pre), int(self.ddof or 0), str(verdict["code"]))
        return {**told, "recommended": found}


def recommended(batch: Batch, pre: Step, ddof: int, verdict: str) -> dict[str, object]:
    """Return the curve of the grid, and which point of it suits.

    With pairs that is the one of the highest rank correlation of cosines. Without, nothing tells
    of rankings: it is what the verdict says, softened until no direction of the rows held out
    has more than twice the variance that it was fitted to.
    """
    rows = _clean(batch.array("x"), pre)
    own = "validation" in batch
    other = _clean(batch.array("validation"), pre) if own else rows
    labelled = FIRST in batch
    train = rows
    if not own and not labelled:
        held = np.arange(len(rows)) % HELD_OUT == HELD_OUT - 1
        train, other = rows[~held], rows[held]
    if len(train) < 3 or len(other) < 2:
        raise InvalidInput("there are too few rows to hold some out", path="options.recommend")
    scatter = Scatter().update(train)
    spectrum = Spectrum.of(scatter, ddof)
    pairs = _pairs(batch, len(other)) if labelled else None
    shown = other if pairs is not None else other[:MOST_ROWS]
    curve = [_measured(one, scatter.mean, shown, pairs) for one in _trials(spectrum)]
    best = _best(curve, verdict, by="spearman" if pairs is not None else "held_out")
    return {
        "by": "spearman of the pairs" if pairs is not None else "the verdict and rows held out",
        # Pairs of the rows of the fit flatter it.
        "in_sample": pairs is not None and not own,
        "n_fitted": len(train),
        "n_measured": len(shown),
        "curve": curve,
        "params": best["params"],
        "says": best["says"],
    }


def _clean(x: Array, pre: Step) -> Array:
    whole = np.delete(x, missing_rows(x), axis=0).astype(np.float64)
    return prepared(whole, pre)


def _trials(spectrum: Spectrum) -> Iterator[Trial]:
    """Yield the points of the grid, from nothing to full."""
    yield Trial(NONE, None, None)
    yield Trial("centred", {"strength": 0.0}, np.eye(spectrum.d))
    values, vectors = spectrum.eigen
    # The spectrum is in units of 2^exponent, the rows are not.
    unit = 2.0**-spectrum.exponent
    for eps_rel in GRID:
        inverse = 1 / np.sqrt(values + eps_rel * spectrum.mean_variance)
        params: dict[str, object] = {"eps_rel": eps_rel, "shrinkage": "none"}
        yield Trial(f"eps_rel {eps_rel:g}", params, (vectors * (inverse * unit)) @ vectors.T)
    weight = chosen_shrinkage(spectrum, "auto").weight
    mixed = (1 - weight) * values + weight * spectrum.mean_variance
    # As in a fit: what is below a millionth of the largest is no direction.
    kept = mixed > 1e-6 * mixed[0]
    inverse = np.divide(1, np.sqrt(mixed), out=np.zeros_like(mixed), where=kept)
    yield Trial("full", dict(FULL), (vectors * (inverse * unit)) @ vectors.T)


def _measured(
    trial: Trial, mean: Array, rows: Array, pairs: tuple[Array, Array, Array] | None
) -> dict[str, object]:
    y = rows if trial.matrix is None else (rows - mean) @ trial.matrix
    told: dict[str, object] = {"says": trial.says, "params": trial.params}
    told["average_cosine"] = average_cosine(y)
    if pairs is not None:
        first, second, known = pairs
        cosines = Pairs(pair_cosines(y, first, second), known, np.ones(len(known)))
        told["spearman"] = cosine_spearman(cosines)
        return told
    spread = np.linalg.eigvalsh(np.cov(y.T)) if y.shape[1] > 1 else np.array([y.var(ddof=1)])
    told["largest_variance"] = float(spread[-1])
    told["overfit"] = (
        trial.matrix is not None and trial.says == "full" and bool(spread[-1] > OVERFIT_RATIO)
    )
    return told


def _best(curve: list[dict[str, object]], verdict: str, *, by: str) -> dict[str, object]:
    if by == "spearman":
        return max(curve, key=lambda one: np.nan_to_num(cast(float, one["spearman"]), nan=-2))
    named = {str(one["says"]): one for one in curve}
    if verdict == "full":
        # Softer where the full inverse fits chance.
        return named["eps_rel 1"] if named["full"]["overfit"] else named["full"]
    wanted = {"soft": "eps_rel 10", "centre": "centred"}
    return named[wanted.get(verdict, NONE)]


def _pairs(batch: Batch, n: int) -> tuple[Array, Array, Array]:
    """Return the positions of both rows of each pair, and what is known of them."""
    for name in (FIRST, SECOND, SIMILARITIES):
        if name not in batch:
            raise InvalidInput(f"pairs need '{name}' too", path=f"fit.{name}")
    first, second = (batch.array(name).astype(np.int64) for name in (FIRST, SECOND))
    for name, places in ((FIRST, first), (SECOND, second)):
        wrong = (places < 0) | (places >= n)
        if wrong.any():
            row = int(np.argmax(wrong))
            raise InvalidInput(
                f"a pair names rows by position, 0 to {n - 1}", path=f"fit.{name}[{row}]"
            )
    return first, second, batch.array(SIMILARITIES)
