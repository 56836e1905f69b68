"""``normd methods``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from normalizers.messages import did_you_mean
from normd.cli.display.console import print_json, print_table, print_text
from normd.cli.errors import Misuse
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
    family: Annotated[
        str | None, typer.Option("--family", metavar="NAME", help="only those of one family")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--kind", metavar="NAME", help="only one kind: stateless, fitted, fusion ..."),
    ] = None,
    search: Annotated[
        str | None,
        typer.Option("--search", metavar="WORDS", help="only those that tell of all these words"),
    ] = None,
    as_json: Json = False,
    url: Url = None,
    data: Data = None,
) -> None:
    """List the methods, or explain one: formula, fields, parameters, an example."""
    place = Target(url, data)
    if name is None:
        _list(_chosen(list(place.methods.values()), family, kind, search), as_json)
    elif family or kind or search:
        raise Misuse("--family, --kind and --search choose among all methods: leave out NAME")
    else:
        _explain(place.method(name), as_json)


def _chosen(
    found: list[Mapping[str, object]], family: str | None, kind: str | None, search: str | None
) -> list[Mapping[str, object]]:
    """Return the methods of a family and kind that tell of all words."""
    families = sorted({str(said["family"]) for said in found})
    kinds = sorted({word for said in found for word in _texts(said, "kinds")})
    for flag, word, known in (("--family", family, families), ("--kind", kind, kinds)):
        if word is not None and word not in known:
            raise Misuse(f"{flag} {word}{did_you_mean(word, known)}; known: {', '.join(known)}")
    words = (search or "").lower().split()
    return [
        said
        for said in found
        if family in (None, said["family"])
        and (kind is None or kind in _texts(said, "kinds"))
        and all(word in _searched(said) for word in words)
    ]


def _searched(said: Mapping[str, object]) -> str:
    told = [said[name] for name in ("name", "summary", "description", "notes", "references")]
    named = [*_mapping(said, "aliases"), *_mapping(said, "presets")]
    return " ".join(map(str, [*told, *named])).lower()


def _list(found: list[Mapping[str, object]], as_json: bool) -> None:
    if as_json:
        print_json({"items": found})
        return
    if not found:
        raise Misuse("no method is so; normd methods lists all of them")
    print_table(
        ("method", "aliases", "family", "kinds", "what it does"),
        [_row(said) for said in found],
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
