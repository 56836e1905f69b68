"""Compressed answers, for clients that ask for them."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette_compress import CompressMiddleware, add_compress_type

from app.middleware.coded_tags import CodedTags
from normd.wire.codecs import CODECS

# What fits into one packet gains nothing.
SMALLEST_BYTES = 1024
# An answer is made for one reader, who waits.
FASTEST = 1


def add_compression(app: Starlette) -> None:
    """Let an application compress answers by gzip or zstd, as Accept-Encoding asks."""
    for media_type in CODECS:
        add_compress_type(media_type)
    app.add_middleware(
        CompressMiddleware,
        minimum_size=SMALLEST_BYTES,
        zstd_level=FASTEST,
        gzip_level=FASTEST,
        brotli=False,
    )
    app.add_middleware(CodedTags)
