"""What a request may ask for, and what a method answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Self, TypeAlias

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from normalizers.data.arrays import LARGEST_INTEGER, Array
from normalizers.data.batch import Notice, Value
from normalizers.data.devices import DEVICE_NAMES
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.messages import printable_name, unknown

Rendered: TypeAlias = "Array | list[Array] | Ragged | Value"


class Asked(BaseModel):
    """Base of what a request may ask for beside its data."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", allow_inf_nan=False)

    @classmethod
    def read(cls, values: Mapping[str, object] | None, path: str = "options") -> Self:
        """Return validated options, or say which one is wrong."""
        for name in values or {}:
            if name not in cls.model_fields:
                raise InvalidParams(
                    unknown("option", name, cls.model_fields),
                    path=f"{path}.{printable_name(name)}",
                )
        try:
            return cls.model_validate(dict(values or {}))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            raise InvalidParams(first["msg"], path=f"{path}.{first['loc'][0]}") from None

    @classmethod
    def split(
        cls, values: Mapping[str, object], fields: Collection[str]
    ) -> tuple[dict[str, object], dict[str, object]]:
        """Return what belongs to the data, and the options (a field of the same name wins)."""
        if not values:
            return {}, {}
        options = {
            name: value
            for name, value in values.items()
            if name in cls.model_fields and name not in fields
        }
        return {name: value for name, value in values.items() if name not in options}, options

    @property
    def asked(self) -> frozenset[str]:
        """Names of the options that were given."""
        return frozenset(self.model_fields_set)


class Options(Asked):
    """What a request may ask for beside its data; options never change a parameter."""

    explain: bool = Field(default=False, description="return the parts behind each number")
    strict: bool = Field(default=False, description="make flags and clamped sizes errors")
    device: str | None = Field(
        default=None, description=f"where to compute, if the method can: {DEVICE_NAMES}"
    )
    layout: str | None = Field(default=None, description="order of axes of series")
    start_step: int | None = Field(
        default=None,
        ge=0,
        le=LARGEST_INTEGER,
        description="the step the carried state must stand at",
    )
    depth: int | None = Field(
        default=None, ge=1, le=LARGEST_INTEGER, description="how much of each list takes part"
    )
    top_k: int | None = Field(
        default=None, ge=1, le=LARGEST_INTEGER, description="how many hits return"
    )
    offset: int | None = Field(
        default=None, ge=0, le=LARGEST_INTEGER, description="how many hits are skipped"
    )
    source: str | None = Field(
        default=None,
        min_length=1,
        description="the model whose embeddings or scores are sent; refused if the fit has another",
    )
    min_score: float | None = Field(default=None, description="lowest score that returns")


NO_OPTIONS = Options()


@dataclass(frozen=True)
class Answer:
    """Output, flags, warnings and parts of one transform.

    Parameters
    ----------
    output : mapping
        By field name; canonical inside the library, in the request's form after the driver.
    flags : mapping
        By flag name: sorted positions of shape (k,) or (k, axes); absent means none.
    warnings : tuple of Notice
        What a reader should know.
    report : mapping, optional
        What the answer found in this input: a share out of range, the weights used.
    explain : object, optional
        The parts behind each number, when asked for.
    extra : mapping
        Members of the answer beside these: ``total``, ``depth_used``.
    effective_params : mapping
        Every parameter as it was used; filled in by the driver.
    is_finite : bool
        Whether the method saw that nothing in its main output is missing or infinite, so that
        nobody looks again.
    """

    output: Mapping[str, Rendered]
    flags: Mapping[str, Array] = field(default_factory=dict)
    warnings: tuple[Notice, ...] = ()
    report: Mapping[str, object] | None = None
    explain: object | None = None
    extra: Mapping[str, object] = field(default_factory=dict)
    effective_params: Mapping[str, object] = field(default_factory=dict)
    is_finite: bool = False

    def __getitem__(self, name: str) -> Rendered:
        return self.output[name]

    def alone(self, declared: Collection[str]) -> Rendered:
        """Return the first declared output that is there, or the only one.

        Raises
        ------
        InvalidInput
            Several outputs, and none of them declared.
        """
        main = next((name for name in declared if name in self.output), None)
        if main is None and len(self.output) > 1:
            names = ", ".join(self.output)
            raise InvalidInput(f"this gives {names} side by side; inverse_to returns them all")
        return self.output[main or next(iter(self.output))]

    def canonical(self, name: str) -> Value:
        """Return an output as the method gave it, before it was written in a request's form."""
        value = self.output[name]
        if isinstance(value, list):
            raise TypeError(f"the output '{name}' is in the form of a request already")
        return value

    def flagged(self, name: str, positions: Array) -> Answer:
        """Return the answer with `positions` under the flag `name`; no positions, no flag."""
        if not len(positions):
            return self
        earlier = self.flags.get(name)
        merged = (
            positions
            if earlier is None
            else np.unique(np.concatenate([earlier, positions]), axis=0)
        )
        return replace(self, flags={**self.flags, name: merged})

    def warned(self, *notices: Notice) -> Answer:
        """Return the answer with further warnings."""
        return replace(self, warnings=(*self.warnings, *notices))

    def require_clean(self) -> None:
        """Refuse an answer with flags or clamped sizes, as ``strict`` asks."""
        clamped = [noted.code for noted in self.warnings if noted.code.endswith("_clamped")]
        if self.flags or clamped:
            names = ", ".join([*sorted(self.flags), *clamped])
            raise InvalidInput(f"strict: the answer carries {names}", path="options.strict")


def answer(value: Value, name: str, **flags: Array) -> Answer:
    """Return an answer with one output."""
    result = Answer({name: value})
    for flag, positions in flags.items():
        result = result.flagged(flag, positions)
    return result
