"""What an evidence is: the members it is sent as, who reads them, and what measures get of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from normalizers.contract.fields import Fields
from normalizers.data.arrays import Array
from normalizers.data.batch import Notice
from normalizers.evaluation.treatment import Inspect, Treatment
from normalizers.measures.measure import Parameters
from normalizers.validation.json_values import RAGGED_KEYS


@dataclass(frozen=True)
class EvaluationInput:
    """What was sent to be measured.

    Parameters
    ----------
    treatments : tuple of Treatment
        In the order of the request.
    units : object array of str or None
        Names of the queries, where they were sent.
    counts : mapping
        Sizes of what was sent.
    notices : tuple of Notice
        What was noticed while reading it.
    """

    treatments: tuple[Treatment, ...]
    units: Array | None = None
    counts: Mapping[str, object] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


Read: TypeAlias = Callable[[Mapping[str, object], str, Inspect], EvaluationInput]


# Compared by identity: declarations hold tables, and one of them is itself alone.
@dataclass(frozen=True, eq=False)
class Evidence:
    """One kind of evidence, declared by its module.

    Parameters
    ----------
    sends : tuple of str
        In a few words what a request sends of it: ``("runs", "qrels")``.
    fields : Fields
        Its members, as a method declares its fields; the first is what is measured. `one_of` says
        which members take its place.
    read : callable
        From the members that were sent, their path and who inspects them to what is measured.
    offers : tuple of str
        What measures may need of it.
    values : tuple of str
        Members that a baseline sends anew for the same rows; none where it is one of the runs.
    parameters : type of Parameters
        Further members, which say how the others are read.
    examples : mapping
        Requests that show it, each under one line that says what it shows.
    """

    sends: tuple[str, ...]
    fields: Fields
    read: Read
    offers: tuple[str, ...]
    values: tuple[str, ...] = ()
    parameters: type[Parameters] = Parameters
    examples: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    @cached_property
    def members(self) -> tuple[str, ...]:
        """Everything a request may send of it, by name."""
        beside = RAGGED_KEYS if self.fields.ragged else ()
        return tuple(dict.fromkeys((*self.fields, *beside, *self.parameters.model_fields)))

    @cached_property
    def mains(self) -> tuple[str, ...]:
        """What is measured, and the members that take its place."""
        return tuple(name for names in self.fields.one_of for name in names) or (self.fields.main,)
