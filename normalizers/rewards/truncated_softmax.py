"""Truncated softmax: the largest probabilities, made to add up to 1, and how much was kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Traits,
    floats,
    integers,
    like,
    lists,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput
from normalizers.kernels import segments
from normalizers.normalizer import Normalizer
from normalizers.rewards.base.log_probabilities import (
    highest_of,
    log_sum,
    logs_of,
    logs_of_shares,
    softmax,
)


class TruncatedSoftmax(Normalizer):
    """Keep the most probable of a list and renormalize: q = p / Z, Z the mass that is kept.

    p is the softmax of the scores (logits, log-probabilities or probabilities) over `temperature`;
    by falling p, of equal ones the earlier first, the `top_k` are kept, of these the fewest whose
    mass reaches `top_p`, and at least one. What is left out has probability 0. A sequence is
    distorted by the product of 1 / Z over its steps: `log_kept_mass` adds up.

    Notes
    -----
    With `ties` ``keep_all`` all that equal the last one kept are kept too; with ``index`` the
    earlier. `top_p` 1 keeps all. An impossible entry is probability 0 (form ``probs``) or, in
    Python, -inf; a list of none but those is refused, as a missing score is. Logits of any size
    do not overflow. With a temperature other than 1 `kept_mass_untempered` is the mass of the
    same set at temperature 1. The way back, at temperature 1, gives p = q Z on the kept set, or its
    logarithm; what was left out comes back as 0 or missing. Cost O(N log N).

    References
    ----------
    Top-k and nucleus sampling; "Local normalization distortion", arXiv 2503.21929.

    Examples
    --------
    >>> from normalizers import TruncatedSoftmax
    >>> answer = TruncatedSoftmax(top_p=0.9).apply_to([2.0, 1.0, 0.0, -1.0])
    >>> answer["probabilities"].round(6).tolist(), answer["kept_mass"].round(6).tolist()
    ([0.665241, 0.244728, 0.090031, 0.0], [0.967941])
    """

    name = "truncated_softmax"
    family = "rewards"
    kinds = ("stateless",)
    aliases = {"local_probability_normalization": {}}
    traits = Traits(way_back="kept")
    takes = Fields(scores=lists(screened=False, help="logits, log-probabilities or probabilities"))
    examples = (
        Example({"top_p": 0.9}, input={"scores": [[2.0, 1.0, 0.0, -1.0]]}),
        Example(
            {"top_k": 2, "temperature": 2.0}, input={"scores": [[2.0, 1.0, 0.0]]}, name="tempered"
        ),
    )

    form: Literal["logits", "log_probs", "probs"] | None = param(
        default=None, default_value="logits", affects="answer", help="what the scores are"
    )
    temperature: float | None = param(
        default=None,
        default_value=1.0,
        gt=0,
        affects="answer",
        help="what divides the logarithms; for its limit 0 take top_k: 1",
    )
    top_k: int | None = param(
        default=None,
        resolves="all",
        ge=1,
        affects="answer",
        help="how many of the largest are kept",
    )
    top_p: float | None = param(
        default=None, resolves="1", gt=0, le=1, affects="answer", help="the mass that is kept"
    )
    ties: Literal["keep_all", "index"] | None = param(
        default=None,
        default_value="keep_all",
        affects="answer",
        help="entries equal to the last one kept: all of them, or the earlier",
    )

    @property
    def gives(self) -> Fields:
        """Probabilities of the kept set and its mass, at temperature 1 too where that differs."""
        fields = Fields(
            probabilities=like("scores", lists(help="0 outside the kept set")),
            kept_mass=floats("q", help="mass of the kept set of each list"),
            log_kept_mass=floats("q", help="its logarithm, which adds up over steps"),
            kept=integers("q", help="how many are kept"),
        )
        if self.temperature in (None, 1.0):
            return fields
        return fields.with_fields(
            kept_mass_untempered=floats("q", help="mass of the kept set at temperature 1")
        )

    @property
    def inverse_takes(self) -> Fields:
        """Probabilities and the mass that was kept; another temperature cannot be undone."""
        if self.temperature not in (None, 1.0):
            return NO_FIELDS
        return Fields(
            probabilities=lists(screened=False, help="probabilities of the kept set"),
            kept_mass=floats("q", help="the mass that was kept of each list"),
        )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the probabilities; the parts behind them are those before the cut."""
        scores = batch.ragged("scores")
        logs = self._logs(scores)
        shares = softmax(scores, logs / unwrap(self.temperature))
        kept = self._kept(scores, shares)
        inside = np.where(kept, shares, -np.inf)
        log_mass = log_sum(scores, inside)
        cut = np.exp(inside - segments.broadcast(log_mass, scores)) if len(logs) else logs
        output: dict[str, object] = {
            "probabilities": scores.with_values(cut),
            # A sum of shares goes beyond 1 by rounding alone.
            "kept_mass": np.minimum(np.exp(log_mass), 1.0),
            "log_kept_mass": np.minimum(log_mass, 0.0),
            "kept": segments.counts(scores, kept),
        }
        if self.temperature != 1.0:
            plain = np.where(kept, softmax(scores, logs), -np.inf)
            output["kept_mass_untempered"] = np.minimum(np.exp(log_sum(scores, plain)), 1.0)
        if not len(logs):
            empty = {name: value for name, value in output.items() if name != "probabilities"}
            zeros = {name: np.where(np.isfinite(v), v, 0.0) for name, v in empty.items()}  # type: ignore[call-overload]
            output |= zeros
        answer = Answer(output)  # type: ignore[arg-type]
        parts = {"probabilities": np.exp(shares).tolist()}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return p = q Z on the kept set, in the form that was sent."""
        cut = batch.ragged("probabilities")
        mass = batch.array("kept_mass")
        p = cut.values * segments.broadcast(mass, cut) if len(cut.values) else cut.values
        with np.errstate(divide="ignore"):
            found = p if self.form == "probs" else np.log(p)
        return Answer({"scores": cut.with_values(np.where(p > 0, found, self._outside))})

    @property
    def _outside(self) -> float:
        return 0.0 if self.form == "probs" else np.nan

    def _logs(self, scores: Ragged) -> Array:
        path = "input.scores"
        logs = logs_of_shares(scores, path) if self.form == "probs" else logs_of(scores, path)
        nothing = np.isinf(highest_of(scores, logs)) & (scores.lengths > 0)
        if nothing.any():
            part = int(np.argmax(nothing))
            raise InvalidInput("every entry of this list is impossible", path=f"{path}[{part}]")
        return logs

    def _kept(self, scores: Ragged, shares: Array) -> Array:
        """Return which entries are kept, boolean of shape (N,)."""
        kept = np.isfinite(shares)
        if self.top_k is None and self.top_p in (None, 1.0):
            return kept
        part = scores.part_of_each()
        order = np.lexsort((np.arange(len(shares)), -shares, part))
        for start, stop in zip(
            scores.offsets[:-1].tolist(), scores.offsets[1:].tolist(), strict=True
        ):
            if start == stop:
                continue
            ranked = order[start:stop]
            last = self._last(shares[ranked])
            beyond = ranked[last + 1 :]
            if self.ties == "keep_all":
                beyond = beyond[shares[beyond] < shares[ranked[last]]]
            kept[beyond] = False
        return kept

    def _last(self, falling: Array) -> int:
        """Return the place of the last one kept of log-shares that fall."""
        last = len(falling) - 1
        if self.top_k is not None:
            last = min(last, self.top_k - 1)
        if self.top_p is not None and self.top_p < 1:
            # Of one list alone: no sum goes over its neighbours.
            reached = np.cumsum(np.exp(falling)) >= self.top_p
            last = min(last, int(np.argmax(reached)) if reached.any() else last)
        return last
