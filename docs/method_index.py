"""The methods by family: an index page and the part of the navigation that lists them."""

from __future__ import annotations

from collections.abc import Mapping

from docs.markdown import joined, prose, table
from normalizers.catalogue.catalogue import Catalogue
from normalizers.contract.method import Method
from normd.wire.descriptions import docstring_sections

INDEX = "methods/index.md"


def page_of(name: str) -> str:
    """Return the path of a method's page among the pages."""
    return f"methods/{name}.md"


def by_family(catalogue: Catalogue) -> Mapping[str, list[type[Method]]]:
    """Return the methods of each family, in the order of names."""
    families: dict[str, list[type[Method]]] = {}
    for cls in catalogue.values():
        families.setdefault(cls.family, []).append(cls)
    return dict(sorted(families.items()))


def method_index(catalogue: Catalogue) -> str:
    """Return every method with its summary, family by family."""
    told = (
        f"{len(catalogue)} methods. Each page is made from the method's class, and its examples "
        "are run by the tests. `normd methods` and `GET /v1/methods` list the same."
    )
    families = (
        joined(f"## {family}", table(("method", "kinds", "what it does"), map(_row, methods)))
        for family, methods in by_family(catalogue).items()
    )
    return joined("# Methods", told, *families)


def navigation(catalogue: Catalogue) -> str:
    """Return the entries of the navigation below the methods' own."""
    lines: list[str] = []
    for family, methods in by_family(catalogue).items():
        lines.append(f"    * {family}")
        lines += [f"        * [{cls.name}]({page_of(cls.name)})" for cls in methods]
    return "\n".join(lines)


def _row(cls: type[Method]) -> tuple[str, str, str]:
    summary = prose(docstring_sections(cls)["summary"])
    return f"[{cls.name}]({cls.name}.md)", ", ".join(cls.kinds), summary
