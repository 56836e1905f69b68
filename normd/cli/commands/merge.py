"""``normd merge``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from normalizers.versions import fitting
from normalizers.versions.file import content_hash, from_bytes, to_bytes
from normd.cli.display.console import print_json
from normd.cli.display.versions import file_document, print_version
from normd.cli.errors import Misuse
from normd.cli.files.sink import check_output, write_whole
from normd.cli.io.backend import VERSION_FILE, is_version_file, read_version
from normd.cli.options import arguments
from normd.cli.options.dynamic import simple_command
from normd.cli.target import Target

# Where versions come from that hold the rows of others.
MADE_OF_OTHERS = ("merge", "join")

if TYPE_CHECKING:
    from normalizers.contract.method import Method
    from normalizers.versions.version import Version
    from normd.client import Client


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(merge)


def merge(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME REFS...",
            help="a stored name, and what its new version adds up: versions (NAME@3), observations "
            "(NAME@open), version files; with --out only what is added up",
        ),
    ],
    *,
    minus: Annotated[
        list[str] | None,
        typer.Option("--minus", metavar="REF", help="version to take away; may be repeated"),
    ] = None,
    last: Annotated[
        int | None,
        typer.Option(
            "--last",
            min=1,
            metavar="N",
            help="a name without a version stands for its N newest versions, those that are merges "
            "or joins left out: the last 30 days of one version a day",
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="write a version file, store nothing"),
    ] = None,
    as_json: arguments.Json = False,
    quiet: arguments.Quiet = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Merge versions, observations and version files into one new version."""
    place = Target(url, data)
    if out is not None:
        made = _written(place, words, minus or (), out, last)
    else:
        with place.client(writes=True) as client:
            references = newest(client, words[1:], last)
            made = _stored(client, words[0], references, minus or ())
    print_json(made) if as_json else print_version(made, quiet=quiet)


def _stored(
    client: Client, name: str, references: Sequence[str], minus: Sequence[str]
) -> Mapping[str, object]:
    """Add a version to a name; the statistics of files are sent along."""
    if is_version_file(name):
        raise Misuse(f"the first word is the name that gets the version, not {name}; or add --out")
    if not references:
        raise Misuse(f"name what the new version of {name} adds up, for example {name}@open")
    versions = [read_version(word) for word in references if is_version_file(word)]
    stored = [word for word in references if not is_version_file(word)]
    statistics = None
    if versions:
        _require_settings(client.show(name), versions)
        statistics = fitting.total(versions).to_arrays()
    return client.merge(name, stored, minus or None, statistics=statistics)


def newest(client: Client, words: Sequence[str], last: int | None) -> list[str]:
    """Return references, with the newest versions of each name that is given without one.

    A version that was made of others holds rows that theirs hold too: it is left out.
    """
    if last is None:
        return list(words)
    found: list[str] = []
    for word in words:
        if is_version_file(word) or "@" in word:
            found.append(word)
            continue
        own = [item for item in client.versions(word) if item["from"] not in MADE_OF_OTHERS]
        if not own:
            raise Misuse(f"--last {last}: {word} has no version of its own data")
        found += [f"{word}@{item['version']}" for item in own[-last:]]
    return found


def _require_settings(manifest: Mapping[str, Any], versions: Sequence[Version]) -> None:
    """Refuse files whose statistics are of another method or were kept with other parameters."""
    settled = fitting.agreed(versions)
    method = versions[0].method
    if method.name != manifest["method"]:
        raise Misuse(f"the file is of '{method.name}', the name of '{manifest['method']}'")
    theirs = manifest.get("resolved") or manifest.get("params") or {}
    here = {name: value for name, value in theirs.items() if name in settled}
    fitting.require_same_settings(here, {name: settled[name] for name in here})


def _written(
    place: Target, words: Sequence[str], minus: Sequence[str], out: str, last: int | None
) -> Mapping[str, object]:
    """Merge by the library and write the version."""
    if minus:
        raise Misuse("--minus takes away from a stored name; leave out --out")
    references = list(words)
    if last is not None:
        with place.client() as client:
            references = newest(client, words, last)
    return written(place, references, out, fitting.merge)


def written(
    place: Target,
    references: Sequence[str],
    out: str,
    make: Callable[[Method, Sequence[Version]], Version],
) -> Mapping[str, object]:
    """Write the version that is made of version files and stored versions."""
    if not out.endswith(VERSION_FILE):
        raise Misuse(f"--out {out}: the name of a version file ends in {VERSION_FILE}")
    check_output(out, [word for word in references if is_version_file(word)])
    with _read(place, references) as versions:
        made = make(versions[0].method, versions)
    content = to_bytes(made)
    write_whole(out, content)
    return file_document(made, out, content_hash(content))


@contextmanager
def _read(place: Target, references: Sequence[str]) -> Iterator[list[Version]]:
    """Read version files, and stored versions as files."""
    if all(is_version_file(word) for word in references):
        yield [read_version(word) for word in references]
        return
    with place.client() as client:
        yield [
            read_version(word) if is_version_file(word) else from_bytes(client.export(word))
            for word in references
        ]
