"""What can go wrong between a client and a service, as one tree.

::

    ClientError
      Unreachable             no connection, or no answer in time; carries the URL
      UnexpectedServer        something answered that is no normd service
      NotSupported            the service lacks a route or a form of body
      Refused                 the service answered a problem; carries status, faults, request id
        Unparseable             400
        Unauthorized            401: a key is needed
        Forbidden               403: the key lacks the scope
        NotFound                404: no such name, version, alias or method
        Conflict                409: the request contradicts what is there
        NotAcceptable           406
        PreconditionFailed      412: carries where the alias points now
        TooLarge                413: carries the limit and the setting that sets it
        UnsupportedMediaType    415
        Unavailable             429, 502, 503, 504, after the last retry
        Failed                  500: carries the request id
        ShapeError, NotFitted, ...  also the class of `normalizers.errors` of the same name

What the library raises, the client raises: ``except normalizers.errors.ShapeError`` and ``except
Refused`` both catch a refused shape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from normalizers import errors as library
from normalizers.errors import Fault, NormalizerError, printable
from normd.wire.problems import TABLE


class ClientError(Exception):
    """Base of every error the client raises on purpose.

    Parameters
    ----------
    message : str
        What is wrong and what would be right.
    url : str
        What was asked.
    """

    def __init__(self, message: str, *, url: str = "") -> None:
        self.message, self.url = printable(message), url
        # Not the next class's: those of the library take other arguments.
        Exception.__init__(self, self.message)


class Unreachable(ClientError):
    """No connection, or no answer in time."""


class UnexpectedServer(ClientError):
    """Something answered that is no normd service."""


class NotSupported(ClientError):
    """The service lacks a route or a form of body that the client needs."""


class Refused(ClientError):
    """The service answered a problem.

    Attributes
    ----------
    status : int
        The HTTP status.
    problem : str
        The kind of problem: the last part of its type, for example ``not-found``.
    title : str
        What that kind means.
    path : str
        Where, as written in a request body: ``input.x[3]``.
    faults : tuple of Fault
        All places, when there are several.
    request_id : str
        What finds the request in the logs of the service.
    """

    status: int = 0
    problem: str = ""
    title: str = ""
    path: str = ""
    faults: tuple[Fault, ...] = ()
    request_id: str = ""


class Unparseable(Refused):
    """The body cannot be parsed."""


class Unauthorized(Refused):
    """A key is needed, and none that the service knows was sent."""


class Forbidden(Refused):
    """The key lacks the scope that this needs."""


class NotFound(Refused):
    """No such name, version, alias or method."""


class Conflict(Refused):
    """The request contradicts what is there."""


class NotAcceptable(Refused):
    """The service cannot answer in the form that was asked for."""


class PreconditionFailed(Refused):
    """An alias points elsewhere than was expected; `actual` is the hash it points to."""

    actual: str | None = None


class TooLarge(Refused):
    """Above a limit of the service."""

    limit: int | None = None
    setting: str = ""


class UnsupportedMediaType(Refused):
    """The service does not read this form of body."""


class Unavailable(Refused):
    """The service, or what stands before it, cannot answer now."""


class Failed(Refused):
    """The service failed; the request id finds the reason in its logs."""


# By kind of problem, where the library has no class.
OWN: Mapping[str, type[Refused]] = {
    "unparseable": Unparseable,
    "unauthorized": Unauthorized,
    "forbidden": Forbidden,
    "not-found": NotFound,
    "conflict": Conflict,
    "not-acceptable": NotAcceptable,
    "precondition-failed": PreconditionFailed,
    "too-large": TooLarge,
    "unsupported-media-type": UnsupportedMediaType,
    "unavailable": Unavailable,
    "too-many-requests": Unavailable,
    "damaged-version": Unavailable,
    "internal": Failed,
}
# By status, for kinds that this release does not know.
BY_STATUS: Mapping[int, type[Refused]] = {
    400: Unparseable,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    413: TooLarge,
    429: Unavailable,
    500: Failed,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}
MEMBERS: Mapping[type[Exception], Mapping[str, object]] = {
    PreconditionFailed: {"actual": None},
    TooLarge: {"limit": None, "setting": ""},
    library.NonFiniteError: {"positions": ()},
    library.RankDeficient: {"rank": None, "remedy": ""},
}


def _of_library(known: type[NormalizerError]) -> type[Refused]:
    """Return the class of a library's error that a service answered."""
    return type(
        known.__name__, (Refused, known), {"__doc__": known.__doc__, "__module__": __name__}
    )


FROM_LIBRARY: Mapping[str, type[Refused]] = {
    kind.slug: _of_library(known) for known, kind in TABLE if issubclass(known, NormalizerError)
}


def __getattr__(name: str) -> type[Refused]:
    """Return the class of a library's error that a service answered, by its name."""
    for known in FROM_LIBRARY.values():
        if known.__name__ == name:
            return known
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def refused(problem: Mapping[str, object], status: int, url: str) -> Refused:
    """Return the error that a problem answer is."""
    kind = str(problem.get("type", "")).rstrip("/").rpartition("/")[2]
    found = OWN.get(kind) or FROM_LIBRARY.get(kind) or BY_STATUS.get(status, Refused)
    title = str(problem.get("title", ""))
    error = found(str(problem.get("detail") or title or f"status {status}"), url=url)
    error.status, error.problem, error.title = status, kind, title
    error.request_id = str(problem.get("request_id", ""))
    error.faults = tuple(_faults(problem.get("errors")))
    error.path = error.faults[0].path if error.faults else ""
    for member, standard in _members(found).items():
        setattr(error, member, problem.get(member, standard))
    if isinstance(error, library.NonFiniteError):
        error.positions = [tuple(position) for position in error.positions]
    return error


def _members(found: type[Refused]) -> Mapping[str, object]:
    return next((names for known, names in MEMBERS.items() if issubclass(found, known)), {})


def _faults(items: object) -> Sequence[Fault]:
    if not isinstance(items, list):
        return ()
    return [
        Fault(str(item.get("path", "")), str(item.get("message", "")))
        for item in items
        if isinstance(item, Mapping)
    ]
