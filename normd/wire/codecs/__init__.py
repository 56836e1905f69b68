"""Bodies: bytes to a plain tree, and back.

A form is one module with ``MEDIA_TYPE``, ``decode`` to a `Document` and ``encode`` of an answer,
and one entry in the table of `normd.wire.codecs.negotiation`.
"""

from __future__ import annotations

from normd.wire.codecs.document import DecodeLimits, Document
from normd.wire.codecs.errors import (
    CodecError,
    NotAcceptable,
    TooLarge,
    Unparseable,
    UnsupportedMediaType,
)
from normd.wire.codecs.negotiation import (
    ARROW,
    CODECS,
    JSON,
    NPY,
    RANKED,
    SAFETENSORS,
    TREC,
    TREC_PARTS,
    WHOLE,
    Codec,
    codec_for_request,
    codecs_for_answer,
    is_ranked,
)

__all__ = [
    "ARROW",
    "CODECS",
    "JSON",
    "NPY",
    "RANKED",
    "SAFETENSORS",
    "TREC",
    "TREC_PARTS",
    "WHOLE",
    "Codec",
    "CodecError",
    "DecodeLimits",
    "Document",
    "NotAcceptable",
    "TooLarge",
    "Unparseable",
    "UnsupportedMediaType",
    "codec_for_request",
    "codecs_for_answer",
    "is_ranked",
]
