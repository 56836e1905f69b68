"""The members of each request body; unknown ones are refused with a suggestion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, TypeAlias, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema, core_schema

from normalizers.contract.answer import Asked, Options
from normalizers.contract.fit_options import FitOptions
from normalizers.contract.parameter_models import MAX_FAULTS
from normalizers.data.arrays import Array
from normalizers.data.faults import faults_of
from normalizers.errors import InvalidInput
from normalizers.evaluation.diagnosis import DIAGNOSED_BY
from normalizers.messages import printable_name, unknown
from normd.wire.codecs.document import NamedColumns

B = TypeVar("B", bound="Body")
MAX_DESCRIPTION = 10_000
MAX_TAGS = 100
MAX_TAG = 200


class Body(BaseModel):
    """Base of the bodies: strict, and nothing but the declared members."""

    asks: ClassVar[type[Asked]] = Options

    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", arbitrary_types_allowed=True
    )


class _FieldsOrArray:
    """An object of fields, as the schema says, or the one array that some bodies are."""

    @classmethod
    def __get_pydantic_core_schema__(cls, _: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        fields = handler(dict[str, object])
        return core_schema.no_info_wrap_validator_function(_array_or_fields, fields)


def _array_or_fields(sent: object, read: core_schema.ValidatorFunctionWrapHandler) -> object:
    return sent if isinstance(sent, np.ndarray | NamedColumns) else read(sent)


Sent: TypeAlias = Annotated[dict[str, object] | Array, _FieldsOrArray]


class WorkBody(Body):
    """One-shot work: a method, its parameters, what it is fitted on, and the input."""

    method: str = Field(description="name or alias of a method")
    params: dict[str, object] | None = Field(default=None, description="its parameters")
    fit: Sent | None = Field(default=None, description="data to fit on")
    statistics: dict[str, object] | None = Field(default=None, description="statistics to fit on")
    weights: dict[str, object] | None = Field(default=None, description="imported arrays")
    input: Sent = Field(description="fields to transform")
    options: dict[str, object] | None = Field(default=None, description="what the answer holds")


class StoredWorkBody(Body):
    """Work on a stored version; parameters belong to the version."""

    input: Sent = Field(description="fields to transform")
    options: dict[str, object] | None = Field(default=None, description="what the answer holds")


class DriftBody(StoredWorkBody):
    """A live sample, and the rows of the fit's canary as the model gives them now."""

    canary: dict[str, object] | None = Field(
        default=None, description="ids of rows that the fit kept, and their input now"
    )


class DiagnosisBody(Body):
    """Live queries that a stored version is diagnosed by."""

    input: Sent = Field(description="live queries: scores, candidates or embeddings")
    k: int = Field(
        default=DIAGNOSED_BY, ge=1, le=2**53, description="nearest items of each query that count"
    )


class CreateBody(Body):
    """A name with its first version, or an open name."""

    asks: ClassVar[type[Asked]] = FitOptions

    name: str = Field(description="1-128 of A-Z a-z 0-9 . _ -, first a letter or digit")
    method: str = Field(description="name or alias of a method")
    params: dict[str, object] | None = Field(default=None, description="its parameters")
    fit: Sent | None = Field(default=None, description="data to fit on")
    statistics: dict[str, object] | None = Field(default=None, description="statistics to fit on")
    weights: dict[str, object] | None = Field(default=None, description="imported arrays")
    options: dict[str, object] | None = Field(default=None, description="of the fit")
    description: str = Field(default="", max_length=MAX_DESCRIPTION, description="for people")
    tags: list[Annotated[str, Field(max_length=MAX_TAG)]] = Field(
        default_factory=list, max_length=MAX_TAGS, description="for people"
    )


Origin = Literal["fit", "statistics", "weights", "params", "observations", "merge", "join"]


class VersionBody(Body):
    """A new version of a name, and where it comes from."""

    asks: ClassVar[type[Asked]] = FitOptions

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        populate_by_name=True,
    )

    origin: Origin = Field(alias="from", description="where the new version comes from")
    refs: list[str] | None = Field(default=None, description="versions to merge, or to join")
    minus: list[str] | None = Field(default=None, description="versions to remove")
    fit: Sent | None = Field(default=None, description="data to fit on")
    statistics: dict[str, object] | None = Field(default=None, description="statistics to add")
    weights: dict[str, object] | None = Field(default=None, description="imported arrays")
    after: str | None = Field(
        default=None, description="the version that a fit goes on from, with its rows as one batch"
    )
    params: dict[str, object] | None = Field(
        default=None, description="changes to the newest given parameters"
    )
    options: dict[str, object] | None = Field(default=None, description="of the fit")


class ObservationBody(Body):
    """Data or statistics that fold into the open statistics."""

    asks: ClassVar[type[Asked]] = FitOptions

    fit: Sent | None = Field(default=None, description="data")
    statistics: dict[str, object] | None = Field(default=None, description="statistics")
    params: dict[str, object] | None = Field(
        default=None, description="parameters the statistics were kept with, to be compared"
    )
    options: dict[str, object] | None = Field(default=None, description="of the fit")


class AliasBody(Body):
    """Where an alias shall point."""

    version: int = Field(ge=1, le=2**53, description="number of the version")


def read_body(kind: type[B], tree: Mapping[str, object]) -> B:
    """Return a body's members, or say which one is wrong.

    Raises
    ------
    InvalidInput
        With the path of every member that is unknown, missing or of a wrong type.
    """
    known = [field.alias or name for name, field in kind.model_fields.items()]
    for name in tree:
        if name not in known:
            raise InvalidInput(
                unknown("member", name, known),
                path=printable_name(name),
            )
    try:
        return kind.model_validate(dict(tree))
    except ValidationError as error:
        raise _invalid(error, tree) from None


def _invalid(error: ValidationError, tree: Mapping[str, object]) -> InvalidInput:
    faults = faults_of(error, tree)[:MAX_FAULTS]
    first = faults[0]
    return InvalidInput(f"{first.path}: {first.message}", path=first.path, faults=faults)
