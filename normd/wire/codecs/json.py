"""``application/json``: nested lists of numbers, or arrays in base64."""

from __future__ import annotations

import re
from contextlib import suppress

from normalizers.errors import InvalidInput
from normd.wire.codecs.document import DecodeLimits, Document, Tree
from normd.wire.codecs.errors import CodecError
from normd.wire.codecs.fast_json import parse_fast
from normd.wire.codecs.json_checks import Inspection, json_word
from normd.wire.codecs.json_nesting import check_containers
from normd.wire.codecs.json_values import dumps, plain
from normd.wire.codecs.number_spans import SHORTEST
from normd.wire.codecs.runs_json import RUNS, parse_runs
from normd.wire.codecs.strict_json import parse

MEDIA_TYPE = "application/json"
# Bytes in which a request with runs names them; the whole of a large body takes long to search.
BEGINNING = 16 * 1024

# Only an escape can write a surrogate: UTF-8 refuses its bytes.
SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")


def decode(body: bytes, bounds: DecodeLimits | None = None) -> Document:
    """Return what a JSON body says.

    Lists stay lists, whose elements the declared fields check, except that a field of many
    numbers is `ParsedNumbers`; ``{"dtype", "shape", "base64"}`` objects become arrays, wherever
    they stand.

    Parameters
    ----------
    body : bytes
        One JSON object in UTF-8.
    bounds : Bounds
        Deepest nesting and most values.

    Raises
    ------
    Unparseable
        For anything that is not strict JSON: NaN tokens, a repeated key, too deep nesting,
        another encoding, half a surrogate pair.
    InvalidInput
        For a number beyond float64 or an array that does not decode; carries the place.
    TooLarge
        For more values, or more lists and objects, than allowed.

    Examples
    --------
    >>> from normd.wire.codecs import json
    >>> json.decode(b'{"input": {"x": [1, 2.5, null]}}').tree
    {'input': {'x': [1, 2.5, None]}}
    """
    bounds = bounds or DecodeLimits()
    if len(body) >= SHORTEST:
        if body.find(RUNS, 0, BEGINNING) >= 0:
            check_containers(body, bounds)
            with suppress(CodecError):
                return Document(parse_runs(body, bounds))
        with suppress(CodecError, InvalidInput):
            return _inspected(parse_fast(body, bounds), body, bounds)
    return decode_lists(body, bounds)


def decode_lists(body: bytes, bounds: DecodeLimits) -> Document:
    """Return what a JSON text says by the strict decoder alone: lists stay lists of any length."""
    check_containers(body, bounds)
    return _inspected(parse(body, bounds.depth), body, bounds)


def _inspected(value: object, body: bytes, bounds: DecodeLimits) -> Document:
    surrogates = b"\\" in body and bool(SURROGATE_ESCAPE.search(body))
    inspection = Inspection(bounds, surrogates=surrogates)
    tree = inspection.visit(value)
    if not isinstance(tree, dict):
        raise InvalidInput(f"the body is {json_word(tree)}; a JSON object is needed")
    return Document(tree, frozenset(inspection.encoded))


def encode(tree: Tree, encoded: frozenset[str] = frozenset()) -> bytes:
    """Return `tree` as JSON text; NaN is null, the arrays at `factorize` are base64.

    Parameters
    ----------
    tree : mapping
        Nested mappings, sequences, scalars, arrays of any strides and byte order, `Ragged` lists.
    encoded : frozenset of str
        Paths (``output.y``) of the arrays to write as base64.

    Raises
    ------
    NonFiniteError
        For an infinity, which never leaves the service.

    Examples
    --------
    >>> import numpy as np
    >>> from normd.wire.codecs import json
    >>> json.encode({"output": {"y": np.array([1.5, np.nan])}})
    b'{"output":{"y":[1.5,null]}}'
    """
    return dumps(plain(tree, encoded))
