"""What a table makes of a case: one request in the catalogue's words, not yet sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.golden.case import Case

Members = Mapping[str, object]


class Unsupported(Exception):
    """The tables have no translation: what is missing."""


@dataclass(frozen=True)
class Request:
    """A case in the words of the catalogue.

    Parameters
    ----------
    case : Case
        The case itself.
    method, params : str, mapping
        The catalogue's method and parameters.
    source : mapping
        What it is fitted on: ``{"fit": ..}``, ``{"statistics": ..}`` or nothing.
    given, options : mapping
        The fields and options of the transform.
    back : mapping
        Fields of the way back that are not the transform's own output: a forecast.
    parts, removed : sequences of mappings
        For merges: what each part is fitted on, and what is taken out again.
    """

    case: Case
    method: str
    params: Members
    source: Members = field(default_factory=dict)
    given: Members = field(default_factory=dict)
    options: Members = field(default_factory=dict)
    back: Members = field(default_factory=dict)
    parts: Sequence[Members] = ()
    removed: Sequence[Members] = ()

    @property
    def normalizer(self) -> dict[str, object]:
        """The members that say which normalizer it is."""
        return {"method": self.method, "params": self.params}

    def work(self, given: Members) -> dict[str, object]:
        """Return the members that say what is to be done with `given`."""
        return {"input": given, "options": self.options} if self.options else {"input": given}
