"""Commands made from descriptions of methods: a new method is a command without a line here."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

from normalizers.messages import did_you_mean
from normd.cli.errors import Misuse
from normd.cli.options.parameters import MethodOption, assignments, method_options
from normd.cli.target import Target

PREFIX = "parameter_"
PRESET = "preset"
URL_FLAG, DATA_FLAG = "--url", "--data"
URL_VARIABLE = "NORMD_URL"
HELP = {"help_option_names": ["--help", "-h"]}
# Options of a template that have a meaning for learned methods alone: a parameter may be so called.
OF_WEIGHTS = frozenset({"weights", "prefix"})
# Options of a template for methods that are fitted on runs.
OF_RUNS = frozenset({"qrels", "measure", "folds", "grid", "bootstrap"})
Template = Callable[..., None]


@dataclass(frozen=True)
class Command:
    """A command for one method.

    Parameters
    ----------
    template : callable
        Does the work; its first two parameters are the method as it was called and its parameters.
    word : str
        The name or alias the method was called by.
    description : mapping
        The method, as its catalogue describes it.
    where : Target, optional
        Who knows the other methods.
    """

    template: Template
    word: str
    description: Mapping[str, object]
    where: Target | None = None

    @property
    def options(self) -> list[MethodOption]:
        """The parameters that are options: those whose flag the template does not need itself."""
        taken = _flags(self.own)
        return [option for option in method_options(self.description) if option.flag not in taken]

    @property
    def own(self) -> list[inspect.Parameter]:
        """The template's own options: those of weights and of runs for methods that have them."""
        fits = self.description.get("fits")
        without = {
            *(() if self.description.get("weights") else OF_WEIGHTS),
            *(() if isinstance(fits, Mapping) and "runs" in fits else OF_RUNS),
        }
        return [parameter for parameter in _own(self.template) if parameter.name not in without]

    def build(self) -> Any:
        """Return the command."""
        made = [_parameter(option) for option in self.options]
        presets, fits = self.description.get("presets"), self.description.get("fit_presets")
        names = [
            *(presets if isinstance(presets, Mapping) else ()),
            *(fits if isinstance(fits, list) else ()),
        ]
        # Asked for in vain it is told which methods have it.
        made.append(_preset("|".join(names), hidden=not names))

        def run(**values: object) -> None:
            wanted = values.get(PREFIX + PRESET)
            if isinstance(wanted, str) and wanted not in names and self.where is not None:
                raise Misuse(self._no_preset(wanted, names))
            params = self._params(values)
            self.template(self.word, params, **values)

        summary = str(self.description.get("summary", ""))
        return _made(run, self.word, [*self.own, *made], summary)

    def _no_preset(self, wanted: str, names: Sequence[str]) -> str:
        """Return that a preset is not this method's, and whose it is."""
        others = [] if self.where is None else presets_of(self.where.methods).get(wanted, [])
        told = f"; {wanted} is one of {', '.join(others)}" if others else ""
        known = f"; known: {', '.join(names)}" if names else "; it has none"
        near = "" if others else did_you_mean(wanted, names)
        return f"--preset {wanted}: {self.word} has no such preset{near}{told}{known}"

    def _params(self, values: dict[str, object]) -> dict[str, object]:
        """Take the parameters of the method out of the values of the command."""
        preset = values.pop(PREFIX + PRESET, None)
        found = {} if preset is None else {PRESET: preset}
        for option in self.options:
            given = values.pop(PREFIX + option.name, None)
            if given is not None:
                found[option.name] = option.value(given) if isinstance(given, str) else given
        written = values.pop("param", None)
        texts = written if isinstance(written, list) else []
        for name, value in assignments(texts, method_options(self.description)).items():
            if name in found:
                raise Misuse(f"{name} is given twice: as an option and by --param")
            found[name] = value
        return found


class MethodGroup(TyperGroup):
    """A group whose commands are the methods of the service that is asked."""

    template: ClassVar[Template]
    # Read from the arguments before a method is looked up.
    place: Target = Target()

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the methods that this verb can do something with."""
        found = self.place.methods.items()
        return [name for name, described in found if type(self).does(described)]

    @classmethod
    def does(cls, described: Mapping[str, object]) -> bool:
        """Return whether a described method is listed."""
        return True

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command for a method, by name or alias."""
        described = self.place.method(cmd_name)
        return Command(type(self).template, cmd_name, described, self.place).build()


def group_command(kind: type[MethodGroup], metavar: str, summary: str, args: Sequence[str]) -> Any:
    """Return a group of commands that are made from methods."""
    program = typer.Typer(
        cls=kind,
        add_completion=False,
        no_args_is_help=True,
        rich_markup_mode=None,
        help=summary,
        subcommand_metavar=metavar,
        context_settings=HELP,
    )
    program.callback()(_nothing)
    group: Any = typer.main.get_command(program)
    group.place = place_of(args)
    return group


