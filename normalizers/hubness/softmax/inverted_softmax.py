"""Inverted softmax: scores corrected for items that are close to very many queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal, Self, cast

import numpy as np
from annotated_types import Gt

from normalizers.bases.bank import Bank, EmbeddedBank, Similarity, read_bank
from normalizers.contract import (
    NO_FIELDS,
    Batch,
    Example,
    Fields,
    Fitted,
    Notice,
    Statistic,
    Statistics,
    floats,
    ids,
    notice,
    optional,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.data.devices import CPU, CUDA
from normalizers.errors import FitError, InvalidInput, InvalidParams, NotEnoughData
from normalizers.hubness.base.item_bias import ItemBiasNormalizer
from normalizers.statistics import LogSumExp

# Between the best values found on two real sets, 1.6 and 3.4 divided by the deviation.
AUTO_FACTOR = 2.5
NO_SPREAD = 1e-14  # of the largest bias: what rounding leaves of equal ones


class InvertedSoftmax(ItemBiasNormalizer):
    """Subtract from each score the bias of its item: how close the item is to a bank of queries.

    ``score - strength h_j`` with ``h_j = ln(sum_b exp(beta S[b, j])) / beta`` over the bank's
    similarities S; `output` ``log`` is beta times that, ``ratio`` its exponential, the published
    form. Small beta: h is the mean similarity plus ln(b) / beta, which is the same for every item
    of a bank of b queries; beta tends to infinity: h is the largest similarity.

    Notes
    -----
    `beta` ``auto`` is 2.5 / (mean over the bank of the deviation of a query's similarities over
    the gallery), 1 where they have no deviation; it needs the whole bank in one fit. Everything
    is computed in logarithms, so that no beta overflows. Every score depends on its own query,
    its item and the fit alone. A candidate whose item the fit does not know gets the mean bias
    and is flagged ``unknown_item``. Candidate lists are exact for what they hold; the report says
    by list whether an item outside it could still be among the best `top_k` (``certified``),
    provided that the list holds the query's best raw scores. Without gallery ids an item is
    named by its position, ``"0"`` and so on. Missing values: refused; with ``omit`` bank rows are
    left out and scores stay missing. Ties stay ties. A bank of queries unlike the live ones makes
    retrieval worse. Fits from embeddings go block by block, zero vectors have cosine 0; on another
    device the blocks are float64 too, and biases the same to 1e-12 of the largest. Scores are
    corrected by NumPy. Cost O(b g d) for a fit, O(1) a score.

    References
    ----------
    Smith et al.: Offline bilingual word vectors, orthogonal transformations and the inverted
    softmax, 2017; Bogolin et al.: Cross modal retrieval with querybank normalisation, 2022.

    Examples
    --------
    >>> from normalizers import InvertedSoftmax
    >>> hub = InvertedSoftmax(beta=20.0).fit([[0.9, 0.2], [0.9, 0.4]])
    >>> hub.transform([[0.8, 0.6]]).round(4).tolist()
    [[-0.1347, 0.1991]]
    """

    name = "inverted_softmax"
    kinds = ("fitted",)
    traits = replace(ItemBiasNormalizer.traits, devices=(CPU, CUDA))
    aliases = {"is": {}, "invsm": {}, "invsoftmax": {}}
    fits = Fields(
        (("bank_sims",), ("bank_embeddings", "gallery_embeddings")),
        bank_sims=optional(floats("b g", flat="row", help="bank queries against the gallery")),
        bank_embeddings=optional(floats("b d", flat="row", native=True, help="bank queries")),
        gallery_embeddings=optional(floats("g d", flat="row", native=True, help="gallery items")),
        gallery_ids=optional(ids("g", help="names of the items")),
    )
    example = Example(
        params={"beta": 20.0},
        fit={"bank_sims": [[0.9, 0.2, 0.1], [0.8, 0.4, 0.3]], "gallery_ids": ["a", "b", "c"]},
        input={"candidate_ids": [["a", "b"], ["c"]], "candidate_scores": [[0.8, 0.7], [0.5]]},
    )

    beta: Annotated[float, Gt(0)] | Literal["auto"] | None = param(
        default=None,
        resolves="auto: 2.5 / mean deviation of a bank query's similarities",
        affects="statistics",
        help="inverse temperature",
    )
    temperature: float | None = param(
        default=None, gt=0, affects="statistics", help="1 / beta, in its place"
    )
    output: Literal["bias", "log", "ratio"] | None = param(
        default=None,
        default_value="bias",
        affects="answer",
        help="in units of the score, beta times that, or its exponential",
    )
    similarity: Similarity | None = param(
        default=None,
        resolves="cosine when a fit takes embeddings",
        affects="statistics",
        help="how embeddings are compared",
    )
    exclusive = (("beta", "temperature"),)

    @property
    def inverse_takes(self) -> Fields:
        """Corrected scores in the units of the input."""
        return NO_FIELDS if self.output in ("log", "ratio") else super().inverse_takes

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The log-sum-exp of every item."""
        return {"log_sum_exp": LogSumExp(self.similarity is not None, beta=self.inverse_temperature)}

    @property
    def inverse_temperature(self) -> float | None:
        """The beta that was given as a number or as a temperature, None for ``auto``."""
        if self.beta is None and self.temperature is not None:
            return 1 / self.temperature
        return float(self.beta) if isinstance(self.beta, (int, float)) else None

    def check(self, path: str) -> None:
        """Refuse a temperature without a finite inverse."""
        if self.temperature is not None and not np.isfinite(1 / self.temperature):
            raise InvalidParams("1 / temperature is too large", path=f"{path}.temperature")

    def resolved(
        self, statistics: Statistics | None, settled: Mapping[str, object] | None = None
    ) -> Self:
        """Return a copy with every parameter decided; a temperature stands there as its beta."""
        twin = super().resolved(statistics, settled)
        beta = twin.inverse_temperature
        return twin if beta is None else twin.with_values({"beta": beta, "temperature": None})

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Take beta, and whether there were embeddings, from the statistics."""
        if not statistics:
            return {}
        sums = _sums(statistics)
        return {"beta": sums.beta, "similarity": "cosine" if sums.from_embeddings else None}

    def decide(self, source: Batch | Statistics) -> dict[str, object]:
        """Take beta from statistics, which carry theirs, or find it and the similarity."""
        if isinstance(source, Statistics):
            beta = _sums(source).beta
            return {} if beta is None else {"beta": beta}
        decided: dict[str, object] = {"beta": self.inverse_temperature or self._auto_beta(source)}
        if "bank_embeddings" in source:
            decided["similarity"] = self.similarity or "cosine"
        return decided

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the bank's similarities to the log-sum-exp of every item."""
        beta = self.inverse_temperature
        if beta is None:
            raise InvalidParams(
                "beta 'auto' needs the whole bank: fit once with auto, then use this value",
                path="params.beta",
            )
        item_ids = batch.array("gallery_ids") if "gallery_ids" in batch else None
        part = self._bank(batch).log_sum_exp(beta, item_ids)
        sums = _sums(statistics)
        return statistics.replace(log_sum_exp=sums.merge(part))

    def report(self, batch: Batch, fitted: Fitted) -> dict[str, object]:
        """Return the deviation behind ``auto``, and zero vectors."""
        bank = self._bank(batch)
        told: dict[str, object] = {"bank_rows": bank.n, "mean_row_std": bank.mean_row_std()}
        if isinstance(bank, EmbeddedBank):
            told["zero_vectors"] = bank.zero_vectors()
        return told

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the bias of every item."""
        sums = _sums(statistics)
        beta, bias = unwrap(sums.beta), sums.bias
        if not np.isfinite(bias).all():
            raise FitError("beta is too small for the biases to be numbers", path="params.beta")
        arrays = {
            "item_bias": bias,
            "item_lse": sums.item_lse if sums.mergeable else bias * beta,
            "mean_bias": np.asarray(np.mean(bias) if len(bias) else 0.0),
            "beta": np.asarray(beta),
        }
        if sums.item_ids is not None:
            arrays["item_ids"] = sums.item_ids
        return Fitted(arrays, {"g": sums.items}, _report(beta, bias), _without_spread(bias))

    def formed(self, adjusted: Array, fitted: Fitted) -> Array:
        """Return corrected scores, their product with beta, or its exponential."""
        if self.output == "bias":
            return adjusted
        logarithm = float(fitted["beta"]) * adjusted
        formed = logarithm if self.output == "log" else np.exp(logarithm)
        if self.output == "ratio" and np.isinf(formed).any():
            raise InvalidInput(
                "a ratio is too large to be represented; use output 'log'", path="params.output"
            )
        return np.asarray(formed)

    def _bank(self, batch: Batch) -> Bank:
        return read_bank(
            batch,
            score_type=self.score_type or "similarity",
            similarity=self.similarity or "cosine",
            omit=self.nan_policy == "omit",
        )

    def _auto_beta(self, batch: Batch) -> float:
        bank = self._bank(batch)
        if not bank.n:
            raise NotEnoughData("the bank is empty: there is nothing to fit", path="fit")
        with np.errstate(divide="ignore", over="ignore"):
            # A bank without deviation, or with next to none, has no scale: then similarities are
            # taken as they are.
            beta = float(np.divide(AUTO_FACTOR, bank.mean_row_std()))
        return beta if np.isfinite(beta) else 1.0


def _sums(statistics: Statistics) -> LogSumExp:
    return cast(LogSumExp, statistics["log_sum_exp"])


def _report(beta: float, bias: Array) -> dict[str, object]:
    return {
        "beta": beta,
        "items": len(bias),
        "bias_min": float(np.min(bias)) if len(bias) else None,
        "bias_max": float(np.max(bias)) if len(bias) else None,
        "bias_mean": float(np.mean(bias)) if len(bias) else None,
    }


def _without_spread(bias: Array) -> tuple[Notice, ...]:
    # Relative to the biases: they carry an offset of ln(n) / beta, whose rounding is theirs.
    if len(bias) < 2 or np.ptp(bias) > NO_SPREAD * np.max(np.abs(bias)):
        return ()
    message = "the bank says nothing: every item has the same bias, and no ranking changes"
    return (notice("constant_bank", message),)
