"""Bodies the service does not read, or cannot answer in.

::

    CodecError
      Unparseable           400: not what its Content-Type says
      NotAcceptable         406: no form of answer that the Accept header allows
      TooLarge              413: above a limit, which it names
      UnsupportedMediaType  415: a Content-Type that is not read here

What parses but cannot be used raises `normalizers.errors.InvalidInput`.
"""

from __future__ import annotations

from collections.abc import Iterable

from normalizers.errors import printable


class CodecError(Exception):
    """Base of what goes wrong between bytes and a tree.

    Parameters
    ----------
    message : str
        What is wrong and what would be right.
    path : str
        Where, as written in a request body: ``input.x[3]``.
    """

    def __init__(self, message: str, *, path: str = "") -> None:
        self.message, self.path = printable(message), printable(path)
        super().__init__(self.message)


class Unparseable(CodecError):
    """A body that is not what its Content-Type says."""


class NotAcceptable(CodecError):
    """No form of answer that the Accept header allows."""


class UnsupportedMediaType(CodecError):
    """A Content-Type, or a Content-Encoding, that is not read here.

    Parameters
    ----------
    message : str
        What is not read and what would be.
    accept : iterable of str
        The media types that are read here.
    codings : iterable of str
        The codings that are read here, where the coding is at fault.
    path : str
        Where, when one field is of a form that is not read.
    """

    def __init__(
        self,
        message: str,
        *,
        accept: Iterable[str] = (),
        codings: Iterable[str] = (),
        path: str = "",
    ) -> None:
        super().__init__(message, path=path)
        self.accept, self.codings = tuple(accept), tuple(codings)


class TooLarge(CodecError):
    """A body above a limit.

    Parameters
    ----------
    message : str
        What is too large.
    limit : int
        The limit.
    setting : str
        The environment variable that sets it.
    path : str
        Where, when one field is too large.
    """

    def __init__(self, message: str, *, limit: int, setting: str, path: str = "") -> None:
        super().__init__(f"{message}; the limit is {limit}, set by {setting}", path=path)
        self.limit = limit
        self.setting = setting
