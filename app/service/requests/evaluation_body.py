"""The body of an evaluation: what is asked, and the members that each kind of evidence declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pydantic import Field, create_model
from pydantic.fields import FieldInfo

from app.service.requests.bodies import Body
from normalizers.contract.fields import Field as DeclaredField
from normalizers.evaluation.evidence import Evidence
from normalizers.evaluation.table import evidences, members
from normalizers.validation.json_values import RAGGED_KEYS

LENGTHS = {
    "offsets": "where each query's rows begin, and the end",
    "lengths": "in place of offsets",
}
# What is read as it stands; other members are checked by those who read the evidence.
PLAIN: Mapping[str, object] = {
    "record": dict[str, object] | None,
    "boolean": bool | None,
    "text": str | None,
}


class EvaluationBody(Body):
    """Measures, what they measure, and what it is compared with."""

    measures: list[object] = Field(
        description="names such as 'ndcg@10', or {'measure': name, 'params': {..}}; may be empty "
        "where a curve or diagram is asked for"
    )
    baseline: object = Field(
        default=None,
        description="name or place of the run to compare with; of scores an object with other "
        "scores of the same rows",
    )
    training: dict[str, object] | None = Field(
        default=None,
        description="the same evidence of other queries, where thresholds and the share of "
        "positives come from",
    )
    per_query: bool = Field(default=False, description="return the value of every query")
    bootstrap: bool | dict[str, object] | None = Field(
        default=None, description="intervals of all values: true, or samples, seed, confidence"
    )
    threshold_curve: bool | dict[str, object] | None = Field(
        default=None, description="precision, recall, F1 by threshold: true, or points"
    )
    reliability: bool | dict[str, object] | None = Field(
        default=None, description="predicted and observed shares: true, or bins, binning"
    )

    @property
    def evidence(self) -> Mapping[str, object]:
        """The members of the evidence that were sent."""
        sent = {name: getattr(self, name) for name in members()}
        return {name: value for name, value in sent.items() if value is not None}


def evaluation_body() -> type[EvaluationBody]:
    """Return the body with the members of every kind of evidence there is."""
    return _with_members_of(evidences())


def declared(name: str) -> list[DeclaredField]:
    """Return how the kinds of evidence declare a member; several may have it."""
    return [kind.fields[name] for kind in evidences() if name in kind.fields]


@cache
def _with_members_of(kinds: tuple[Evidence, ...]) -> type[EvaluationBody]:
    made = {name: (kind, info) for one in kinds for name, kind, info in _members(one)}
    return create_model("EvaluationBody", __base__=EvaluationBody, **made)  # type: ignore[call-overload,no-any-return]


def _members(kind: Evidence) -> Iterator[tuple[str, object, Any]]:
    """Yield name, type and description of each member of an evidence."""
    for name, field in kind.fields.items():
        about = " or: ".join(dict.fromkeys(one.help for one in declared(name) if one.help))
        yield name, PLAIN.get(field.kind, object), Field(default=None, description=about)
    for name, parameter in kind.parameters.model_fields.items():
        yield name, _loose(parameter), Field(default=None, description=parameter.description)
    for name in RAGGED_KEYS:
        if name in kind.members:
            yield name, object, Field(default=None, description=LENGTHS[name])


def _loose(parameter: FieldInfo) -> object:
    """Return the plain type of a parameter; which values it takes, those who read it check."""
    standard = parameter.get_default()
    if isinstance(standard, bool | str):
        return type(standard) | None
    annotation = parameter.annotation
    return annotation | None if annotation is not None else object
