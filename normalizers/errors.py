"""Everything that can go wrong, as one tree.

::

    NormalizerError(ValueError)
      InvalidInput            data that cannot be used; carries where
        ShapeError
        DtypeError
        NonFiniteError        carries positions
      InvalidParams
      UnknownName             a method, preset or step that does not exist
      NotFitted
      FitError
        NotEnoughData
        RankDeficient         carries the rank and a remedy
      IncompatibleStatistics  they do not merge, or cannot be removed
      IncompatibleState       carried state of another method, parameters, channels or step
      CorruptVersion          hash, format
      UnsupportedOperation    for example: no inverse
      MissingDependency       names the extra to install

The numeric package knows nothing of HTTP; ``app/problems.py`` maps each class to a status.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, SupportsInt


def printable(text: str) -> str:
    r"""Return `text` with what does not print escaped: names in it may control a terminal.

    Examples
    --------
    >>> from normalizers.errors import printable
    >>> print(printable("no run is called 'a\n'"))
    no run is called 'a\n'
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: where (``fit.x[3][1]``, ``params.eps``) and what."""

    path: str
    message: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", printable(self.path))
        object.__setattr__(self, "message", printable(self.message))


def position_text(position: Iterable[SupportsInt]) -> str:
    """Return a position as a path ends with it: ``[3][1]`` for (3, 1)."""
    return "".join(f"[{int(index)}]" for index in position)


class NormalizerError(ValueError):
    """Base of every error the library raises on purpose.

    Parameters
    ----------
    message : str
        What is wrong and what would be right.
    path : str
        Where, as written in a request body: ``input.x[3]``.
    faults : sequence of Fault
        All places, when there are several; by default the one at ``path``.
    """

    def __init__(self, message: str, *, path: str = "", faults: Sequence[Fault] = ()) -> None:
        self.message, self.path = printable(message), printable(path)
        super().__init__(self.message)
        self.faults = tuple(faults) or _faults(self.message, self.path)


class InvalidInput(NormalizerError):
    """Data that cannot be used as they are; `positions` where they are known as numbers."""

    def __init__(
        self,
        message: str,
        *,
        path: str = "",
        faults: Sequence[Fault] = (),
        positions: Sequence[Sequence[int]] = (),
    ) -> None:
        super().__init__(message, path=path, faults=faults)
        self.positions = [tuple(position) for position in positions]


class ShapeError(InvalidInput):
    """An array of the wrong rank, size or raggedness."""


class DtypeError(InvalidInput):
    """Elements of the wrong type: a boolean or a string where a number belongs."""


class NonFiniteError(InvalidInput):
    """NaN, a missing value or an infinity where none is allowed."""


class InvalidParams(NormalizerError):
    """A parameter that is unknown, out of bounds or excluded by another one."""


class UnknownName(NormalizerError):
    """A method, preset or step of a name that does not exist."""


class NotFitted(NormalizerError):
    """A fitted method was asked to work before it was fitted."""


class FitError(NormalizerError):
    """The data or statistics do not determine a fit."""


class NotEnoughData(FitError):
    """Too few rows, or none."""


class RankDeficient(FitError):
    """The data span fewer directions than the fit needs."""

    def __init__(self, message: str, *, rank: int, remedy: str, path: str = "") -> None:
        super().__init__(f"{message} (rank {rank}); {remedy}", path=path)
        self.rank = rank
        self.remedy = remedy


class IncompatibleStatistics(NormalizerError):
    """Statistics that do not merge: another identity, or other parameters."""


class IncompatibleState(NormalizerError):
    """Carried state of another method, other parameters, channels or step."""


class CorruptVersion(NormalizerError):
    """A version file that is damaged, or of a format this library does not read."""


class UnsupportedOperation(NormalizerError):
    """The method has no such operation, for example no inverse."""


class MissingDependency(NormalizerError):
    """An optional package is needed; the message names the extra to install."""


class Placed(Protocol):
    """An error that says where: those of the library, and what a service refuses."""

    message: str
    path: str
    faults: tuple[Fault, ...]
    args: tuple[Any, ...]


def relocate(error: Placed, move: Callable[[str], str], *, in_message: bool = False) -> None:
    """Let an error say what `move` makes of every place it names.

    Parameters
    ----------
    error : Placed
        Changed in place, so that it keeps its class, traceback and notes.
    move : callable
        Returns a path, or a message with paths in it, as they are told.
    in_message : bool
        Whether messages name places too.

    Examples
    --------
    >>> from normalizers.errors import ShapeError, relocate
    >>> error = ShapeError("2 axes where 1 is right", path="input.x")
    >>> relocate(error, lambda path: path.replace("input", "fit"))
    >>> error.path, error.faults[0].path
    ('fit.x', 'fit.x')
    """
    error.path = move(error.path)
    if in_message:
        error.message = move(error.message)
        error.args = (error.message,)
    faults = tuple(
        Fault(move(fault.path), move(fault.message) if in_message else fault.message)
        for fault in error.faults
    )
    error.faults = faults or _faults(error.message, error.path)


@contextmanager
def relocated(move: Callable[[str], str], *, in_message: bool = False) -> Iterator[None]:
    """Let the library's errors that leave the block say what `move` makes of their places."""
    try:
        yield
    except NormalizerError as error:
        relocate(error, move, in_message=in_message)
        raise


@contextmanager
def located(path: str) -> Iterator[None]:
    """Give `path` to the library's errors that leave the block without a place.

    Examples
    --------
    >>> from normalizers.errors import FitError, located
    >>> try:
    ...     with located("fit"):
    ...         raise FitError("all rows are equal")
    ... except FitError as error:
    ...     print(error.path)
    fit
    """
    with relocated(lambda named: named or path):
        yield


def _faults(message: str, path: str) -> tuple[Fault, ...]:
    return (Fault(path, message),) if path else ()
