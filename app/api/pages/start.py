"""The start page: which release this is, what it keeps, and where to go on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template
from urllib.parse import quote

from app.registry.records import AliasRecord, Manifest
from app.registry.registry import Registry

TEMPLATE = Template((Path(__file__).with_name("start.html")).read_text(encoding="utf-8"))
# Enough to see what is there; the list of names has pages.
MOST_NAMES = 100
NOTHING = "<p>Nothing is stored yet.</p>"
CLOSED = (
    '<form id="key"><label>What is stored is shown to those who may read: '
    '<input type="password" name="key" placeholder="key" autocomplete="off"></label> '
    "<button>Show</button> <output></output></form>"
)


@dataclass(frozen=True)
class Kept:
    """A name as the page shows it."""

    manifest: Manifest
    aliases: Sequence[AliasRecord]


def kept_names(registry: Registry) -> tuple[list[Kept], bool]:
    """Return the first names with their aliases, and whether there are more."""
    page = registry.names.list(limit=MOST_NAMES, after="")
    found = [Kept(one, registry.aliases.list(one.name.name)) for one in page.items]
    return found, page.next is not None


def start_page(release: str, guide: bool, names: tuple[list[Kept], bool] | None) -> str:
    """Return the page; `names` is None where the reader may not see them."""
    told = CLOSED if names is None else _table(*names) if names[0] else NOTHING
    link = '<a href="guide/">Guide</a>' if guide else "Guide (<code>make docs</code> builds it)"
    return TEMPLATE.substitute(release=escape(release), guide=link, names=told)


def _table(names: Iterable[Kept], more: bool) -> str:
    rows = "\n".join(map(_row, names))
    head = "<tr><th>name<th>method<th>newest<th>rows<th>aliases<th>description"
    rest = '<p>The first of them; <a href="v1/normalizers">all</a>.</p>' if more else ""
    return f"<table><thead>{head}</thead>\n<tbody>{rows}</tbody></table>{rest}"


def _row(kept: Kept) -> str:
    name, version = kept.manifest.name, kept.manifest.version
    address = f"v1/normalizers/{quote(name.name)}"
    newest = (
        "open"
        if version is None
        else f'<a href="{address}/versions">{version.number}</a> '
        f'<a href="{address}/report">report</a>'
    )
    aliases = ", ".join(
        f'<a href="{address}@{quote(one.alias)}">{escape(one.alias)}</a> &rarr; {one.version}'
        for one in kept.aliases
    )
    cells = (
        f'<a href="{address}">{escape(name.name)}</a>',
        escape(name.method),
        newest,
        "" if version is None else str(version.n),
        aliases,
        escape(name.description),
    )
    return "<tr>" + "".join(f"<td>{cell}" for cell in cells)
