"""Exit codes, and which failure has which."""

from __future__ import annotations

from typing import Any

from normd.cli.errors import Misuse

OK = 0
FAILED = 1
MISUSED = 2
CONTRADICTED = 3
DRIFTED = 4
INTERRUPTED = 130  # 128 and the number of the signal, as shells have it
NOT_FOUND, CONFLICT, PRECONDITION = 404, 409, 412
SERVER_ERRORS = 500
TOO_MANY = 429

MEANINGS = {
    OK: "done",
    FAILED: "the service or normd itself failed",
    MISUSED: "the call, a file, the data or the address of the service cannot be used",
    CONTRADICTED: "what is named is not stored, or what is stored contradicts the call",
    DRIFTED: "live data are further from a fit than was asked for, or what was fitted harms them",
    INTERRUPTED: "interrupted",
}


def exit_code(error: BaseException) -> int:
    """Return the exit code of a failure."""
    from normalizers.errors import NormalizerError
    from normd.client.errors import ClientError, Refused
    from normd.service import is_unusable

    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, Refused):
        return _of_status(error.status)
    expected = (Misuse, ClientError, NormalizerError, OSError)
    if isinstance(error, expected) or is_unusable(error) or _is_of_parser(error):
        return MISUSED
    return FAILED


def message(error: BaseException) -> str:
    """Return what to tell a person about a failure."""
    from normalizers.errors import NormalizerError
    from normd.client.errors import ClientError, Refused

    if isinstance(error, KeyboardInterrupt):
        return MEANINGS[INTERRUPTED]
    if _is_of_parser(error):
        return _of_parser(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'a file or pipe'}: it cannot be used: {error.strerror}"
    said = str(getattr(error, "message", None) or error)
    if isinstance(error, Refused) and error.status >= SERVER_ERRORS and error.request_id:
        return f"{said} (request {error.request_id})"
    if isinstance(error, NormalizerError) and error.path and error.path not in said:
        return f"{error.path}: {said}"
    if exit_code(error) == FAILED and not isinstance(error, ClientError):
        return f"{type(error).__name__}: {said}"
    return said


def is_help(error: BaseException) -> bool:
    """Return whether it is only the help that a call without words gets."""
    return type(error).__name__ == "NoArgsIsHelpError"


def _is_of_parser(error: BaseException) -> bool:
    """Return whether the arguments could not be parsed; typer keeps the class to itself."""
    return hasattr(error, "format_message")


def _of_parser(error: Any) -> str:
    """Return in one line what is wrong with the arguments, and whose help tells more."""
    said = str(error.format_message())
    if is_help(error):
        return said
    context = getattr(error, "ctx", None)
    remedy = "" if context is None else f"; {context.command_path} --help tells more"
    return f"{said[:1].lower()}{said[1:].rstrip('.')}{remedy}"


def _of_status(status: int) -> int:
    if status in (NOT_FOUND, CONFLICT, PRECONDITION):
        return CONTRADICTED
    return FAILED if status >= SERVER_ERRORS or status == TOO_MANY else MISUSED
