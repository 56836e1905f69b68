"""An Arrow stream transformed end to end, against the sum of bare transport and bare arithmetic."""

from __future__ import annotations

from benchmarks import stored
from benchmarks.connection import Connection, request
from benchmarks.figure import Effort, Measured, Unmeasurable
from benchmarks.pairs import alternate, timed
from benchmarks.rows import Affine, rows
from benchmarks.server import reference, service
from normalizers.data.arrays import Array

ROWS = 10_000
BATCH_ROWS = 1_000
PAIRS = 15


def measure(effort: Effort) -> Measured:
    """Transform 10,000 rows of float32 in ten record batches through loopback."""
    x = rows(ROWS)
    affine = Affine.drawn("float32")
    body, answer = _stream(x), _stream(affine(x))
    exchange = request(f"/?{len(answer)}", body, stored.ARROW)
    transform = request(stored.TRANSFORM, body, stored.ARROW)
    with service() as ours, reference("exchange") as bare:
        stored.fit(ours)
        with Connection(ours.port) as asked, Connection(bare.port) as exchanged:

            def sum_of_parts() -> float:
                carried = timed(lambda: exchanged.ask(exchange))
                return carried + timed(lambda: affine(x))

            return alternate(
                lambda: timed(lambda: asked.ask(transform)), sum_of_parts, effort.of(PAIRS)
            )


def _stream(x: Array) -> bytes:
    try:
        import pyarrow as pa
    except ImportError:
        raise Unmeasurable("pyarrow is not installed") from None
    column = pa.FixedSizeListArray.from_arrays(pa.array(x.ravel()), x.shape[1])
    table = pa.table({"x": column})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=BATCH_ROWS)
    written: bytes = sink.getvalue().to_pybytes()
    return written
