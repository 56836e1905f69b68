"""Names and versions as people read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from normalizers.versions.manifest import params_json
from normd.cli.display.console import print_table, print_text, shown_value, tell_warnings

if TYPE_CHECKING:
    from normalizers.versions.version import Version

# In the order people ask for them.
MEMBERS = ("name", "file", "version", "method", "n", "from", "params", "hash", "created")
MEMBERS_AFTER = ("description", "tags", "dry_run")
REPORT = "report"


def file_document(version: Version, path: str, hash: str) -> dict[str, object]:
    """Return a version file as one JSON document."""
    return {
        "file": path,
        "hash": hash,
        "method": version.method.name,
        "n": version.n,
        "params": params_json(version.method, version.explicit_params),
        "resolved": params_json(version.resolved_method, version.resolved),
        REPORT: version.report,
    }


def print_version(document: Mapping[str, object], *, quiet: bool = False) -> None:
    """Print what a name or version is, and on standard error what its fit warns of."""
    for member in (*MEMBERS, *MEMBERS_AFTER):
        if member in document and document[member] not in ("", [], {}):
            print_text(f"{member:12} {shown_value(document[member]) or 'none yet'}")
    for name, says in _says(document.get(REPORT)):
        print_text(f"{name:12} {says}")
    if not quiet:
        warn(document.get(REPORT))


def print_versions(items: Sequence[Mapping[str, object]]) -> None:
    """Print versions or names as a table."""
    columns = ["name", "version", "method", "n", "from", "differs in", "created", "hash"]
    if not any(item.get("differs in") for item in items):
        columns.remove("differs in")
    rows = [[_short(name, item.get(name)) for name in columns] for item in items]
    print_table(columns, rows)


def warn(report: object) -> None:
    """Tell what the warnings of a fit report say."""
    if isinstance(report, Mapping):
        tell_warnings(report.get("warnings"))


def _says(report: object) -> Iterator[tuple[str, str]]:
    """Yield what a fit report says in words: a verdict, what it recommends."""
    for name, told in report.items() if isinstance(report, Mapping) else ():
        if isinstance(told, Mapping) and isinstance(told.get("says"), str):
            yield name, told["says"]


def _short(name: str, value: object) -> object:
    """Return a value of a table; a hash is known by its beginning."""
    if name == "created":
        return str(value)[:19]  # to the second
    return str(value)[:12] if name == "hash" and value else value
