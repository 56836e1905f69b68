"""The forms of files, by name and by the ending of a path."""

from __future__ import annotations

from pathlib import PurePath
from typing import Literal, TypeAlias, get_args

from normalizers.messages import did_you_mean, quoted
from normd.cli.errors import Misuse

FileFormat: TypeAlias = Literal["npy", "npz", "csv", "tsv", "jsonl", "parquet", "safetensors"]
FORMS: tuple[FileFormat, ...] = get_args(FileFormat)
SPELLINGS: dict[str, FileFormat] = {"ndjson": "jsonl", "pq": "parquet"}
SPELLINGS |= {form: form for form in FORMS}
TEXT_FORMS = frozenset({"csv", "tsv", "jsonl"})
TABLE_FORMS = ("csv", "tsv", "jsonl", "parquet")
STANDARD = "-"
GZIP = ".gz"


def form_of(path: str, named: str | None = None, *, flag: str = "--format") -> FileFormat:
    """Return the form a file has: the one named by a `flag`, else that of the path's ending.

    Raises
    ------
    Misuse
        An unknown form or ending, a compressed file that is no text, or standard input or output
        without a named form.

    Examples
    --------
    >>> from normd.cli.files.formats import form_of
    >>> form_of("scores.csv"), form_of("lists.jsonl.gz"), form_of("-", "jsonl")
    ('csv', 'jsonl', 'jsonl')
    """
    found = _form(path, named, flag)
    check_gzip(path, found)
    return found


def _form(path: str, named: str | None, flag: str) -> FileFormat:
    if named is not None:
        return _known(named, flag)
    if path == STANDARD:
        raise Misuse(f"'-' has no ending that tells its form; add {flag} {'|'.join(FORMS)}")
    return _known(ending_of(path), path, f"; {flag} names one")


def ending_of(path: str) -> str:
    """Return the ending that tells a form, which stands before that of compression."""
    return PurePath(without_gzip(path)).suffix.lower().removeprefix(".")


def without_gzip(path: str) -> str:
    """Return a path as it is called once it is expanded."""
    return path[: -len(GZIP)] if is_gzip(path) else path


def is_gzip(path: str) -> bool:
    """Return whether the name of a file says that it is compressed by gzip."""
    return PurePath(path).suffix.lower() == GZIP


def check_gzip(path: str, form: str) -> None:
    """Refuse a compressed file of a form that has compression of its own, or is read in place.

    Raises
    ------
    Misuse
        The file is no text.
    """
    if is_gzip(path) and form not in TEXT_FORMS:
        raise Misuse(
            f"{path}: {form} is not read or written by gzip ({', '.join(sorted(TEXT_FORMS))} "
            "are); leave out .gz"
        )


def _known(spelling: str, where: str, remedy: str = "") -> FileFormat:
    found = SPELLINGS.get(spelling.lower())
    if found is None:
        told = f"{quoted(spelling)} is no form of files" if spelling else "it has no ending"
        raise Misuse(
            f"{where}: {told}{did_you_mean(spelling, SPELLINGS)}; known: {', '.join(FORMS)}{remedy}"
        )
    return found
