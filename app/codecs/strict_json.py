"""JSON text to Python values, strictly: what other decoders let pass is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from json import JSONDecodeError, JSONDecoder

import numpy as np

from app.codecs.errors import Unparseable
from normalizers.spelling import shown

STRUCTURE = b'[]{}"'
NOT_STRUCTURE = bytes(code for code in range(256) if code not in STRUCTURE)

# What each structural byte adds to the depth.
STEPS = np.zeros(256, dtype=np.int8)
STEPS[list(b"[{")] = 1
STEPS[list(b"]}")] = -1


class Constant:
    """``NaN``, ``Infinity`` or ``-Infinity``, kept until its place is known."""

    def __init__(self, token: str) -> None:
        self.token = token


def parse(body: bytes, depth: int, constant: Callable[[str], object] = Constant) -> object:
    """Return the value of a JSON text in UTF-8.

    Parameters
    ----------
    body : bytes
        The text.
    depth : int
        Deepest nesting that is read; checked before the decoder recurses.
    constant : callable
        Gives what stands for a token that JSON does not have: ``NaN`` and the infinities.

    Raises
    ------
    Unparseable
        When the text is not JSON, repeats a key, is nested deeper, or is in another encoding.
    """
    text = _text(body)
    check_depth(body, depth)
    try:
        return (DECODER if constant is Constant else _decoder(constant)).decode(text)
    except JSONDecodeError as error:
        raise Unparseable(
            f"not JSON: {error.msg}, line {error.lineno} column {error.colno}"
        ) from None
    except RecursionError:
        raise Unparseable(f"not readable: nested deeper than {depth} levels") from None
    except ValueError:
        raise Unparseable("not readable: a number has too many digits") from None


def check_depth(body: bytes, depth: int) -> None:
    """Refuse a JSON text nested deeper than `depth`, without recursion."""
    if body.count(b"[") + body.count(b"{") <= depth:
        return
    steps = STEPS[np.frombuffer(_brackets(body), dtype=np.uint8)]
    deepest = int(np.cumsum(steps, dtype=np.int64).max(initial=0))
    if deepest > depth:
        raise Unparseable(f"nested {deepest} levels deep; at most {depth} are read")


def _text(body: bytes) -> str:
    if not body or body.isspace():
        raise Unparseable("the body is empty; a JSON object is needed")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unparseable(f"not UTF-8 at byte {error.start}; JSON is sent as UTF-8") from None


def _brackets(body: bytes) -> bytes:
    """Return the brackets of `body` that stand outside strings.

    Pairs of backslashes go first, so that what is left before a quote escapes it.
    """
    if b"\\" in body:
        body = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    structure = body.translate(None, NOT_STRUCTURE)
    return b"".join(structure.split(b'"')[::2])


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Unparseable(f"the key '{shown(_repeated(pairs))}' stands twice in one object")
    return members


def _repeated(pairs: list[tuple[str, object]]) -> str:
    counts = Counter(key for key, _ in pairs)
    return counts.most_common(1)[0][0]


def _decoder(constant: Callable[[str], object]) -> JSONDecoder:
    return JSONDecoder(object_pairs_hook=_object, parse_constant=constant)


DECODER = _decoder(Constant)
