"""The parts of a ``multipart/form-data`` body, each with its name."""

from __future__ import annotations

from collections.abc import Iterator
from email.parser import BytesHeaderParser
from pathlib import PurePath

from normd.wire.codecs.errors import Unparseable

BEFORE_PART = b"\r\n--"
END_OF_HEAD = b"\r\n\r\n"


def parts(body: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each part; the first line is the boundary."""
    first, _, _ = body.partition(b"\r\n")
    if not first.startswith(b"--") or not body.rstrip().endswith(first + b"--"):
        raise Unparseable("not a form: it begins with its boundary and ends with it")
    whole = (b"\r\n" + body).split(b"\r\n" + first)
    for number, part in enumerate(whole[1:-1], start=1):
        head, found, content = part.removeprefix(b"\r\n").partition(END_OF_HEAD)
        if not found:
            raise Unparseable(f"part {number} of the form has no head")
        yield _name(head, number), content


def _name(head: bytes, number: int) -> str:
    headers = BytesHeaderParser().parsebytes(head + END_OF_HEAD)
    for parameter in ("name", "filename"):
        found = headers.get_param(parameter, header="content-disposition")
        if isinstance(found, str) and found:
            return found if parameter == "name" else PurePath(found).stem
    raise Unparseable(f"part {number} of the form has no name")
