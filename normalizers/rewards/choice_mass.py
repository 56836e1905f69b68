"""Choice mass: how much probability falls on the valid choices, and whether that decides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    floats,
    id_lists,
    integers,
    lists,
    optional,
)
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged, offsets_of
from normalizers.errors import InvalidInput
from normalizers.normalizer import Normalizer
from normalizers.rewards.base.log_probabilities import log_sum, logs_of, logs_of_shares

ROUNDING = 1e-9
NEEDED = 2


class ChoiceMass(Normalizer):
    """Add up the probabilities of the choices of a question: M = sum of p.

    With p1 and p2 the two largest, the margin is p1 - p2, and the prediction is safe whatever the
    rest of the mass is on where 1 - M < p1 - p2.

    Notes
    -----
    Choices named by `choice_ids` count once, however often they stand there. A question needs two
    distinct choices. An impossible choice is probability 0 in `probs`, or left out; a missing
    value is refused. A mass above 1 + 1e-9 is refused: such inputs are no probabilities of strings
    that exclude each other. Sums are of logarithms. There is no way back. Cost O(N log N).

    References
    ----------
    github.com/allenai/revisiting_surface_form_competition analysis/compute_bounds.py.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers import ChoiceMass
    >>> answer = ChoiceMass().apply_to(np.log([[0.6, 0.3], [0.2, 0.1]]))
    >>> answer["mass"].round(6).tolist(), answer["safe"].tolist()
    ([0.9, 0.3], [1, 0])
    """

    name = "choice_mass"
    family = "rewards"
    kinds = ("stateless",)
    takes = Fields(
        (("loglikelihoods",), ("probs",)),
        loglikelihoods=optional(lists(screened=False, help="log-probability of each choice")),
        probs=optional(lists(screened=False, help="probability of each choice")),
        choice_ids=optional(id_lists(help="names of the choices; one name counts once")),
    )
    gives = Fields(
        mass=floats("q", help="probability of all choices of a question"),
        margin=floats("q", help="largest probability less the second"),
        safe=integers("q", help="1 where no other string could change the prediction"),
    )
    example = Example(input={"loglikelihoods": [[-0.6, -1.4], [-2.0, -3.0, -1.0]]})

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return mass, margin and whether the prediction is safe; the parts are the logarithms."""
        choices, logs = _distinct(*_read(batch), batch)
        counts = choices.lengths
        if (counts < NEEDED).any() and len(choices.values):
            question = int(np.argmax(counts < NEEDED))
            raise InvalidInput(
                "a question needs two distinct choices", path=f"input.{_sent(batch)}[{question}]"
            )
        log_mass = log_sum(choices, logs)
        if (log_mass > np.log1p(ROUNDING)).any():
            question = int(np.argmax(log_mass))
            raise InvalidInput(
                f"the choices have a mass of {float(np.exp(log_mass[question])):.6g}, above 1",
                path=f"input.{_sent(batch)}[{question}]",
            )
        largest = _two_largest(choices, logs)
        margin = largest[:, 0] - largest[:, 1]
        mass = np.exp(log_mass)
        safe = (1 - mass < margin).astype(np.int64)
        if not len(choices.values):
            mass, margin, safe = mass[:0], margin[:0], safe[:0]
        answer = Answer({"mass": mass, "margin": margin, "safe": safe})
        parts = {"largest": largest.tolist()}
        return replace(answer, explain=parts) if options.explain else answer


def _sent(batch: Batch) -> str:
    return "probs" if "probs" in batch else "loglikelihoods"


def _read(batch: Batch) -> tuple[Ragged, Array]:
    name = _sent(batch)
    choices, path = batch.ragged(name), f"input.{name}"
    return choices, logs_of_shares(choices, path) if name == "probs" else logs_of(choices, path)


def _distinct(choices: Ragged, logs: Array, batch: Batch) -> tuple[Ragged, Array]:
    """Return each named choice once, the first time it stands there."""
    if "choice_ids" not in batch:
        return choices, logs
    kept: list[int] = []
    lengths: list[int] = []
    start = 0
    for names in batch.ragged("choice_ids"):
        first = list(
            {name: start + place for place, name in reversed([*enumerate(names)])}.values()
        )
        kept += sorted(first)
        lengths.append(len(first))
        start += len(names)
    index = np.array(kept, dtype=np.int64)
    return Ragged(choices.values[index], offsets_of(lengths)), logs[index]


def _two_largest(choices: Ragged, logs: Array) -> Array:
    """Return the two largest probabilities of each question, shape (q, 2)."""
    order = np.lexsort((-logs, choices.part_of_each()))
    found = np.zeros((len(choices), 2))
    for place in range(NEEDED):
        there = choices.lengths > place
        found[there, place] = np.exp(logs[order[choices.offsets[:-1][there] + place]])
    return found
