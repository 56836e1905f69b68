"""A fit from a stream of made-up blocks, as a process: prints its peak memory in bytes."""

from __future__ import annotations

import sys

from benchmarks import memory
from benchmarks.rows import rows
from normalizers.embeddings.covariance.whitening import Whitening

BLOCK_ROWS = 10_000


def main(blocks: int) -> None:
    """Fit on so many blocks."""
    whitening = Whitening()
    for _ in range(blocks):
        whitening.partial_fit(rows(BLOCK_ROWS))
    whitening.fitted_["W"]
    print(memory.peak())


if __name__ == "__main__":
    main(int(sys.argv[1]))
