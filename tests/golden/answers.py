"""What the service answered, asked for when an expectation first needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.golden.case import numeric

Question = Callable[[], object]


class Answers:
    """Answers by name; a dotted path leads into one: ``output.y``, ``statistics.scatter.n``.

    Parameters
    ----------
    questions : mapping
        For every name the call that gets the answer; it is made once, and only when needed.
    """

    def __init__(self, questions: Mapping[str, Question]) -> None:
        self._questions = questions
        self._known: dict[str, object] = {}

    def beside(self, **questions: Question) -> Answers:
        """Return these answers and more."""
        return Answers({**{name: self._ask(name) for name in self._questions}, **questions})

    def __getitem__(self, path: str) -> object:
        name, *steps = path.split(".")
        if name not in self._questions and "answer" in self._questions:
            name, steps = "answer", [name, *steps]
        if name not in self._known:
            self._known[name] = self._questions[name]()
        return _walk(self._known[name], steps, path)

    def _ask(self, name: str) -> Question:
        return lambda: self[name]


@dataclass(frozen=True)
class Reading:
    """Where an expected entry stands in the answers, and what is derived from it.

    Parameters
    ----------
    paths : tuple of str
        Where; lists of numbers found there are handed on as arrays.
    derive : callable
        One of the functions of `derive`; None takes the answer as it is.
    """

    paths: tuple[str, ...]
    derive: Callable[..., object] | None = None

    def of(self, answers: Answers) -> object:
        """Return what the answers say."""
        found = [numeric(answers[path]) for path in self.paths]
        return found[0] if self.derive is None else self.derive(*found)


def read(*paths: str, by: Callable[..., object] | None = None) -> Reading:
    """Return a reading of some paths through a derivation."""
    return Reading(paths, by)


def members(value: object) -> Mapping[str, object]:
    """Return an object of an answer; anything else is an AssertionError."""
    if not isinstance(value, Mapping):
        raise AssertionError(f"an object was expected, not {type(value).__name__}")
    return value


def entries(value: object) -> list[object]:
    """Return a list of an answer; anything else is an AssertionError."""
    if not isinstance(value, list):
        raise AssertionError(f"a list was expected, not {type(value).__name__}")
    return value


def _walk(value: object, steps: Sequence[str], path: str) -> object:
    for step in steps:
        found = members(value)
        if step not in found:
            raise AssertionError(f"the answer has no '{path}', only {', '.join(map(str, found))}")
        value = found[step]
    return value
