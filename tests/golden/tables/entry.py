"""One line of a table: a golden method, and how its cases are put in the catalogue's words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.golden.answers import Reading
from tests.golden.case import Case
from tests.golden.plays import Play
from tests.golden.request import Members, Request, Unsupported

# A parameter's value, and all golden parameters, to parameters of the catalogue; None takes one
# out again that would be off.
Rule = Callable[[object, Members], Members]


def _nothing(case: Case) -> Members:
    return {}


def _no_parts(case: Case) -> Sequence[Members]:
    return ()


@dataclass(frozen=True)
class Entry:
    """How the cases of one golden method are run.

    Parameters
    ----------
    method : str
        The catalogue's name.
    play : callable
        The calls that are made.
    readings : mapping
        For every expected entry where it is read; several readings must all agree.
    params : mapping
        For every golden parameter its rule.
    off : mapping
        What a case does not name is off: these parameters are sent unless a rule replaces them.
    settings : callable
        Parameters that follow from the rest of the case.
    source, given, options, back : callables
        The members of the request, see `Request`.
    method_of : callable, optional
        The catalogue's name where it follows from the case.
    parts, removed : callables
        What merges are made of, see `Request`.
    """

    method: str
    play: Play
    readings: Mapping[str, Sequence[Reading]]
    params: Mapping[str, Rule]
    off: Members
    settings: Callable[[Case], Members] = _nothing
    source: Callable[[Case], Members] = _nothing
    given: Callable[[Case], Members] = _nothing
    options: Callable[[Case], Members] = _nothing
    back: Callable[[Case], Members] = _nothing
    method_of: Callable[[Case], str] | None = None
    parts: Callable[[Case], Sequence[Members]] = _no_parts
    removed: Callable[[Case], Sequence[Members]] = _no_parts

    def request(self, case: Case) -> Request:
        """Return the request that a case is.

        Raises
        ------
        Unsupported
            When a parameter, a value of one, an expected entry or the form of the input has no
            translation.
        """
        try:
            return self._request(case)
        except KeyError as missing:
            raise Unsupported(f"a case without {missing}") from None

    def _request(self, case: Case) -> Request:
        unread = sorted(case.expected.keys() - self.readings.keys())
        if unread:
            raise Unsupported(f"no reading of {', '.join(unread)}")
        return Request(
            case=case,
            method=self.method_of(case) if self.method_of else self.method,
            params=self._translated(case),
            source=self.source(case),
            given=self.given(case),
            options=self.options(case),
            back=self.back(case),
            parts=self.parts(case),
            removed=self.removed(case),
        )

    def _translated(self, case: Case) -> Members:
        params = {**self.off, **self.settings(case)}
        for name, value in case.params.items():
            if name not in self.params:
                raise Unsupported(f"parameter '{name}'")
            params |= self.params[name](value, case.params)
        return {name: value for name, value in params.items() if value is not None}
