"""A small real request of a method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Example:
    """A small real request: it stands in the documentation and runs in the tests.

    Parameters
    ----------
    params, input : mapping
        What is sent.
    fit : mapping, optional
        What it is fitted on; None where there is no fit.
    weights : mapping, optional
        The weights of a learned method, by the names of its `weight_fields`.
    name : str
        What makes it another one than the first: a variant, a scope. The first needs none.
    """

    params: Mapping[str, object] = field(default_factory=dict)
    fit: Mapping[str, object] | None = None
    weights: Mapping[str, object] | None = None
    input: Mapping[str, object] = field(default_factory=dict)
    name: str = ""
