"""What treatments are compared with: one of the runs, or other scores of the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from normalizers.errors import InvalidInput, ShapeError
from normalizers.evaluation.evidence import EvaluationInput, Evidence
from normalizers.evaluation.table import kind_of, read_evidence
from normalizers.evaluation.treatment import Inspect, Treatment, ignore
from normalizers.messages import did_you_mean, printable_name, quoted

PATH = "baseline"
TRAINING = "training"
DIRECTION = "higher_is_better"


@dataclass(frozen=True)
class Parts:
    """The treatments of a request, what they learn from, and the one they are compared with.

    Parameters
    ----------
    evidence : Evidence
    baseline : Treatment or None
    training : Evidence or None
        The same treatments on other queries.
    """

    evidence: EvaluationInput
    baseline: Treatment | None
    training: EvaluationInput | None
    baseline_training: Treatment | None = None

    def learnt_from(self, treatment: Treatment) -> Treatment | None:
        """Return the training part of a treatment.

        Raises
        ------
        InvalidInput
            When the training part lacks that run, or its scores have another direction.
        """
        if treatment is self.baseline and treatment.name is None:
            return self.baseline_training
        if self.training is None:
            return None
        for one in self.training.treatments:
            if one.name == treatment.name:
                return _same_direction(one, treatment)
        raise InvalidInput(
            f"the training part has no run {quoted(treatment.name)}", path=f"{TRAINING}.runs"
        )


def read_parts(
    sent: Mapping[str, object],
    evidence: EvaluationInput,
    baseline: object,
    training: object,
    inspect: Inspect = ignore,
) -> Parts:
    """Return the evidence with its baseline and its training part."""
    learnt = None if training is None else _training(training, TRAINING, inspect)
    if baseline is None:
        return Parts(evidence, None, learnt)
    if evidence.treatments[0].name is not None:
        return Parts(evidence, _run(evidence, baseline), learnt)
    return _other_scores(sent, evidence, baseline, learnt, inspect)


def _training(sent: object, path: str, inspect: Inspect) -> EvaluationInput:
    if not isinstance(sent, Mapping):
        raise InvalidInput("an object like the evidence itself is expected here", path=path)
    return read_evidence(sent, path, inspect)


def _run(evidence: EvaluationInput, baseline: object) -> Treatment:
    for index, treatment in enumerate(evidence.treatments):
        named = isinstance(baseline, str) and treatment.name == baseline
        placed = type(baseline) is int and index == baseline
        if named or placed:
            return treatment
    names = [str(treatment.name) for treatment in evidence.treatments]
    if not isinstance(baseline, str | int):
        raise InvalidInput("the baseline is the name or the place of one of the runs", path=PATH)
    raise InvalidInput(
        f"no run is called {quoted(baseline)}{did_you_mean(str(baseline), names)}; "
        f"runs: {', '.join(map(printable_name, names))}",
        path=PATH,
    )


def _other_scores(
    sent: Mapping[str, object],
    evidence: EvaluationInput,
    baseline: object,
    learnt: EvaluationInput | None,
    inspect: Inspect,
) -> Parts:
    kind = kind_of(evidence.treatments[0])
    if not kind.values:
        raise InvalidInput(f"there is no baseline of {kind.fields.main}", path=PATH)
    if not isinstance(baseline, Mapping):
        raise InvalidInput(
            f"the baseline of {kind.fields.main} is an object with other "
            f"{' or '.join(kind.values)}",
            path=PATH,
        )
    own = {name: value for name, value in baseline.items() if name != TRAINING}
    for name in own:
        if name not in (*kind.values, DIRECTION):
            raise InvalidInput(
                f"unknown member {quoted(name)}; {_shared(kind)} are those of the "
                f"{kind.fields.main}",
                path=f"{PATH}.{printable_name(name)}",
            )
    rest = {name: value for name, value in sent.items() if name not in kind.values}
    other = read_evidence({**rest, **own}, PATH, inspect).treatments[0]
    _require_same_rows(other, evidence.treatments[0])
    part = baseline.get(TRAINING)
    read = None if part is None else _training(part, f"{PATH}.{TRAINING}", inspect).treatments[0]
    return Parts(evidence, other, learnt, read)


def _shared(kind: Evidence) -> str:
    """Return the fields that a baseline has in common with what it is compared with."""
    names = [name for name in kind.fields if name not in (*kind.values, DIRECTION)]
    if len(names) < 2:
        return "".join(names) or "other members"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _require_same_rows(other: Treatment, treatment: Treatment) -> None:
    # That fields have the same lengths was checked as they were read; this is about lists.
    if other.size != treatment.size:
        raise ShapeError("the baseline needs a score for every row", path=other.path)


def _same_direction(training: Treatment, treatment: Treatment) -> Treatment:
    if training.higher_is_better != treatment.higher_is_better:
        raise InvalidInput("the training part has the other direction", path=training.path)
    return training