class OnceCommand(TyperCommand):
    """A command that refuses an option given twice, where only the last would count."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Return what is left of the arguments after checking them."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        given: list[Any] = [one for one in order if one.param_type_name == "option"]
        for place, option in enumerate(given):
            if option in given[:place] and not (option.multiple or option.is_flag):
                raise Misuse(f"{option.opts[0]} is given twice; it counts once{_joining(option)}")
        return super().parse_args(ctx, args)


def _joining(option: Any) -> str:
    """Return how several values are written, where an option has them."""
    separated = ",..." in str(option.metavar or "")
    return f", with commas: {option.opts[0]} {option.metavar}" if separated else ""


def simple_command(function: Callable[..., None]) -> Any:
    """Return the command that a function is."""
    program = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=HELP)
    program.command(cls=OnceCommand, context_settings=HELP)(function)
    return typer.main.get_command(program)


def word_command(template: Template, word: str, without: frozenset[str]) -> Any:
    """Return the command for a word that is no method: a template without parameters."""

    def run(**values: object) -> None:
        template(word, None, **values)

    own = [parameter for parameter in _own(template) if parameter.name not in without]
    return _made(run, word, own, f"Work by {word}.")


def _made(
    function: Callable[..., None],
    name: str,
    parameters: Sequence[inspect.Parameter],
    summary: str,
) -> Any:
    """Return a command of a function whose parameters are only known now."""
    by_kind = sorted(parameters, key=lambda parameter: parameter.kind)
    function.__signature__ = inspect.Signature(by_kind)  # type: ignore[attr-defined]
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in by_kind}
    program = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=HELP)
    program.command(name, cls=OnceCommand, help=summary, context_settings=HELP)(function)
    return typer.main.get_command(program)


def place_of(args: Sequence[str]) -> Target:
    """Return where a call wants its work done, read before the call itself is."""
    import os

    url = flag_value(args, URL_FLAG) or os.environ.get(URL_VARIABLE) or None
    data = flag_value(args, DATA_FLAG)
    return Target(url, Path(data) if data else None)


def flag_value(args: Sequence[str], flag: str) -> str | None:
    """Return the value of a flag among arguments.

    Examples
    --------
    >>> from normd.cli.options.dynamic import flag_value
    >>> flag_value(["x.csv", "--url=http://host"], "--url")
    'http://host'
    """
    for place, text in enumerate(args):
        if text == "--":
            return None
        if text.startswith(f"{flag}="):
            return text.partition("=")[2]
        if text == flag and place + 1 < len(args):
            return args[place + 1]
    return None


def _nothing() -> None:
    """Take the place of options that stand before a method: there are none."""


def _own(template: Template) -> list[inspect.Parameter]:
    """Return the parameters of a template but for the word and its parameters."""
    return list(inspect.signature(template, eval_str=True).parameters.values())[2:]


def _flags(own: Sequence[inspect.Parameter]) -> set[str]:
    """Return the flags of the options of a template."""
    return {
        flag
        for parameter in own
        for declared in getattr(parameter.annotation, "__metadata__", ())
        for flags in (getattr(declared, "default", None), *(declared.param_decls or ()))
        if isinstance(flags, str)
        for flag in flags.split("/")
    }


def _parameter(option: MethodOption) -> inspect.Parameter:
    """Return the parameter of a function that an option is."""
    if option.is_switch:
        flag = f"{option.flag}/--no-{option.flag.removeprefix('--')}"
        declared = typer.Option(flag, help=option.help, show_default=False)
        return _optional(PREFIX + option.name, Annotated[bool | None, declared])
    declared = typer.Option(
        option.flag, metavar=option.metavar, help=option.help, show_default=False
    )
    return _optional(PREFIX + option.name, Annotated[str | None, declared])


def presets_of(methods: Mapping[str, Mapping[str, object]]) -> dict[str, list[str]]:
    """Return the methods that have a preset, by its name."""
    found: dict[str, list[str]] = {}
    for name, described in methods.items():
        presets, fits = described.get("presets"), described.get("fit_presets")
        for preset in [*(presets or ()), *(fits or ())]:  # type: ignore[misc]
            found.setdefault(preset, []).append(name)
    return found


def _preset(names: str, *, hidden: bool) -> inspect.Parameter:
    declared = typer.Option(
        "--preset",
        metavar=names or "NAME",
        help="parameters as a peer or a paper has them",
        show_default=False,
        hidden=hidden,
    )
    return _optional(PREFIX + PRESET, Annotated[str | None, declared])


def _optional(name: str, annotation: object) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation
    )
