"""The forms of files, by name and by the ending of a path."""

from __future__ import annotations

from pathlib import PurePath
from typing import Literal, TypeAlias, get_args

from app.cli.errors import Misuse
from normalizers.spelling import did_you_mean, quoted

Form: TypeAlias = Literal["npy", "npz", "csv", "tsv", "jsonl", "parquet", "safetensors"]
FORMS: tuple[Form, ...] = get_args(Form)
SPELLINGS: dict[str, Form] = {"ndjson": "jsonl", "pq": "parquet"}
SPELLINGS |= {form: form for form in FORMS}
TEXT_FORMS = frozenset({"csv", "tsv", "jsonl"})
STANDARD = "-"


def form_of(path: str, named: str | None = None, *, flag: str = "--format") -> Form:
    """Return the form a file has: the one named by a `flag`, else that of the path's ending.

    Raises
    ------
    Misuse
        An unknown form or ending, or standard input or output without a named form.

    Examples
    --------
    >>> from app.cli.files.formats import form_of
    >>> form_of("scores.csv"), form_of("-", "jsonl")
    ('csv', 'jsonl')
    """
    if named is not None:
        return _known(named, flag)
    if path == STANDARD:
        raise Misuse(f"'-' has no ending that tells its form; add {flag} {'|'.join(FORMS)}")
    ending = PurePath(path).suffix.lower().removeprefix(".")
    return _known(ending, path, f"; {flag} names one")


def _known(spelling: str, where: str, remedy: str = "") -> Form:
    found = SPELLINGS.get(spelling.lower())
    if found is None:
        told = f"{quoted(spelling)} is no form of files" if spelling else "it has no ending"
        raise Misuse(
            f"{where}: {told}{did_you_mean(spelling, SPELLINGS)}; known: {', '.join(FORMS)}{remedy}"
        )
    return found
