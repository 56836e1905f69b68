"""Parameters of a method as options of a command, made from the method's own JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from normalizers.messages import did_you_mean, quoted
from normd.cli.errors import Misuse

Schema = Mapping[str, object]
TYPES = {"number": "NUMBER", "integer": "INTEGER", "boolean": "true|false", "string": "TEXT"}
BOUNDS = {
    "minimum": ">=",
    "exclusiveMinimum": ">",
    "maximum": "<=",
    "exclusiveMaximum": "<",
    "minItems": "at least",
    "maxItems": "at most",
}
STRUCTURES = ("array", "object")


@dataclass(frozen=True)
class MethodOption:
    """One parameter of a method as an option.

    Parameters
    ----------
    name : str
        Name of the parameter.
    schema : mapping
        Its JSON Schema, as the catalogue has it.
    """

    name: str
    schema: Schema

    @property
    def flag(self) -> str:
        """How it is written: ``--eps-rel``."""
        return f"--{self.name.replace('_', '-')}"

    @cached_property
    def alternatives(self) -> Sequence[Schema]:
        """What its value may be; null, "not given", is left out."""
        found = self.schema.get("anyOf")
        alternatives = found if isinstance(found, list) else [self.schema]
        return [one for one in alternatives if one.get("type") != "null"]

    @property
    def is_switch(self) -> bool:
        """Whether it is true or false and nothing else."""
        return {one.get("type") for one in self.alternatives} == {"boolean"}

    @property
    def metavar(self) -> str:
        """What its value looks like."""
        return "|".join(_spelled(one) for one in self.alternatives)

    @property
    def help(self) -> str:
        """What it does, its bounds and what is used when it is not given."""
        text = str(self.schema.get("description", ""))
        bounds = ", ".join(bound for one in self.alternatives for bound in _bounds(one))
        standard = self._standard
        notes = [*([bounds] if bounds else []), *([f"default: {standard}"] if standard else [])]
        return f"{text} ({'; '.join(notes)})" if notes else text

    @property
    def _standard(self) -> str:
        resolves = str(self.schema.get("x-resolves", ""))
        if "default" not in self.schema:
            return resolves
        standard = self.schema["default"]
        written = standard if isinstance(standard, str) else json.dumps(standard)
        return f"{written}; {resolves}" if resolves and resolves != written else written

    def value(self, text: str) -> object:
        """Return the value that a text on the command line means.

        Numbers, true, false and JSON are what they are where the parameter may be that; lists may
        be written ``a,b``, objects ``a=1,b=2``. The service says whether the value is allowed.
        """
        kinds = {str(one.get("type", "")) for one in self.alternatives}
        if kinds == {"string"}:
            return text
        if "object" in kinds and "=" in text and not text.startswith("{"):
            pairs = (part.partition("=") for part in text.split(","))
            return {name.strip(): literal(value.strip()) for name, _, value in pairs}
        if "array" in kinds and not text.startswith(("[", "{")) and not self._is_single(text):
            return [self._item(part.strip()) for part in text.split(",")]
        return literal(text)

    def _is_single(self, text: str) -> bool:
        """Return whether an alternative beside the list fits the text."""
        scalars = {one.get("type") for one in self.alternatives} - {*STRUCTURES}
        return "," not in text and bool(scalars)

    def _item(self, text: str) -> object:
        items = next(one.get("items") for one in self.alternatives if one.get("type") == "array")
        is_text = isinstance(items, Mapping) and items.get("type") == "string"
        return text if is_text else literal(text)


def method_options(description: Schema) -> list[MethodOption]:
    """Return the parameters of a described method, in the order it declares them."""
    parameters = description.get("parameters")
    found = parameters.get("properties") if isinstance(parameters, Mapping) else None
    return [
        MethodOption(name, schema)
        for name, schema in (found.items() if isinstance(found, Mapping) else ())
    ]


def literal(text: str) -> object:
    """Return the JSON value of a text, or the text itself.

    Examples
    --------
    >>> from normd.cli.options.parameters import literal
    >>> literal("3"), literal("true"), literal("oas")
    (3, True, 'oas')
    """
    try:
        return json.loads(text, parse_constant=_no_constant)
    except ValueError:
        return text


def read_grid(text: str | None) -> object:
    """Return the values to try that a text means.

    Examples
    --------
    >>> from normd.cli.options.parameters import read_grid
    >>> read_grid("0.1"), read_grid("0,0.5,1"), read_grid("[[0,1],[1,0]]")
    (0.1, [0, 0.5, 1], [[0, 1], [1, 0]])
    """
    if text is None:
        return None
    if text.startswith("[") or "," not in text:
        return literal(text)
    return [literal(part.strip()) for part in text.split(",")]


def assignments(written: Sequence[str], known: Sequence[MethodOption]) -> dict[str, object]:
    """Return the parameters of ``--param name=value``, each as its option would read it.

    Raises
    ------
    Misuse
        No equals sign, a name that the method lacks, or one that is given twice.
    """
    options = {option.name: option for option in known}
    found: dict[str, object] = {}
    for text in written:
        name, equals, value = text.partition("=")
        if not equals:
            raise Misuse(f"--param {text}: write --param NAME=VALUE")
        if options and name not in options:
            raise Misuse(
                f"--param {text}: there is no parameter {quoted(name)}"
                f"{did_you_mean(name, options)}; known: {', '.join(options)}"
            )
        if name in found:
            raise Misuse(f"--param {name} is given twice")
        found[name] = options[name].value(value) if name in options else literal(value)
    return found


def _spelled(schema: Schema) -> str:
    if "const" in schema:
        return str(schema["const"])
    choices = schema.get("enum")
    if isinstance(choices, list):
        return "|".join(map(str, choices))
    if schema.get("type") == "array":
        items = schema.get("items")
        item = _spelled(items) if isinstance(items, Mapping) and items else ""
        return f"{item},..." if item else "JSON"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        value = _spelled(values) if isinstance(values, Mapping) else "VALUE"
        return f"NAME={value},..."
    return TYPES.get(str(schema.get("type", "")), "JSON")


def _bounds(schema: Schema) -> Iterator[str]:
    for name, sign in BOUNDS.items():
        if name in schema:
            yield f"{sign} {schema[name]}"


def _no_constant(name: str) -> object:
    raise ValueError(name)
