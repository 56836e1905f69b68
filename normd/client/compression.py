"""Compress bodies on their way out."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, TypeAlias

from normd.client.calls import Call

Compression: TypeAlias = Literal["zstd", "gzip"]

# Smaller bodies hardly shrink.
SHORTEST_BYTES = 1024
# Arrays of floats shrink little, however long one tries.
GZIP_LEVEL = 1


def compressed(call: Call, compression: Compression | None) -> Call:
    """Return the call with its body compressed, where that is asked for and worth it."""
    if compression is None or call.content is None or len(call.content) < SHORTEST_BYTES:
        return call
    headers = {**call.headers, "content-encoding": compression}
    return replace(call, headers=headers, content=COMPRESSORS[compression](call.content))


def answered_in(compression: Compression | None) -> dict[str, str]:
    """Return the header that says how answers may be compressed: as requests are."""
    return {"accept-encoding": compression or "identity"}


def _zstd(content: bytes) -> bytes:
    import zstandard

    return zstandard.ZstdCompressor().compress(content)


def _gzip(content: bytes) -> bytes:
    return gzip.compress(content, GZIP_LEVEL)


COMPRESSORS: Mapping[str, Callable[[bytes], bytes]] = {"zstd": _zstd, "gzip": _gzip}
