"""Which codec reads a request and which writes its answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from app.codecs import json, safetensors
from app.codecs.document import Bounds, Document, Tree
from app.codecs.errors import NotAcceptable, UnsupportedMediaType

QUALITY = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?")
UTF_8 = {"utf-8", "utf8"}


@dataclass(frozen=True)
class Codec:
    """One form of bodies, in and out."""

    media_type: str
    decode: Callable[[bytes, Bounds | None], Document]
    encode: Callable[[Tree, frozenset[str]], bytes]


JSON = Codec(json.MEDIA_TYPE, json.decode, json.encode)
SAFETENSORS = Codec(safetensors.MEDIA_TYPE, safetensors.decode, safetensors.encode)

# By media type, the preferred first.
CODECS: Mapping[str, Codec] = {codec.media_type: codec for codec in (JSON, SAFETENSORS)}


def codec_for_request(content_type: str | None) -> Codec:
    """Return the codec of a request's Content-Type.

    Raises
    ------
    UnsupportedMediaType
        When it is missing, not read here, or names another charset than UTF-8.
    """
    if not content_type:
        raise UnsupportedMediaType(f"Content-Type is missing; send {_known()}")
    media_type, parameters = _parsed(content_type)
    if parameters.get("charset", "utf-8").lower() not in UTF_8:
        raise UnsupportedMediaType("the charset must be utf-8; leave it out or say so")
    if media_type not in CODECS:
        raise UnsupportedMediaType(f"this Content-Type is not read here; send {_known()}")
    return CODECS[media_type]


def codec_for_answer(accept: str | None, request_codec: Codec = JSON) -> Codec:
    """Return the codec of an answer: what Accept likes best, in doubt the request's own.

    Of equal quality the more exactly named comes first, then the request's form.

    Raises
    ------
    NotAcceptable
        When Accept allows none.
    """
    if not accept or not accept.strip():
        return request_codec
    ranges = [_parsed(part) for part in accept.split(",")]
    qualities = {codec.media_type: _quality(codec.media_type, ranges) for codec in CODECS.values()}
    best = max(
        CODECS.values(), key=lambda codec: (qualities[codec.media_type], codec == request_codec)
    )
    if qualities[best.media_type][0] == 0:
        raise NotAcceptable(f"no form that Accept allows can be written here; accept {_known()}")
    return best


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


def _known() -> str:
    return " or ".join(CODECS)
