"""The Python API: signatures, what goes in and what comes out, made from the code."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import normalizers
from docs.markdown import code, fence, joined, prose, table
from docs.numpydoc import entries
from normalizers import Answer, Normalizer, Options, Ragged, Version, load, testing
from normalizers import evaluation as measuring
from normalizers.contract.method import Method
from normd.wire.descriptions import sections_of

# What people call: of the library in the order in which they meet it.
OF_THE_LIBRARY = (load, Normalizer, Answer, Options, Ragged, Version)
GROUPS = {
    normalizers.__name__: OF_THE_LIBRARY,
    **{
        package.__name__: tuple(getattr(package, name) for name in package.__all__)
        for package in (measuring, testing)
    },
}


def reference() -> str:
    """Return a section for each public class and function, by package."""
    parts: list[str] = []
    for package, members in GROUPS.items():
        parts.append(f"## {package}")
        parts += [_member(member, package) for member in members]
    return joined(*parts)


def public_methods(cls: type) -> Iterator[tuple[str, Any]]:
    """Yield the functions and properties of a class that this project wrote and tells people of."""
    for name in dir(cls):
        # What a method implements stands in CONTRIBUTING.
        if name.startswith("_") or (issubclass(cls, Method) and hasattr(Method, name)):
            continue
        member = inspect.getattr_static(cls, name)
        function = member.fget if isinstance(member, property) else member
        function = getattr(function, "__func__", function)
        if inspect.isfunction(function) and _is_ours(function) and function.__doc__:
            yield name, member


def _is_ours(function: Callable[..., object]) -> bool:
    return function.__module__.partition(".")[0] in ("normalizers", "normd")


def _member(member: Any, package: str) -> str:
    title = f"### {member.__name__} {{#{package}.{member.__name__}}}"
    if inspect.isclass(member):
        inside = (_method(name, found) for name, found in public_methods(member))
        return joined(title, _described(member.__name__, member), *inside)
    return joined(title, _described(member.__name__, member))


def _method(name: str, member: Any) -> str:
    if isinstance(member, property):
        read: Any = member.fget
        kind = _annotation(inspect.signature(read).return_annotation)
        told = sections_of(read.__doc__)["summary"]
        return joined(f"#### {name}", fence("pycon", f"{name}: {kind}"), prose(told))
    return joined(f"#### {name}", _described(name, getattr(member, "__func__", member)))


def _described(name: str, member: Any) -> str:
    sections = sections_of(member.__doc__)
    return joined(
        fence("pycon", _signature(name, member)),
        prose(sections["summary"]),
        prose(sections["description"]),
        _listed("parameter", sections.get("Parameters", "")),
        _returned(sections.get("Returns", "")),
        _raised(sections.get("Raises", "")),
        prose(sections.get("Notes", "")),
        fence("pycon", sections["Examples"]) if "Examples" in sections else "",
    )


def _listed(head: str, section: str) -> str:
    rows = [(code(one.names), prose(one.type), prose(one.text)) for one in entries(section)]
    return table((head, "type", "meaning"), rows) if rows else ""


def _returned(section: str) -> str:
    told = [f"{prose(one.names)}. {prose(one.text)}".strip() for one in entries(section)]
    return f"**Returns** {' '.join(told)}" if told else ""


def _raised(section: str) -> str:
    told = [f"`{one.names}`: {prose(one.text)}".rstrip(": ") for one in entries(section)]
    return f"**Raises** {' '.join(told)}" if told else ""


def _signature(name: str, member: Any) -> str:
    try:
        signature = inspect.signature(member)
    except ValueError:
        return name
    parameters = [one for one in signature.parameters.values() if one.name not in ("self", "cls")]
    text = f"{name}({', '.join(_parameters(parameters))})"
    if len(text) > 88:
        text = f"{name}(\n    " + ",\n    ".join(_parameters(parameters)) + ",\n)"
    returned = signature.return_annotation
    empty = returned is inspect.Signature.empty or inspect.isclass(member)
    return text if empty else f"{text} -> {_annotation(returned)}"


def _parameters(parameters: Iterable[inspect.Parameter]) -> Iterator[str]:
    starred = False
    for one in parameters:
        if one.kind is one.VAR_POSITIONAL:
            starred = True
        elif one.kind is one.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        yield _parameter(one)


def _parameter(one: inspect.Parameter) -> str:
    stars = "*" * ((one.kind is one.VAR_POSITIONAL) + 2 * (one.kind is one.VAR_KEYWORD))
    typed = "" if one.annotation is one.empty else f": {_annotation(one.annotation)}"
    if one.default is one.empty:
        return f"{stars}{one.name}{typed}"
    shown = one.default.__name__ if inspect.isfunction(one.default) else repr(one.default)
    return f"{stars}{one.name}{typed} = {shown}"


def _annotation(annotation: Any) -> str:
    if isinstance(annotation, str):
        return annotation
    return getattr(annotation, "__name__", str(annotation))
