"""Sections of numpydoc: their entries, which are a name, a type and what is said of it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import NamedTuple

ENTRY = re.compile(r"^(?=\S)", re.MULTILINE)


class Entry(NamedTuple):
    """What stands under a name, or under several."""

    names: str
    type: str
    text: str


def entries(section: str) -> Iterator[Entry]:
    r"""Yield the entries of a section: lines that begin at the margin, and what is indented.

    Examples
    --------
    >>> from docs.numpydoc import entries
    >>> [*entries("x : array\n    Rows.\nraw")]
    [Entry(names='x', type='array', text='Rows.'), Entry(names='raw', type='', text='')]
    """
    for part in filter(None, ENTRY.split(section)):
        first, _, rest = part.partition("\n")
        names, _, kind = first.partition(" : ")
        yield Entry(names.strip(), kind.strip(), " ".join(inspect.cleandoc(rest).split()))
