"""Places in a body, as errors write them (``runs[0].x``) and as tensors do (``runs.0.x``)."""

from __future__ import annotations

import re
from typing import TypeAlias

from normalizers.messages import printable_name
from normd.wire.codecs.errors import Unparseable

Keys: TypeAlias = tuple[str | int, ...]

INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
WRONG_ESCAPE = re.compile(r"~(?![01])")


def place(keys: Keys) -> str:
    """Return where `keys` lead, for an error.

    Examples
    --------
    >>> from normd.wire.codecs.paths import place
    >>> place(("fit", "x", 3, 1))
    'fit.x[3][1]'
    """
    parts = [f"[{key}]" if isinstance(key, int) else f".{printable_name(key)}" for key in keys]
    return "".join(parts).removeprefix(".")


def tensor_name(keys: Keys) -> str:
    """Return the name of the tensor at `keys`: joined by ``.``, with ``~`` and ``.`` escaped.

    Examples
    --------
    >>> from normd.wire.codecs.paths import tensor_name
    >>> tensor_name(("runs", 0, "bm25.v2"))
    'runs.0.bm25~1v2'
    """
    return ".".join(str(key).replace("~", "~0").replace(".", "~1") for key in keys)


def named_place(name: str) -> str:
    """Return where the value with a tensor's name stands, for an error: digits are an index.

    Examples
    --------
    >>> from normd.wire.codecs.paths import named_place
    >>> named_place("runs.0.ids")
    'runs[0].ids'
    """
    return place(named_keys(name))


def named_keys(name: str) -> Keys:
    """Return the keys of a tensor's name, digits as an index."""
    return tuple(int(key) if INDEX.fullmatch(key) else key for key in tensor_keys(name))


def tensor_keys(name: str) -> list[str]:
    """Return the keys of a tensor's name, list indices still as digits.

    Raises
    ------
    Unparseable
        For a ``~`` that is neither ``~0`` nor ``~1``.
    """
    if WRONG_ESCAPE.search(name):
        raise Unparseable(
            f"the name '{printable_name(name)}' holds a '~' that is neither '~0' nor '~1'"
        )
    return [part.replace("~1", ".").replace("~0", "~") for part in name.split(".")]
