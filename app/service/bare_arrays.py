"""An array in place of an object of fields: the main field of what is read there."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.codecs import WHOLE, UnsupportedMediaType
from app.service.bodies import Sent
from normalizers.fields import Fields

NUMBERS = frozenset({"floats", "lists", "series", "integers", "mask"})


def named(sent: Sent, fields: Fields, path: str) -> Mapping[str, object]:
    """Return what a request sent by the names of `fields`; a bare array is the main one.

    Raises
    ------
    UnsupportedMediaType
        When the main field holds no numbers, or cannot stand alone.
    """
    if not isinstance(sent, np.ndarray):
        return sent
    if not fields:
        return {}
    main = fields.main
    if fields[main].kind not in NUMBERS:
        raise UnsupportedMediaType(
            f"no array of numbers belongs here; send {' or '.join(WHOLE)}", path=path
        )
    beside = [name for name, field in fields.items() if field.required and name != main]
    if beside or (fields.one_of and (main,) not in fields.one_of):
        needed = ", ".join(f"'{name}'" for name in beside) or _choices(fields)
        raise UnsupportedMediaType(
            f"one array is not enough: beside '{main}', {needed} is needed; "
            f"send {' or '.join(WHOLE)}",
            path=path,
        )
    return {main: sent}


def _choices(fields: Fields) -> str:
    return " | ".join(" + ".join(names) for names in fields.one_of)
