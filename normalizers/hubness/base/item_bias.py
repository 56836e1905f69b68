"""What the methods share that subtract one number for each item of the gallery."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from normalizers.bases.direction import ScoreType, as_similarities, as_similarity_lists
from normalizers.contract import (
    Answer,
    Batch,
    Fields,
    Fitted,
    Notice,
    Options,
    Statistics,
    Traits,
    floats,
    id_lists,
    integer_lists,
    lists,
    notice,
    optional,
    param,
    unwrap,
)
from normalizers.contract.exports import NPY, NPZ, Export, npy
from normalizers.contract.parameter_models import other_words
from normalizers.contract.tolerance import CLOSE, agree
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, InvalidParams, ShapeError, position_text
from normalizers.hubness.base.candidates import (
    certificate,
    found_by_id,
    found_by_position,
    item_positions,
    require_once,
)
from normalizers.hubness.base.live import UNKNOWN, Live
from normalizers.messages import quoted
from normalizers.normalizer import Normalizer


class ItemBiasNormalizer(Normalizer):
    """Base of the methods whose score is ``s - strength h_j``, h_j a number of the item alone.

    Their fitted arrays hold ``item_bias (g,)``, ``mean_bias ()`` and, where the fit names its
    items, ``item_ids (g,)``.

    Notes
    -----
    A candidate whose item the fit does not know gets the mean bias and is flagged
    ``unknown_item``. Candidate lists are exact for what they hold; the report says by list whether
    an item outside it could still be among the best `top_k` (``certified``), provided that the
    list holds the query's best raw scores.
    """

    family = "hubness"
    traits = Traits(options=frozenset({"top_k"}))
    fittable = True
    takes = Fields(
        (
            ("sims",),
            ("candidate_ids", "candidate_scores"),
            ("candidate_positions", "candidate_scores"),
        ),
        sims=optional(floats("q g", flat="row", help="live queries against the gallery")),
        candidate_scores=optional(lists(help="scores of the candidates of each query")),
        candidate_ids=optional(id_lists(help="items of the candidates of each query")),
        candidate_positions=optional(
            integer_lists(help="the same by their positions in the gallery, from 0")
        ),
    )
    gives = Fields(scores=floats("q g", flat="row", help="corrected scores, formed as the input"))

    strength: float | None = param(
        default=None, default_value=1.0, ge=0, affects="answer", help="share of the bias subtracted"
    )
    center_bias: bool | None = param(
        default=None,
        default_value=False,
        affects="answer",
        help="subtract the mean bias of the gallery from every bias",
    )
    unknown_item: Literal["mean_bias", "raw", "error"] | None = param(
        default=None,
        default_value="mean_bias",
        affects="answer",
        help="the bias of a candidate that the fit does not know: the mean, none, or refused",
    )
    score_type: ScoreType | None = param(
        default=None,
        default_value="similarity",
        affects="statistics",
        help="higher is better, or distances, which are negated",
    )
    nan_policy: Literal["reject", "omit"] | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="a missing value: refused, or its bank row left out",
    )

    @property
    def inverse_takes(self) -> Fields:
        """Corrected scores of the whole gallery or, with their ids, of candidates."""
        scores = lists(help="corrected scores")
        return Fields(
            scores=scores,
            candidate_ids=optional(id_lists(help="their items")),
            candidate_positions=optional(integer_lists(help="their items by position")),
        )

    @property
    def exports(self) -> tuple[str, ...]:
        """The arrays, and what is subtracted by item alone, for folding into an index.

        With items ``[x, -bias]`` and queries ``[q, 1]`` an inner product is the corrected score.
        """
        return (NPZ, NPY)

    def export(self, fitted: Fitted, name: str) -> Export:
        """Return the arrays of a fit, or the bias of every item in the order of the gallery."""
        return npy(self.biases(fitted)[:-1]) if name == NPY else super().export(fitted, name)

    def corrected(self, fitted: Fitted, live: Live) -> Array:
        """Return the scores less the bias of their items, flat."""
        return np.asarray(live.scores.values - live.of_items(self.biases(fitted)))

    def formed(self, adjusted: Array, fitted: Fitted, live: Live) -> Array:
        """Return corrected scores in the form that is asked for; by default as they are."""
        return adjusted

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return corrected scores."""
        if "sims" in batch:
            return self._whole_gallery(fitted, batch, options)
        return self._candidates(fitted, batch, options)

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return scores from corrected scores, by adding the bias back."""
        scores = batch.ragged("scores")
        named = "candidate_ids" in batch or "candidate_positions" in batch
        items = self._located(fitted, batch) if named else _all_items(scores, fitted.sizes["g"])
        raw = scores.values + self.biases(fitted)[items]
        sign = -1.0 if self.score_type == "distance" else 1.0
        answer = Answer({"candidate_scores" if named else "sims": scores.with_values(sign * raw)})
        return answer.flagged("unknown_item", scores.positions(np.flatnonzero(items == UNKNOWN)))

    def first_difference(
        self, found: Fitted, expected: Fitted, statistics: Statistics | None = None
    ) -> str | None:
        """Return the name of the first array that is not that of the expected fit, or None.

        The mean of biases that cancel is compared by the size of the biases.
        """
        name = super().first_difference(found, expected, statistics)
        if name != "mean_bias" or found["mean_bias"].shape != ():
            return name
        # A mean near 0 is known to the rounding of the biases, not to its own: they are compared
        # together.
        mine = np.append(found["item_bias"], found["mean_bias"])
        right = np.append(expected["item_bias"], expected["mean_bias"])
        return None if agree(mine, right, CLOSE) else name

    def biases(self, fitted: Fitted) -> Array:
        """What is subtracted by item, shape (g + 1,); the last is that of an unknown item."""
        chosen = (self.strength, self.center_bias, self.unknown_item)
        return fitted.once(("biases", *chosen), lambda: self._made_biases(fitted))

    def _made_biases(self, fitted: Fitted) -> Array:
        mean = float(fitted["mean_bias"])
        shift = mean if self.center_bias else 0.0
        unknown = 0.0 if self.unknown_item == "raw" else mean - shift
        with np.errstate(over="ignore"):
            # The last place is that of UNKNOWN, which is -1.
            bias = np.append(fitted["item_bias"] - shift, unknown) * unwrap(self.strength)
        if not np.isfinite(bias).all():
            raise InvalidParams("strength times a bias is too large", path="params.strength")
        return np.asarray(bias)

    def lowest_bias(self, fitted: Fitted) -> float:
        """Return the smallest bias of the gallery, strength included; 0 without items."""
        bias = self.biases(fitted)
        chosen = (self.strength, self.center_bias)
        lowest = fitted.once(("lowest", *chosen), lambda: np.min(bias[:-1], initial=np.inf))
        return float(lowest) if len(bias) > 1 else 0.0

    def live(self, fitted: Fitted, batch: Batch) -> Live:
        """Return the live scores of a request as similarities, and their items."""
        scores = unwrap(self.score_type)
        if "sims" in batch:
            return Live.whole_gallery(as_similarities(batch.array("sims"), scores, "input.sims"))
        raw = as_similarity_lists(
            batch.ragged("candidate_scores"), scores, "input.candidate_scores"
        )
        return Live(raw, self._located(fitted, batch), len(fitted["item_bias"]))

    def _whole_gallery(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        if options.top_k is not None:
            raise InvalidParams("top_k is for candidate lists", path="options.top_k")
        live = self.live(fitted, batch)
        adjusted = self.corrected(fitted, live)
        answer = self.answered(fitted, live, adjusted)
        scores = self.formed(adjusted, fitted, live).reshape(batch.array("sims").shape)
        explain = self.parts(fitted, live) if options.explain else None
        return replace(answer, output={"scores": scores, **answer.output}, explain=explain)

    def _candidates(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        live = self.live(fitted, batch)
        raw = live.scores
        adjusted = self.corrected(fitted, live)
        answer = self.answered(fitted, live, adjusted)
        scores = raw.with_values(self.formed(adjusted, fitted, live))
        if len(live.unknown):
            answer = answer.flagged("unknown_item", raw.positions(live.unknown))
        report, warnings = self._certified(fitted, live, adjusted, options.top_k or 1)
        return replace(
            answer,
            output={"scores": scores, **answer.output},
            report=report,
            warnings=(*answer.warnings, *warnings),
            explain=self.parts(fitted, live) if options.explain else None,
        )

    def answered(self, fitted: Fitted, live: Live, adjusted: Array) -> Answer:
        """Return what stands beside the scores in an answer: nothing, by default."""
        return Answer({})

    def parts(self, fitted: Fitted, live: Live) -> dict[str, object]:
        """Return the parts behind each score."""
        bias = self.biases(fitted)
        told = [part.tolist() for part in live.scores.with_values(live.of_items(bias))]
        of_items = bias[:-1].tolist() if live.whole else told
        mean = float(fitted["mean_bias"])
        return {"strength": self.strength, "mean_bias": mean, "item_bias": of_items}

    def _certified(
        self, fitted: Fitted, live: Live, adjusted: Array, top_k: int
    ) -> tuple[dict[str, object], tuple[Notice, ...]]:
        """Return by list whether its best are those of the gallery, with a warning if not."""
        lists = live.scores.with_values(adjusted)
        # A list that holds the whole gallery leaves nothing outside.
        found = certificate(live.scores, lists, self.lowest_bias(fitted), top_k, live.complete())
        report = {"top_k": top_k, "min_margin": found.min_margin, "certified": found.certified}
        uncertain = found.certified.count(False)
        if not uncertain:
            return report, ()
        message = "an item outside the list could be among the best of some; send more candidates"
        return report, (notice("not_certified", message, count=uncertain),)

    def _located(self, fitted: Fitted, batch: Batch) -> Array:
        """Return the item of each candidate, -1 where the fit does not know it."""
        name = "candidate_ids" if "candidate_ids" in batch else "candidate_positions"
        if "candidate_ids" in batch and "candidate_positions" in batch:
            raise InvalidInput("name items by id or by position, not both", path=f"input.{name}")
        candidates, path = batch.ragged(name), f"input.{name}"
        if name == "candidate_ids":
            items = found_by_id(candidates, self._positions(fitted))
        else:
            items = found_by_position(candidates, len(fitted["item_bias"]), path)
        require_once(candidates, items, path)
        if self.unknown_item == "error" and (items == UNKNOWN).any():
            first = int(np.argmax(items == UNKNOWN))
            place = batch.form(name).as_written(candidates.position(first))
            raise InvalidInput(
                f"the fit does not know the item {quoted(str(candidates.values[first]))}; "
                f"unknown_item {other_words(self, 'unknown_item', 'error')} accepts it",
                path=f"{path}{position_text(place)}",
            )
        return items

    def _positions(self, fitted: Fitted) -> dict[str, int]:
        def made() -> dict[str, int]:
            return item_positions(fitted.get("item_ids"), len(fitted["item_bias"]))

        return fitted.once("item_positions", made)


def _all_items(scores: Ragged, items: int) -> Array:
    wrong = (scores.lengths != items) & (scores.lengths > 0)
    if wrong.any():
        index = int(np.argmax(wrong))
        raise ShapeError(
            f"{int(scores.lengths[index])} scores, but the gallery of the fit has {items}; "
            "scores of candidates come with 'candidate_ids'",
            path=f"input.scores[{index}]",
        )
    return np.arange(len(scores.values), dtype=np.int64) % max(items, 1)
