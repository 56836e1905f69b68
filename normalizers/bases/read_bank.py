"""Reading the bank of a fit: similarities as they were sent, or embeddings of both sides."""

from __future__ import annotations

import numpy as np

from normalizers.bases.banks import Bank, SentBank
from normalizers.bases.direction import as_similarities
from normalizers.bases.embedded_bank import BLOCK_ITEMS, DEVICE_ITEMS, EmbeddedBank, Similarity
from normalizers.data.arrays import Array, all_finite
from normalizers.data.batch import Batch
from normalizers.errors import InvalidInput, InvalidParams, NonFiniteError

WEIGHTS = "sample_weights"


def read_bank(
    batch: Batch,
    *,
    score_type: str,
    similarity: Similarity,
    omit: bool,
    bank: str = "bank",
    deduplicate: bool = False,
) -> Bank:
    """Return the bank of a fit, its rows with a missing value left out if `omit`.

    With `deduplicate` of equal rows the first stays. ``sample_weights`` go with their rows.

    Raises
    ------
    InvalidParams
        Embeddings with ``score_type: distance`` and another similarity than ``euclidean``.
    NonFiniteError
        A gallery vector misses a value: an item cannot be left out.
    """
    if f"{bank}_sims" in batch:
        sims = as_similarities(batch.array(f"{bank}_sims"), score_type, f"fit.{bank}_sims")
        rows, weights = _counted_rows(batch, sims, omit=omit, deduplicate=deduplicate)
        return SentBank(rows, log_weights=weights)
    require_direction(score_type, similarity)
    queries, items = batch.array(f"{bank}_embeddings"), batch.array("gallery_embeddings")
    require_vectors(items, "fit.gallery_embeddings")
    rows, weights = _counted_rows(batch, queries, omit=omit, deduplicate=deduplicate)
    at_once = DEVICE_ITEMS if batch.device.tensors else BLOCK_ITEMS
    return EmbeddedBank(
        rows, items, similarity, block_items=at_once, device=batch.device, log_weights=weights
    )


def _counted_rows(
    batch: Batch, rows: Array, *, omit: bool, deduplicate: bool
) -> tuple[Array, Array | None]:
    """Return the bank rows that count, and the logarithms of their weights."""
    if WEIGHTS not in batch:
        seen = observed_rows(rows) if omit else rows
        return distinct_rows(seen) if deduplicate else seen, None
    weights = batch.array(WEIGHTS)
    wrong = ~(weights > 0)
    if wrong.any():
        first = int(np.argmax(wrong))
        raise InvalidInput(
            f"the weight of bank row {first} is {float(weights[first])}: weights are above 0; "
            "leave a row without weight out",
            path=f"fit.{WEIGHTS}[{first}]",
        )
    kept = np.arange(len(rows))
    if omit:
        kept = kept[~np.isnan(rows).any(axis=1)]
    if deduplicate:
        kept = kept[first_of_equal(rows[kept])]
    return rows[kept], np.log(weights[kept])


def require_direction(score_type: str, similarity: str) -> None:
    """Refuse similarities of embeddings beside distances, and distances beside similarities."""
    if (score_type == "distance") == (similarity == "euclidean"):
        return
    if score_type == "distance":
        raise InvalidParams(
            f"'{similarity}' of embeddings is a similarity; with score_type 'distance' they are "
            "compared by similarity 'euclidean'",
            path="params.similarity",
        )
    raise InvalidParams(
        "'euclidean' is a distance; name score_type 'distance' beside it", path="params.score_type"
    )


def require_vectors(vectors: Array, path: str) -> None:
    """Refuse a vector that misses a value, where none can be left out."""
    if all_finite(vectors):
        return
    missing = np.isnan(vectors).any(axis=1)
    if missing.any():
        place = f"{path}[{int(np.argmax(missing))}]"
        raise NonFiniteError(f"the gallery vector at {place} misses a value", path=place)


def observed_rows(x: Array) -> Array:
    """Return the rows without a missing value."""
    if all_finite(x):
        return x
    missing = np.isnan(x).any(axis=1)
    return x[~missing] if missing.any() else x


def distinct_rows(x: Array) -> Array:
    """Return the first of every set of equal rows, in their order; +0 and -0 are equal.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.bases.read_bank import distinct_rows
    >>> distinct_rows(np.array([[1.0, 2.0], [0.0, 3.0], [1.0, 2.0]])).tolist()
    [[1.0, 2.0], [0.0, 3.0]]
    """
    first = first_of_equal(x)
    return x if len(first) == len(x) else x[first]


def first_of_equal(x: Array) -> Array:
    """Return where the first of every set of equal rows stands, in order."""
    if len(x) < 2 or not x.shape[1]:
        return np.arange(len(x))
    # A row as one value of its bytes, which are equal where the numbers are.
    plain = np.ascontiguousarray(x + x.dtype.type(0))
    rows = plain.view(np.dtype((np.void, plain.dtype.itemsize * plain.shape[1])))
    return np.sort(np.unique(rows.reshape(-1), return_index=True)[1])
