"""``normd methods``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from normd.cli.display.console import print_json, print_table, print_text
from normd.cli.options.arguments import Data, Json, Url
from normd.cli.options.dynamic import simple_command
from normd.cli.options.parameters import method_options
from normd.cli.target import Target
from normd.wire.field_specs import FieldSpecs, read_fields

STAGES = {
    "fits": "fitted on",
    "takes": "takes",
    "gives": "gives",
    "returns": "the way back takes",
}


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(methods)


def methods(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="name or alias")] = None,
    *,
    as_json: Json = False,
    url: Url = None,
    data: Data = None,
) -> None:
    """List the methods, or explain one: formula, fields, parameters, an example."""
    place = Target(url, data)
    if name is None:
        _list(place, as_json)
    else:
        _explain(place.method(name), as_json)


def _list(place: Target, as_json: bool) -> None:
    if as_json:
        print_json({"items": list(place.methods.values())})
        return
    print_table(
        ("method", "aliases", "family", "kinds", "what it does"),
        [_row(said) for said in place.methods.values()],
    )


def _row(said: Mapping[str, object]) -> list[object]:
    aliases = list(_mapping(said, "aliases"))
    return [said["name"], aliases, said["family"], said["kinds"], _unmarked(said["summary"])]


def _explain(said: Mapping[str, object], as_json: bool) -> None:
    if as_json:
        print_json(said)
        return
    print_text(f"{said['name']}  ({said['family']}; {', '.join(_texts(said, 'kinds'))})")
    for title in ("summary", "description"):
        if said[title]:
            print_text(f"\n{_unmarked(said[title])}")
    for stage, title in STAGES.items():
        _print_fields(FieldSpecs.from_json(said, stage), title)
    for variant in _objects(said, "weights"):
        params = ", ".join(f"{name}: {_word(value)}" for name, value in variant["params"].items())
        title = f"imports weights, with {params}" if params else "imports weights"
        _print_fields(FieldSpecs(read_fields(variant["fields"])), title)
    print_text("\nparameters")
    print_table(
        ("option", "value", "what it does"),
        [[option.flag, option.metavar, option.help] for option in method_options(said)],
    )
    presets = _mapping(said, "presets")
    if presets:
        print_text(f"presets: {', '.join(presets)}\n")
    shipped = said.get("fit_presets")
    if isinstance(shipped, list) and shipped:
        print_text(f"fits that come with it: {', '.join(map(str, shipped))}\n")
    for title in ("notes", "references"):
        if said[title]:
            print_text(f"{title}\n{_unmarked(said[title])}\n")
    print_text("example")
    print_json(_mapping(said, "example"))


def _print_fields(fields: FieldSpecs, title: str) -> None:
    if not len(fields):
        return
    print_text(f"\n{title}")
    print_table(
        ("field", "kind", "shape", "", "what it holds"),
        [
            [
                field.name,
                field.kind,
                f"({', '.join(field.axes)})",
                "" if field.required else "optional",
                field.help,
            ]
            for field in fields.values()
        ],
    )


def _unmarked(text: object) -> str:
    """Return a docstring's text without the marks of its language."""
    return str(text).replace("``", "`")


def _mapping(said: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = said.get(name)
    return found if isinstance(found, Mapping) else {}


def _objects(said: Mapping[str, object], name: str) -> list[dict[str, Any]]:
    found = said.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _word(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _texts(said: Mapping[str, object], name: str) -> list[str]:
    found = said.get(name)
    return [str(text) for text in found] if isinstance(found, list) else []
