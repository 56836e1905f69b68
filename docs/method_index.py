"""The methods by family and room: an index page and the part of the navigation that lists them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from docs.markdown import joined, prose, table
from normalizers.catalogue.catalogue import Catalogue
from normalizers.contract.method import Method
from normd.wire.descriptions import docstring_sections

INDEX = "methods/index.md"


def page_of(name: str) -> str:
    """Return the path of a method's page among the pages."""
    return f"methods/{name}.md"


def by_room(catalogue: Catalogue) -> Mapping[str, Mapping[str, list[type[Method]]]]:
    """Return the methods of each family by their room, all in the order of names."""
    families: dict[str, dict[str, list[type[Method]]]] = {}
    for cls in catalogue.values():
        families.setdefault(cls.family, {}).setdefault(room_of(cls), []).append(cls)
    return {family: dict(sorted(rooms.items())) for family, rooms in sorted(families.items())}


def room_of(cls: type[Method]) -> str:
    """Return the folder of a method within its family, empty without one.

    Examples
    --------
    >>> from docs.method_index import room_of
    >>> from normalizers import ReciprocalRankFusion, Whitening
    >>> room_of(ReciprocalRankFusion), room_of(Whitening)
    ('fusion/ranks', 'covariance')
    """
    folders = cls.__module__.split(".")[:-1]
    ours = folders[:2] == ["normalizers", cls.family]
    return "/".join(folders[2:]) if ours else ""


def method_index(catalogue: Catalogue) -> str:
    """Return every method with its summary, family by family and room by room."""
    told = (
        f"{len(catalogue)} methods. Each page is made from the method's class, and its examples "
        "are run by the tests. `normd methods` and `GET /v1/methods` list the same."
    )
    families = (
        joined(f"## {family}", *(_section(room, methods) for room, methods in rooms.items()))
        for family, rooms in by_room(catalogue).items()
    )
    return joined("# Methods", told, *families)


def navigation(catalogue: Catalogue) -> str:
    """Return the entries of the navigation below the methods' own."""
    lines: list[str] = []
    for family, rooms in by_room(catalogue).items():
        lines.append(f"    * {family}")
        for room, methods in rooms.items():
            indent = "        "
            if room:
                lines.append(f"{indent}* {room}")
                indent += "    "
            lines += [f"{indent}* [{cls.name}]({page_of(cls.name)})" for cls in methods]
    return "\n".join(lines)


def _section(room: str, methods: Iterable[type[Method]]) -> str:
    listed = table(("method", "kinds", "what it does"), map(_row, methods))
    return joined(f"### {room}" if room else "", listed)


def _row(cls: type[Method]) -> tuple[str, str, str]:
    summary = prose(docstring_sections(cls)["summary"])
    return f"[{cls.name}]({cls.name}.md)", ", ".join(cls.kinds), summary
