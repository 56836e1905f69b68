"""Which codec reads a request and which writes its answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.util import find_spec

from normd.wire.codecs import arrow, json, npy, safetensors, trec
from normd.wire.codecs.document import Content, DecodeLimits, Document, Tree
from normd.wire.codecs.errors import NotAcceptable, UnsupportedMediaType
from normd.wire.codecs.lists import with_offsets

QUALITY = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?")
UTF_8 = {"utf-8", "utf8"}
# Clients write the same few headers again and again; those used last are kept with their codecs.
KEPT_HEADERS = 64


@dataclass(frozen=True)
class Codec:
    """One form of bodies, in and out.

    Parameters
    ----------
    media_type : str
        Its name in Content-Type and Accept.
    decode : callable
        Bytes, bounds and the member that takes an array without a path, to a document.
    encode : callable
        An answer and the paths of its base64 arrays, to bytes.
    query : bool
        Whether members may stand in the query string.
    one_array : bool
        Whether it carries one array and nothing else.
    ranked : bool
        Whether it carries ranked lists and nothing else.
    answered : str
        The media type that answers it, where that is another one.
    package, extra : str
        The package it needs, and the extra that brings it.
    """

    media_type: str
    decode: Callable[[bytes, DecodeLimits, str], Document]
    encode: Callable[[Tree, frozenset[str]], Content]
    query: bool = False
    one_array: bool = False
    ranked: bool = False
    answered: str = ""
    package: str = ""
    extra: str = ""

    @property
    def installed(self) -> bool:
        """Whether the package it needs is there."""
        return not self.package or _is_there(self.package)


JSON = Codec(
    json.MEDIA_TYPE,
    lambda body, bounds, _: json.decode(body, bounds),
    lambda tree, encoded: json.encode(with_offsets(tree, nested=False), encoded),
)
SAFETENSORS = Codec(
    safetensors.MEDIA_TYPE,
    lambda body, bounds, _: safetensors.decode(body, bounds),
    lambda tree, _: safetensors.encode(with_offsets(tree, nested=True)),
)
ARROW = Codec(
    arrow.MEDIA_TYPE,
    arrow.decode,
    lambda tree, _: arrow.encode(tree),
    query=True,
    package="pyarrow",
    extra="arrow",
)
NPY = Codec(
    npy.MEDIA_TYPE,
    npy.decode,
    lambda tree, _: npy.encode(with_offsets(tree, nested=True)),
    query=True,
    one_array=True,
)

TREC = Codec(trec.MEDIA_TYPE, trec.decode, trec.encode, query=True, ranked=True)
TREC_PARTS = replace(
    TREC, media_type=trec.PARTS_MEDIA_TYPE, decode=trec.decode_parts, answered=trec.MEDIA_TYPE
)

# By media type, the preferred first.
CODECS: Mapping[str, Codec] = {codec.media_type: codec for codec in (JSON, SAFETENSORS, ARROW, NPY)}
# Those that carry ranked lists: where they are read beside the others, and answered.
RANKED: Mapping[str, Codec] = {codec.media_type: codec for codec in (TREC, TREC_PARTS)}
# Those that carry any body.
WHOLE = {name: codec for name, codec in CODECS.items() if not codec.one_array}


@cache
def _is_there(package: str) -> bool:
    """Return whether a package is installed; looked up once, since every request asks."""
    return find_spec(package) is not None


@lru_cache(KEPT_HEADERS)
def codec_for_request(content_type: str | None, *, ranked: bool = False) -> Codec:
    """Return the codec of a request's Content-Type; `ranked` lists are read where they belong.

    Raises
    ------
    UnsupportedMediaType
        When it is missing, not read here, needs a package that is not installed, or names another
        charset than UTF-8.
    """
    forms = {**CODECS, **RANKED} if ranked else CODECS
    read = _installed(forms)
    known = " or ".join(forms)
    if not content_type:
        raise UnsupportedMediaType(f"Content-Type is missing; send {known}", accept=read)
    media_type, parameters = _parsed(content_type)
    if parameters.get("charset", "utf-8").lower() not in UTF_8:
        raise UnsupportedMediaType("the charset must be utf-8; leave it out or say so", accept=read)
    if media_type not in forms:
        raise UnsupportedMediaType(f"this Content-Type is not read here; send {known}", accept=read)
    codec = forms[media_type]
    if not codec.installed:
        remedy = _remedy(codec)
        raise UnsupportedMediaType(f"{media_type} is not read here: {remedy}", accept=read)
    return codec


def is_ranked(content_type: str | None) -> bool:
    """Return whether a Content-Type is that of ranked lists."""
    return content_type is not None and _parsed(content_type)[0] in RANKED


@lru_cache(KEPT_HEADERS)
def codecs_for_answer(
    accept: str | None,
    request_codec: Codec = JSON,
    *,
    arrays: bool = False,
    ranked: bool = False,
) -> tuple[Codec, ...]:
    """Return the codecs an answer may be written by: what Accept likes best comes first.

    Of equal quality the more exactly named comes first, then the request's form. Without Accept
    that is the only one.

    Parameters
    ----------
    accept : str, optional
        The header.
    request_codec : Codec
        That of the request.
    arrays : bool
        Whether the answer may be one array; what tells of a name or a version is JSON instead.
    ranked : bool
        Whether the answer may be ranked lists.

    Raises
    ------
    NotAcceptable
        When Accept allows none.
    """
    own_forms = {TREC.media_type: TREC} if ranked else {}
    forms = {**_installed(CODECS if arrays else WHOLE), **own_forms}
    own = forms.get(request_codec.answered or request_codec.media_type, JSON)
    if not accept or not accept.strip():
        return (own,)
    ranges = [_parsed(part) for part in accept.split(",")]
    qualities = {name: _quality(name, ranges) for name in forms}
    allowed = [codec for name, codec in forms.items() if qualities[name][0] > 0]
    if not allowed:
        raise NotAcceptable(
            f"no form that Accept allows can be written here; accept {' or '.join(forms)}"
            + "".join(f"; {name}: {_remedy(codec)}" for name, codec in _missing().items())
        )
    order = {codec.media_type: (qualities[codec.media_type], codec is own) for codec in allowed}
    return tuple(sorted(allowed, key=lambda codec: order[codec.media_type], reverse=True))


def _quality(media_type: str, ranges: list[tuple[str, dict[str, str]]]) -> tuple[float, int]:
    """Return quality and exactness of the range that names `media_type` most exactly."""
    exactness = {"*/*": 0, media_type.split("/")[0] + "/*": 1, media_type: 2}
    matches = [
        (exactness[name], _weight(parameters)) for name, parameters in ranges if name in exactness
    ]
    if not matches:
        return 0.0, 0
    exact, weight = max(matches)
    return weight, exact


def _weight(parameters: Mapping[str, str]) -> float:
    quality = parameters.get("q", "1")
    return float(quality) if QUALITY.fullmatch(quality) else 0.0


def _parsed(header: str) -> tuple[str, dict[str, str]]:
    """Return the media type, in lower case, and its parameters."""
    media_type, *parts = header.split(";")
    pairs = [part.partition("=") for part in parts]
    return media_type.strip().lower(), {
        name.strip().lower(): value.strip().strip('"') for name, _, value in pairs
    }


def _installed(forms: Mapping[str, Codec]) -> Mapping[str, Codec]:
    return {name: codec for name, codec in forms.items() if codec.installed}


def _missing() -> Mapping[str, Codec]:
    """Return the forms whose package is not there."""
    return {name: codec for name, codec in CODECS.items() if not codec.installed}


def _remedy(codec: Codec) -> str:
    return f"pip install 'normd[{codec.extra}]'"
