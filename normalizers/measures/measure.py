"""What a measure is: a named function of evidence, with the parameters it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from normalizers.data.arrays import LARGEST_INTEGER, Array

# One value a unit, or one value of all units together.
Function: TypeAlias = "Callable[..., Array | float]"
# All resamples at once, or None where they are computed one by one.
Resampling: TypeAlias = "Callable[..., Array | None]"
Choice: TypeAlias = "Callable[..., Mapping[str, object]]"


class Parameters(BaseModel):
    """Parameters of a measure; this base has none."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", allow_inf_nan=False)


class CutOff(Parameters):
    """How much of a ranking counts."""

    k: int | None = Field(
        default=None,
        ge=1,
        le=LARGEST_INTEGER,
        description="ranks that count; by default all. 'ndcg@10' is short for k 10",
    )


class Relevant(Parameters):
    """Which documents are relevant."""

    rel: float | None = Field(
        default=None, gt=0, description="judgement from which on a document is relevant; above 0"
    )


class RelevantCutOff(CutOff, Relevant):
    """How much of a ranking counts, and which documents are relevant."""


class GainCutOff(CutOff):
    """How much of a ranking counts, and what a judgement gains."""

    gain: Literal["linear", "exponential"] = Field(
        default="linear", description="the judgement itself, or 2^judgement - 1; below 0 nothing"
    )


class GradeCutOff(CutOff):
    """How much of a ranking counts, and which judgement is the best."""

    max_grade: float = Field(
        default=4.0, gt=0, le=50, description="the best judgement; those above it count as it"
    )


class PersistenceCutOff(RelevantCutOff):
    """How much of a ranking counts, and how patient its reader is."""

    persistence: float = Field(
        default=0.8, gt=0, lt=1, description="chance that a reader goes on to the next document"
    )


@dataclass(frozen=True)
class Measure:
    """One measure of the table.

    Parameters
    ----------
    name : str
        What requests call it.
    needs : str
        What it is a function of, as some evidence offers it: ``rankings``, ``scores`` ...
    function : callable
        From evidence and parameters to one value a unit (`by_unit`), whose mean is the result, or
        to one number. NaN is undefined.
    help : str
        One line: what it measures.
    undefined : str
        Why there may be no value.
    parameters : type of Parameters
        What it takes beside the evidence.
    by_unit : bool
        Whether it has a value for every query, pair or row.
    higher_is_better : bool
        Direction.
    choose : callable, optional
        From evidence to the parameters that are best on it, for those not given.
    base : callable, optional
        From evidence, the share of positives and parameters to the value of a guess that knows
        only that.
    details : callable, optional
        From evidence and parameters to a table beside the value; empty where there is none.
    resample : callable, optional
        From evidence, counts of shape (b, units) and parameters to the value of every resample,
        shape (b,), all at once; None where they have to be computed one by one.
    work : int
        How many times the work of a sum a row is, where resamples are computed one by one.
    """

    name: str
    needs: str
    function: Function
    help: str
    undefined: str
    parameters: type[Parameters] = field(default=Parameters)
    by_unit: bool = False
    higher_is_better: bool = True
    choose: Choice | None = None
    base: Function | None = None
    details: Choice | None = None
    resample: Resampling | None = None
    work: int = 1
