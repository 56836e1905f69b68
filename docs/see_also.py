"""Where to look further: what a docstring names, and what stands in the same room."""

from __future__ import annotations

from collections.abc import Iterator

from docs.markdown import joined, prose
from docs.method_index import room_of
from docs.numpydoc import Entry, entries
from normalizers.catalogue.catalogue import Catalogue
from normalizers.contract.method import Method
from normd.wire.descriptions import docstring_sections


def see_also(cls: type[Method], catalogue: Catalogue) -> str:
    """Return the section of a page that links to other methods; empty where there are none."""
    named = [*entries(docstring_sections(cls).get("See Also", ""))]
    known = {one.__name__: one.name for one in catalogue.values()}
    lines = [_line(entry, known, catalogue) for entry in named]
    told = "\n".join(lines)
    others = [_link(one.name) for one in _neighbours(cls, catalogue)]
    beside = f"Beside it: {', '.join(others)}." if others else ""
    return joined("## See also", told, beside) if told or beside else ""


def _line(entry: Entry, known: dict[str, str], catalogue: Catalogue) -> str:
    """Return a line of the list; in numpydoc the text may follow the colon."""
    names = [known.get(name, name) for name in map(str.strip, entry.names.split(","))]
    links = ", ".join(_link(name) if name in catalogue else prose(name) for name in names)
    text = " ".join(filter(None, (entry.type, entry.text)))
    return f"- {links}: {prose(text)}" if text else f"- {links}"


def _neighbours(cls: type[Method], catalogue: Catalogue) -> Iterator[type[Method]]:
    for one in catalogue.values():
        if one is not cls and (one.family, room_of(one)) == (cls.family, room_of(cls)):
            yield one


def _link(name: str) -> str:
    return f"[{name}]({name}.md)"
