"""The command line ``normd``: the service's verbs on files, here or by a running service."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from types import FrameType

NAME = "normd"
# Said before the command, meant for it.
PLACE_FLAGS = ("--url", "--data")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows ``normd``; by default the arguments of the process.
    """
    from normd.cli.options.config_file import configured
    from normd.cli.options.program import program

    if arguments is None:
        # Being asked to end cleans up first.
        signal.signal(signal.SIGTERM, _terminated)
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with configured():
            ended = program().main(args=_reordered(given), prog_name=NAME, standalone_mode=False)
    except SystemExit as stopped:
        return stopped.code if isinstance(stopped.code, int) else int(bool(stopped.code))
    except (Exception, KeyboardInterrupt) as error:
        return _failed(error)
    return ended if isinstance(ended, int) else 0


def _failed(error: BaseException) -> int:
    from normd.cli.display.console import complain, say
    from normd.cli.exits import exit_code, is_help, message

    (say if is_help(error) else complain)(message(error))
    return exit_code(error)


def _reordered(arguments: list[str]) -> list[str]:
    """Return the arguments with flags that stand before the command behind it."""
    before: list[str] = []
    rest = list(arguments)
    while rest and rest[0].partition("=")[0] in PLACE_FLAGS:
        width = 1 if "=" in rest[0] else 2
        before, rest = [*before, *rest[:width]], rest[width:]
    place = rest.index("--") if "--" in rest else len(rest)
    return [*rest[:place], *before, *rest[place:]]


def _terminated(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
