"""Files of runs as a call names them: ``FILE`` or ``NAME=FILE``, tables or TREC lines."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from normalizers.messages import quoted
from normd.cli.errors import Misuse
from normd.cli.files.formats import SPELLINGS, STANDARD, ending_of, without_gzip
from normd.cli.files.source import Source, source

TREC = "trec"
TREC_ENDINGS = frozenset({TREC, "run"})


@dataclass(frozen=True)
class RunFile:
    """A file of one run, or of several where a column tells them apart.

    Parameters
    ----------
    source : Source
        The file.
    name : str, optional
        What the call names it; by default its name without ending.
    is_trec : bool
        Whether it holds TREC lines.
    """

    source: Source
    name: str | None
    is_trec: bool

    @property
    def stem(self) -> str:
        """What its run is called where no column tells it."""
        return self.name or PurePath(without_gzip(self.source.name)).stem


def run_files(
    words: Sequence[str],
    form: str | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    *,
    standard: str | None = None,
) -> list[RunFile]:
    """Return the files that words name, after checking that they are there.

    Parameters
    ----------
    words : sequence of str
        ``FILE`` or ``NAME=FILE`` each.
    form : str, optional
        The form of all of them.
    header, delimiter : optional
        How tables are read.
    standard : str, optional
        The form of a file whose ending tells none.
    """
    found: list[RunFile] = []
    for word in words:
        name, path = split_name(word)
        trec = form.lower() == TREC if form is not None else _is_trec(path, standard)
        # Lines are read as bytes: no form of tables is meant.
        given = source(path, "tsv" if trec else form, header=header, delimiter=delimiter)
        found.append(RunFile(given, name, trec))
    return found


def split_name(word: str) -> tuple[str | None, str]:
    """Return the name that a word gives to a file, and the path of the file.

    Raises
    ------
    Misuse
        An equals sign with nothing before or behind it.

    Examples
    --------
    >>> from normd.cli.io.run_files import split_name
    >>> split_name("bm25=runs/bm25.test.run"), split_name("bm25.run")
    (('bm25', 'runs/bm25.test.run'), (None, 'bm25.run'))
    """
    name, equals, path = word.partition("=")
    # A path may hold the sign itself, and so may one that is written out with its folder.
    if not equals or os.path.exists(word) or os.sep in name:
        return None, word
    if not name or not path:
        raise Misuse(f"{quoted(word)}: write NAME=FILE, as in bm25=runs/bm25.run")
    return name, path


def _is_trec(path: str, standard: str | None) -> bool:
    ending = ending_of(path)
    if ending in TREC_ENDINGS:
        return True
    return standard == TREC and (path == STANDARD or ending not in SPELLINGS)
