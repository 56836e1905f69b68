"""What is asked of a method or a stored version, as a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from normd.client.forms import FormName

TRANSFORM, INVERSE = "transform", "inverse"
Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True)
class Request:
    """What is asked: the fields of the input, options, and how it is sent.

    Parameters
    ----------
    action : str
        ``transform`` or ``inverse``.
    fields : mapping
        Fields by name.
    options : mapping
        What the answer holds.
    form : str or None
        The form of the body that the user asks for.
    progress : callable or None
        Is told how many of all units are done.
    main_only : bool
        Whether nothing but the main output is wanted.
    """

    action: str
    fields: Mapping[str, object]
    options: Mapping[str, object] = field(default_factory=dict)
    form: FormName | None = None
    progress: Progress | None = None
    main_only: bool = False
