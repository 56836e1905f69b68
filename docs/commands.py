"""Every command of the command line with its options, and what its exit codes mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from docs.markdown import code, joined, prose, table
from normalizers.catalogue.catalogue import CATALOGUE
from normd.cli.exits import MEANINGS
from normd.cli.options.dynamic import PREFIX, MethodGroup
from normd.cli.options.program import COMMANDS, load

PROGRAM = "normd"
# Any method has the options of the command itself.
SOME_METHOD = next(iter(CATALOGUE))


def commands() -> str:
    """Return a section for each command."""
    return joined(*map(command_section, COMMANDS))


def exit_codes() -> str:
    """Return a row for each exit code."""
    rows = ((code(str(number)), meaning) for number, meaning in MEANINGS.items())
    return table(("exit code", "means"), rows)


def command_section(name: str) -> str:
    """Return what a command does, how it is called, and its options."""
    return joined(
        f"### {PROGRAM} {name} {{#{name}}}",
        COMMANDS[name].summary,
        code(usage(name)),
        table(("", ""), records(name)),
    )


def usage(name: str) -> str:
    """Return how a command is called."""
    method = ["METHOD"] if isinstance(load(name, []), MethodGroup) else []
    command, context = _loaded(name)
    return " ".join([PROGRAM, name, *method, *command.collect_usage_pieces(context)])


def records(name: str) -> Iterator[tuple[str, str]]:
    """Yield the arguments and options of a command with their help, without a method's own."""
    command, context = _loaded(name)
    for parameter in command.params:
        record = parameter.get_help_record(context)
        if record and not str(parameter.name).startswith(PREFIX):
            yield code(record[0]), prose(record[1])


def _loaded(name: str) -> tuple[Any, Any]:
    """Return a command and its context; of one that takes a method, its form for some method."""
    found = load(name, [])
    if isinstance(found, MethodGroup):
        found = found.get_command(typer.Context(found, info_name=name), SOME_METHOD)
    return found, typer.Context(found, info_name=name)
