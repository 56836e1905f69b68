"""Digests of sets of rows and names: they do not depend on order, and those of parts add up."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np

from normalizers.data.arrays import Array

BITS = 64
DIGITS = BITS // 4
MASK = (1 << BITS) - 1
BLOCK_VALUES = 2**18  # numbers hashed at once
# The odd constants of Steele, Lea and Flood's SplitMix64: 2^64 over the golden ratio, and two
# found by search.
STEP, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def digest_of_rows(
    rows: Array, names: Iterable[str] | None = None, *, in_order: bool = False
) -> str:
    """Return a digest of the rows as a set, each with its name where it has one.

    With `in_order` the name of a row is its place.

    Numbers count by their value: float32 and the same numbers in float64 agree, as 0 and -0 do.

    Notes
    -----
    The sum of a 64-bit hash of each row, modulo 2^64: equal rows count as often as they stand
    there, and the digest of a union is that of the parts added up. It recognizes what is the
    same; it is no protection against somebody who wants two sets to look alike. A row's hash is a
    sum of its bits times fixed odd numbers, mixed; about 1 ns a number.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.digests import add_digests, digest_of_rows
    >>> x = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    >>> digest_of_rows(x) == digest_of_rows(x[::-1])
    True
    >>> digest_of_rows(x) == add_digests(digest_of_rows(x[:1]), digest_of_rows(x[1:]))
    True
    """
    total, width = 0, rows.shape[1]
    size = max(1, BLOCK_VALUES // max(1, width))
    factors = _mixed(np.arange(1, width + 1, dtype=np.uint64)) | np.uint64(1)
    labels = _mixed(np.arange(len(rows), dtype=np.uint64)) if in_order else None
    if names is not None:
        labels = _name_hashes(names)
    for start in range(0, len(rows), size):
        # Adding 0 turns -0 into 0, which compares as equal and must hash so.
        block = np.ascontiguousarray(rows[start : start + size], dtype="<f8") + 0.0
        # Unsigned integers wrap around, which is arithmetic modulo 2^64.
        hashes: Array = block.view(np.uint64) @ factors + np.uint64(width)
        if labels is not None:
            hashes = _mixed(hashes) ^ labels[start : start + size]
        total += _sum(_mixed(hashes))
    return _written(total)


def digest_of_names(names: Iterable[str]) -> str:
    """Return a digest of names as a set."""
    return _written(_sum(_name_hashes(names)))


def add_digests(one: str, other: str) -> str:
    """Return the digest of what two parts hold together."""
    return _written(int(one, 16) + int(other, 16))


def is_digest(text: str) -> bool:
    """Return whether a text is written as a digest is."""
    return len(text) == DIGITS and set(text) <= set("0123456789abcdef")


def _mixed(words: Array) -> Array:
    """Return words of which every bit depends on every bit (the finalizer of SplitMix64)."""
    words = np.asarray(words + np.uint64(STEP))
    words = (words ^ (words >> np.uint64(30))) * np.uint64(FIRST)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(SECOND)
    return np.asarray(words ^ (words >> np.uint64(31)))


def _name_hashes(names: Iterable[str]) -> Array:
    encoded = (name.encode("utf-8", "surrogatepass") for name in names)
    joined = b"".join(hashlib.blake2b(name, digest_size=BITS // 8).digest() for name in encoded)
    return np.frombuffer(joined, dtype="<u8").astype(np.uint64)


def _sum(words: Array) -> int:
    return int(np.sum(words, dtype=np.uint64))


def _written(total: int) -> str:
    return f"{total & MASK:0{DIGITS}x}"
