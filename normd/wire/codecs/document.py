"""What a body says, whichever form it came in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Tree: TypeAlias = Mapping[str, object]
# A body as bytes, or in pieces that are sent one after the other and never joined.
Content: TypeAlias = "bytes | tuple[bytes | memoryview, ...]"


class NamedColumns(dict[str, object]):
    """The columns of a table by name, in order: fields, or together the rows of one field.

    Parameters
    ----------
    columns : mapping
        Arrays or lists by name.
    index : collection of str
        Those that a data frame kept as its index: no data, where no field has that name.
    """

    def __init__(self, columns: Mapping[str, object], index: Collection[str] = ()) -> None:
        super().__init__(columns)
        self.index = frozenset(index)


@dataclass(frozen=True)
class Document:
    """A decoded body.

    Parameters
    ----------
    tree : dict
        Nested dicts, lists and scalars; binary arrays are ndarrays, long fields of JSON
        `ParsedNumbers`.
    encoded : frozenset of str
        Paths (``input.x``, ``runs.0.scores``) of the arrays that came as base64 in JSON.
    """

    tree: dict[str, object]
    encoded: frozenset[str] = frozenset()


@dataclass(frozen=True)
class DecodeLimits:
    """Limits a decoder keeps.

    Parameters
    ----------
    depth : int
        Deepest nesting of objects and lists.
    values : int
        Most scalars in lists and arrays together.
    """

    depth: int = 64
    values: int = 16 * 1024 * 1024
