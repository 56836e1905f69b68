"""The program ``normd``: its commands, each loaded when it is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from normd.cli.errors import Misuse
from normd.cli.exits import MEANINGS

SUMMARY = "Make scores, embeddings, metric values and time series comparable."
HELP = {"help_option_names": ["--help", "-h"]}
EPILOG = f"Exit codes: {'; '.join(f'{code} {meaning}' for code, meaning in MEANINGS.items())}."
PLACES = "The options --url and --data of a command may also stand before it."


@dataclass(frozen=True)
class Entry:
    """A command: the module that has it, and one line of help."""

    module: str
    summary: str


COMMANDS: Mapping[str, Entry] = {
    "serve": Entry("serve", "Run the service."),
    "methods": Entry("methods", "List the methods, or explain one."),
    "fit": Entry("fit", "Fit a method on files, under a name or into a version file."),
    "observe": Entry("observe", "Add files to the open statistics of a name."),
    "merge": Entry("merge", "Merge versions and version files into a new version."),
    "join": Entry("join", "Put versions of other items over one bank side by side."),
    "transform": Entry("transform", "Transform a file."),
    "inverse": Entry("transform", "Go back: the input that gives an output."),
    "fuse": Entry("fuse", "Fuse ranked lists, one file a run."),
    "evaluate": Entry("evaluate", "Measure runs against relevance judgements."),
    "diagnose": Entry("diagnose", "Tell without labels whether a correction of hubs helps."),
    "drift": Entry("drift", "Compare live data with what a version was fitted on."),
    "report": Entry("report", "Show what a fit found, as text or as a picture."),
    "list": Entry("names", "List the names."),
    "show": Entry("names", "Show a name or version."),
    "versions": Entry("names", "List the versions of a name."),
    "diff": Entry("diff", "Compare two versions: parameters, report, answers on a sample."),
    "delete": Entry("names", "Delete a version, or a name with all of them."),
    "alias": Entry("alias", "Point an alias to a version, or list the aliases."),
    "export": Entry("export_import", "Write a version to a file."),
    "import": Entry("export_import", "Store a version file under a name."),
    "backup": Entry("backup", "Copy the data folder while the service runs."),
    "restore": Entry("backup", "Bring a backup into an empty data folder."),
    "verify": Entry("backup", "Compare every version file with its hash."),
    "keys": Entry("keys", "Make, list and remove the keys that a service asks for."),
    "config": Entry("config", "Show the settings that hold, and where each comes from."),
    "limits": Entry("limits", "Show the limits of one request."),
}


class Program(TyperGroup):
    """The commands; listing them loads none of them."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands, in the order people meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command as a list shows it."""
        entry = COMMANDS.get(cmd_name)
        return None if entry is None else TyperCommand(cmd_name, help=entry.summary)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is called, and load it.

        Raises
        ------
        Misuse
            There is none, with the nearest name.
        """
        # Inside: the library takes a while to load, and `normd --help` needs none of it.
        from normalizers.messages import did_you_mean, quoted

        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise Misuse(
                f"there is no command {quoted(args[0])}{did_you_mean(args[0], COMMANDS)}; "
                "normd --help lists them"
            )
        name, found, rest = super().resolve_command(ctx, args)
        return name, None if found is None else load(str(name), rest), rest


def load(name: str, args: list[str]) -> Any:
    """Return a command; what it offers may follow from its arguments."""
    entry = COMMANDS[name]
    module = import_module(f"normd.cli.commands.{entry.module}")
    return module.command(name, args)


def program() -> Any:
    """Return the whole program."""
    main = typer.Typer(
        cls=Program,
        add_completion=True,
        no_args_is_help=True,
        rich_markup_mode=None,
        help=SUMMARY,
        epilog=f"{PLACES}\n\n{EPILOG}",
        context_settings=HELP,
    )
    main.callback()(_before_a_command)
    return typer.main.get_command(main)


def _show_release(asked: bool) -> None:
    if asked:
        from normalizers.data.release import DISTRIBUTION, release

        print(DISTRIBUTION, release())
        raise typer.Exit


def _before_a_command(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_show_release, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Take the options that stand before every command."""
