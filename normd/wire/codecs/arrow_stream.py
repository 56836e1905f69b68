"""A body of Arrow IPC streams, cut at their ends and opened one by one without trust."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from normd.wire.codecs.errors import Unparseable, UnsupportedMediaType

if TYPE_CHECKING:
    import pyarrow

# What ends a stream: a continuation marker and a length of zero.
END_BYTES = 8
# A piece of an answer that is worth sending by itself.
LARGE_BYTES = 64 * 1024
# Tables of the format's flatbuffers, by the number of their field.
MESSAGE_HEADER = 2
DICTIONARY_DATA = 1
BATCH_COMPRESSION = 3
# A vtable starts with its own length and that of its table, two bytes each.
VTABLE_START = 4


class Pieces:
    """A file that keeps what is written to it: large buffers where they lie, small ones joined."""

    closed = False

    def __init__(self) -> None:
        self._pieces: list[bytes | memoryview] = []
        self._small = bytearray()

    def write(self, content: bytes | pyarrow.Buffer) -> int:
        """Take a piece."""
        piece = memoryview(content)
        if len(piece) < LARGE_BYTES:
            self._small += piece
        else:
            self._join()
            self._pieces.append(piece)
        return len(piece)

    def flush(self) -> None:
        """Do nothing: a writer of streams asks for it."""

    def all(self) -> tuple[bytes | memoryview, ...]:
        """Return what was written."""
        self._join()
        return tuple(self._pieces)

    def _join(self) -> None:
        if self._small:
            self._pieces.append(bytes(self._small))
            self._small.clear()


def tables(body: bytes) -> Iterator[pyarrow.Table]:
    """Yield one table a stream, its columns not yet validated.

    Raises
    ------
    Unparseable
        When a stream has no end, or is none.
    UnsupportedMediaType
        When the buffers inside a stream are compressed: they would be allocated at whatever size
        they claim.
    """
    import pyarrow

    buffer = pyarrow.py_buffer(body)
    source = pyarrow.BufferReader(buffer)
    while (start := source.tell()) < len(body) or not start:
        with refusing_faults():
            _pass_stream(source)
            reader = pyarrow.ipc.open_stream(buffer.slice(start, source.tell() - start))
            table = reader.read_all()
        yield table


@contextmanager
def refusing_faults() -> Iterator[None]:
    """Turn what the reader raises for bytes that are no Arrow stream into a refusal."""
    import pyarrow

    try:
        yield
    except (pyarrow.ArrowException, ValueError, OSError, EOFError, OverflowError, LookupError):
        raise Unparseable("not an Arrow IPC stream: its messages do not hold together") from None


def _pass_stream(source: pyarrow.BufferReader) -> None:
    """Move behind the end of a stream; a stream that was cut has none."""
    import pyarrow

    start = source.tell()
    while True:
        before = source.tell()
        try:
            message = pyarrow.ipc.read_message(source)
        except EOFError:
            if source.tell() - before == END_BYTES and before > start:
                return
            raise Unparseable("the Arrow stream is cut: its end marker is missing") from None
        if message.type in ("record batch", "dictionary"):
            _refuse_compressed(message)


def _refuse_compressed(message: pyarrow.Message) -> None:
    metadata = message.metadata.to_pybytes()
    try:
        header = _table(metadata, _root(metadata), MESSAGE_HEADER)
        batch = header if message.type == "record batch" else _data(metadata, header)
        compressed = _field(metadata, batch, BATCH_COMPRESSION)
    except struct.error:
        raise Unparseable("not an Arrow IPC stream: a message does not hold together") from None
    if compressed:
        raise UnsupportedMediaType(
            "Arrow buffers that are compressed inside the stream are not read; "
            "write it without, and compress the body (Content-Encoding)"
        )


def _data(metadata: bytes, header: int) -> int:
    return _table(metadata, header, DICTIONARY_DATA)


def _root(metadata: bytes) -> int:
    return int(struct.unpack_from("<I", metadata, 0)[0])


def _table(metadata: bytes, table: int, number: int) -> int:
    """Return where the table in a field of a table starts."""
    field = table + _field(metadata, table, number)
    return field + int(struct.unpack_from("<I", metadata, field)[0])


def _field(metadata: bytes, table: int, number: int) -> int:
    """Return how far behind the start of a table its field is; 0 when it has none."""
    vtable = table - int(struct.unpack_from("<i", metadata, table)[0])
    size = int(struct.unpack_from("<H", metadata, vtable)[0])
    slot = VTABLE_START + 2 * number
    return int(struct.unpack_from("<H", metadata, vtable + slot)[0]) if slot < size else 0
