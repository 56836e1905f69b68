"""Choice scores: log-probabilities of answer choices on one footing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, cast

import numpy as np

from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistic,
    Statistics,
    floats,
    id_lists,
    integer_lists,
    integers,
    labels,
    like,
    lists,
    optional,
    param,
    text_lists,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.kernels import segments
from normalizers.messages import quoted
from normalizers.normalizer import Normalizer
from normalizers.rewards.base.log_probabilities import (
    highest_of,
    logs_of,
    logs_of_shares,
    softmax,
)
from normalizers.statistics import Grouped, Moments

NOBODY = -1
LENGTHS = ("choice_lengths", "texts")


class ChoiceScores(Normalizer):
    """Score the choices of a question by log-probability, by length or against a baseline.

    score = L / length, with L the summed log-probability of a choice and its length in Unicode
    `characters`, UTF-8 `bytes` or `tokens`, or 1 (``none``); with `baseline` ``pmi`` L is less
    the log-probability of the choice without its context. `unit` must be named: of
    lm-evaluation-harness, ``acc`` is ``none``, ``acc_norm`` is ``characters`` (whatever its
    documents say), ``acc_mutual_info`` is ``none`` with ``pmi``; domain-conditional PMI is ``pmi``
    with the log-probabilities after the domain's premise.

    Notes
    -----
    The first of equal best scores wins, and `tie` is 1. One space at the beginning of a text is
    not counted. An empty choice has no length to divide by and is refused; so is a missing
    log-probability. An impossible choice is probability 0 in `probs`, or left out (in Python -inf
    passes): its score is missing and flagged so, and its probability is 0. A possible choice
    whose baseline is impossible has no PMI: missing, flagged ``degenerate``. With `scope`
    ``fitted`` the baselines are stored by name of the choice, the mean of what was seen of it, and
    a choice without one is refused. One choice is allowed; of none `argmax` is -1. There is no
    way back. Cost O(N).

    References
    ----------
    EleutherAI/lm-evaluation-harness lm_eval/api/task.py (issue 3278 on its unit);
    peterwestuw/surface-form-competition utils.py; allenai/revisiting_surface_form_competition.

    Examples
    --------
    >>> from normalizers import ChoiceScores
    >>> answer = ChoiceScores(unit="bytes").apply_to(
    ...     [[-9.6, -8.7, -8.4]], texts=[["猫咪", "кот", "cat"]]
    ... )
    >>> answer["argmax"].tolist(), answer["scores"][0].round(2).tolist()
    ([1], [-1.6, -1.45, -2.8])
    """

    name = "choice_scores"
    family = "rewards"
    kinds = ("stateless", "fitted")
    aliases = {"choice_normalize": {}, "pmi_dc": {"unit": "none", "baseline": "pmi"}}
    examples = (
        Example(
            {"unit": "characters"},
            input={
                "loglikelihoods": [[-4.0, -6.0, -5.0]],
                "texts": [["yes", "absolutely", "no way"]],
            },
        ),
        Example(
            {"unit": "none", "baseline": "pmi", "softmax": True},
            input={
                "loglikelihoods": [[-4.0, -6.0]],
                "baseline_loglikelihoods": [[-3.0, -9.0]],
            },
            name="pmi",
        ),
        Example(
            {"unit": "none", "baseline": "pmi", "scope": "fitted"},
            fit={
                "baseline_loglikelihoods": [-3.0, -9.0, -4.0],
                "choice_ids": ["yes", "no", "maybe"],
            },
            input={"loglikelihoods": [[-4.0, -6.0]], "choice_ids": [["yes", "no"]]},
            name="stored",
        ),
    )

    unit: Literal["none", "characters", "bytes", "tokens"] | None = param(
        default=None,
        resolves="required",
        affects="answer",
        help="what a choice's log-probability is divided by the number of",
    )
    baseline: Literal["none", "pmi"] | None = param(
        default=None,
        default_value="none",
        affects="answer",
        help="pmi: less the log-probability without the context",
    )
    softmax: bool | None = param(
        default=None,
        default_value=False,
        affects="answer",
        help="also return the shares of the exponentials of the scores",
    )

    scope: Literal["fitted", "request"] | None = param(
        default=None,
        default_value="request",
        fits_when=lambda scope: scope == "fitted",
        affects="statistics",
        help="whose baselines: those sent with the choices, or those stored of each choice",
    )

    @property
    def fits(self) -> Fields:
        """The baselines of choices, where they are stored."""
        if self.scope != "fitted":
            return NO_FIELDS
        return Fields(
            baseline_loglikelihoods=floats(
                "n 1", flat="column", help="log-probability of a choice without its context"
            ),
            choice_ids=labels("n 1", help="name of the choice of each row"),
        )

    @property
    def takes(self) -> Fields:
        """Log-probabilities of choices, with their lengths and their baselines or names."""
        shared = {
            "loglikelihoods": optional(
                lists(screened=False, help="log-probability of each choice")
            ),
            "probs": optional(lists(screened=False, help="probability of each choice")),
            "choice_lengths": optional(integer_lists(help="length of each choice, in the unit")),
            "texts": optional(text_lists(help="the choices themselves, in place of their lengths")),
        }
        if self.scope == "fitted":
            own = {"choice_ids": id_lists(help="name of each choice, as in the fit")}
        else:
            without = lists(screened=False, help="log-probability of each choice without context")
            own = {"baseline_loglikelihoods": optional(without)}
        return Fields((("loglikelihoods",), ("probs",)), **shared, **own)

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Moments of the baselines of each choice, where they are stored."""
        return {"moments": Grouped(Moments())} if self.scope == "fitted" else {}

    @property
    def gives(self) -> Fields:
        """Scores, the best choice, and the shares where they are asked for."""
        fields = Fields(
            scores=lists(help="score of each choice"),
            argmax=integers("q", help="position of the best choice; -1 where there is none"),
            tie=integers("q", help="1 where another choice has the best score too"),
        )
        if not self.softmax:
            return fields
        return fields.with_fields(
            probabilities=like("loglikelihoods", lists(help="softmax of the scores"))
        )

    def check(self, path: str) -> None:
        """Refuse scores without a unit."""
        if self.unit is None:
            raise InvalidParams(
                "name the unit: 'none', 'characters', 'bytes' or 'tokens'; another unit makes "
                "another choice the best",
                path=f"{path}.unit",
            )
        if self.scope == "fitted" and self.baseline != "pmi":
            raise InvalidParams("stored baselines are for baseline: 'pmi'", path=f"{path}.scope")

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add baselines to those of their choices."""
        moments = cast("Grouped[Moments]", statistics["moments"])
        x = batch.array("baseline_loglikelihoods")
        return statistics.replace(moments=moments.update(batch.labels("choice_ids"), x))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the baseline of each choice: the mean of what was seen of it."""
        moments = cast("Grouped[Moments]", statistics["moments"])
        keys = moments.to_arrays()["keys"]
        means = np.array([moments[key].mean[0] for key in moments])
        return Fitted({"keys": keys, "baseline": means})

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the scores; the parts behind them are the lengths."""
        name = "probs" if "probs" in batch else "loglikelihoods"
        choices, path = batch.ragged(name), f"input.{name}"
        logs = logs_of_shares(choices, path) if name == "probs" else logs_of(choices, path)
        lengths = self._lengths(batch, choices)
        raw, undefined = self._against_baseline(fitted, batch, logs)
        # An impossible choice has no score; a division leaves -inf as it is.
        scores = np.where(undefined, np.nan, raw / lengths)
        possible = np.where(np.isnan(scores), -np.inf, scores)
        best, tie = _best(choices, possible)
        output: dict[str, object] = {
            "scores": choices.with_values(np.where(np.isinf(scores), np.nan, scores)),
            "argmax": best,
            "tie": tie,
        }
        if self.softmax:
            output["probabilities"] = choices.with_values(np.exp(softmax(choices, possible)))
        answer = Answer(output)  # type: ignore[arg-type]
        answer = answer.flagged("degenerate", choices.positions(np.flatnonzero(undefined)))
        return replace(answer, explain={"lengths": lengths.tolist()}) if options.explain else answer

    def _lengths(self, batch: Batch, choices: Ragged) -> Array:
        unit = unwrap(self.unit)
        if unit == "none":
            return np.ones(len(choices.values))
        sent = [name for name in LENGTHS if name in batch]
        if len(sent) != 1 or (unit == "tokens" and sent == ["texts"]):
            wanted = "choice_lengths" if unit == "tokens" else "texts, or choice_lengths,"
            raise InvalidInput(f"unit '{unit}' needs {wanted} of the choices", path="input")
        values = batch.ragged(sent[0]).values
        lengths = values if sent == ["choice_lengths"] else _measured(values.tolist(), unit)
        empty = np.asarray(lengths) < 1
        if empty.any():
            part, place = choices.position(int(np.argmax(empty)))
            raise InvalidInput(
                f"an empty choice has no {unit} to divide by",
                path=f"input.{sent[0]}[{part}][{place}]",
            )
        return np.asarray(lengths, dtype=np.float64)

    def _against_baseline(self, fitted: Fitted, batch: Batch, logs: Array) -> tuple[Array, Array]:
        """Return log-probabilities less their baseline, and where that is not defined."""
        nowhere = np.zeros(len(logs), dtype=bool)
        if self.baseline != "pmi":
            return logs, nowhere
        if self.scope == "fitted":
            without = _stored(fitted, batch.ragged("choice_ids"))
        else:
            without = _sent_baselines(batch)
        undefined = np.isinf(without) & np.isfinite(logs)
        finite = np.where(np.isinf(without), 0.0, without)
        return logs - finite, undefined


def _sent_baselines(batch: Batch) -> Array:
    path = "input.baseline_loglikelihoods"
    if "baseline_loglikelihoods" not in batch:
        raise InvalidInput(
            "baseline 'pmi' needs the log-probabilities without the context", path=path
        )
    return logs_of(batch.ragged("baseline_loglikelihoods"), path)


def _stored(fitted: Fitted, names: Ragged) -> Array:
    """Return the stored baseline of each choice; refuse one that no fit has seen."""
    known = {key[0]: row for row, key in enumerate(fitted["keys"].tolist())}
    found = [known.get(name, NOBODY) for name in names.values.tolist()]
    if NOBODY in found:
        place = found.index(NOBODY)
        part, choice = names.position(place)
        raise InvalidInput(
            f"no baseline is stored of the choice {quoted(str(names.values[place]))}",
            path=f"input.choice_ids[{part}][{choice}]",
        )
    return np.asarray(fitted["baseline"][np.array(found, dtype=np.int64)])


def _measured(texts: list[str], unit: str) -> list[int]:
    counted = (text.removeprefix(" ") for text in texts)
    if unit == "characters":
        return [len(text) for text in counted]
    return [len(text.encode()) for text in counted]


def _best(choices: Ragged, scores: Array) -> tuple[Array, Array]:
    """Return the first best choice of each question, and whether there are several."""
    highest = highest_of(choices, scores)
    is_best = (scores == segments.broadcast(highest, choices)) & np.isfinite(scores)
    counts = segments.counts(choices, is_best)
    first = np.full(len(choices), NOBODY, dtype=np.int64)
    places = choices.positions(np.flatnonzero(is_best))[::-1]
    # From the last to the first: the first of a question is written last.
    first[places[:, 0]] = places[:, 1]
    return first, (counts > 1).astype(np.int64)
