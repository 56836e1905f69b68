"""What a fit may be asked for beside its data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from pydantic import Field

from normalizers.contract.answer import Asked

COMMON_FIT_OPTIONS = frozenset({"strict", "canary"})


class FitOptions(Asked):
    """What a fit may be asked for beside its data; options never change a parameter.

    `strict` and `canary` are for every method; what else one honours its `Traits` declare as
    `fit_options`.
    """

    strict: bool = Field(
        default=False, description="refuse clamped sizes, and new items of a join that stand out"
    )
    layout: str | None = Field(default=None, description="order of axes of series")
    recommend: bool = Field(default=False, description="advise in the report what would suit")
    canary: dict[str, object] | None = Field(
        default=None,
        description="rows to keep, {ids, input}: drift compares them with the same rows later",
    )

    @classmethod
    def shared(cls, options: Asked, honoured: frozenset[str]) -> Self:
        """Return those of a request's options that are for its fit too."""
        names = options.asked & cls.model_fields.keys() & (honoured | COMMON_FIT_OPTIONS)
        return cls.model_validate({name: getattr(options, name) for name in names})

    @property
    def given(self) -> Mapping[str, object]:
        """The options that were given, by name."""
        return {name: getattr(self, name) for name in sorted(self.asked)}


NO_FIT_OPTIONS = FitOptions()
