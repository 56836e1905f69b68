"""A fit of a large gallery, as a process: prints by how much its memory grew, in bytes."""

from __future__ import annotations

import os
import sys

import numpy as np

from benchmarks import memory
from benchmarks.rows import SEED
from normalizers import Sinkhorn
from normalizers.data.arrays import Array

DIMS = 384
BLOCK_ROWS = 1_000


def main(bank_rows: int, items: int) -> None:
    """Fit `sinkhorn` as it is by default."""
    fit(vectors(1), vectors(1))
    before = memory.forget_peak(os.getpid())
    fit(vectors(bank_rows), vectors(items))
    print(memory.peak() - before)


def fit(bank: Array, gallery: Array) -> None:
    """Fit on float32 embeddings."""
    Sinkhorn().fit(bank_embeddings=bank, gallery_embeddings=gallery)


def vectors(count: int) -> Array:
    """Return vectors that are made block by block, so that making them leaves no peak."""
    generator = np.random.default_rng([SEED, count])
    made = np.empty((count, DIMS), dtype=np.float32)
    for start in range(0, count, BLOCK_ROWS):
        generator.standard_normal(out=made[start : start + BLOCK_ROWS], dtype=np.float32)
    return made


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
