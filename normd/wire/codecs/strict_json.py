"""JSON text to Python values, strictly: what other decoders let pass is refused."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable
from json import JSONDecodeError, JSONDecoder

from normalizers.messages import printable_name
from normd.wire.codecs.errors import Unparseable
from normd.wire.codecs.json_nesting import check_depth
from normd.wire.codecs.turns import LARGE_BYTES


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
        yielding = len(body) >= LARGE_BYTES
        known = constant is Constant and not yielding
        return (DECODER if known else _decoder(constant, yielding=yielding)).decode(text)
    except JSONDecodeError as error:
        raise Unparseable(
            f"not JSON: {error.msg}, line {error.lineno} column {error.colno}"
        ) from None
    except RecursionError:
        raise Unparseable(f"not readable: nested deeper than {depth} levels") from None
    except ValueError:
        raise Unparseable("not readable: a number has too many digits") from None


def _text(body: bytes) -> str:
    # Some editors and shells write the mark before UTF-8; RFC 8259 lets a reader skip it.
    body = body.removeprefix(BOM_UTF8)
    if not body or body.isspace():
        raise Unparseable("the body is empty; a JSON object is needed")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unparseable(f"not UTF-8 at byte {error.start}; JSON is sent as UTF-8") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Unparseable(
            f"the key '{printable_name(_repeated(pairs))}' stands twice in one object"
        )
    return members


def _repeated(pairs: list[tuple[str, object]]) -> str:
    counts = Counter(key for key, _ in pairs)
    return counts.most_common(1)[0][0]


def _decoder(constant: Callable[[str], object], *, yielding: bool = False) -> JSONDecoder:
    """Return a decoder; a `yielding` one lets other threads run between two numbers.

    The built-in conversions keep the interpreter's lock from the first bracket to the last; a
    function of Python's gives it up where another thread asks for it.
    """
    if not yielding:
        return JSONDecoder(object_pairs_hook=_object, parse_constant=constant)
    return JSONDecoder(
        object_pairs_hook=_object, parse_constant=constant, parse_float=_float, parse_int=_int
    )


def _float(text: str) -> float:
    return float(text)


def _int(text: str) -> int:
    return int(text)


DECODER = _decoder(Constant)
