"""The votes of a bank in one pass over its products: each row's shares of its items, added up."""

from __future__ import annotations

import numpy as np

from normalizers.bases.banks import ranges
from normalizers.bases.embedded_bank import EmbeddedBank
from normalizers.bases.folds import SMALL_EXPONENT
from normalizers.data.arrays import Array

# Rows of a bank wait with all their exponentials until their sums are known.
WAITING_BYTES = 3 * 2**24
# With fewer rows at once a product costs more than a second pass.
FEWEST_ROWS = 64
# Weights and sums in float32 are off by some eps32, which no exponent below this would hide.
SMALLEST_EXPONENT = 16.0
# An exponential below the range of float32 counts as nothing; with these sums it is.
SMALLEST_SUM = 1e-29
LARGEST_SUM = 1e37  # its inverse is a float32 of full precision
SINGLE = np.dtype(np.float32)


def votes_of(bank: EmbeddedBank, beta: float) -> Array | None:
    """Return ``ln sum_b w_b softmax_j(beta S[b, .])`` of each item, shape (g,), or None.

    None where two passes are needed: a gallery too large for rows of it to wait, other types than
    float32, exponents too small or too far apart for float32.

    Notes
    -----
    The sum of a row is known when all its items are, so that usually a second pass over the
    products weighs them. Here the exponentials of a few rows are kept until then, and weighed by
    one product with the inverse sums.
    """
    count = WAITING_BYTES // (4 * max(1, bank.items))
    if bank.device.tensors or count < FEWEST_ROWS or beta * bank.bound < SMALLEST_EXPONENT:
        return None
    if {bank.dtype, bank.gallery.dtype} != {SINGLE} or not bank.has_ordinary_items:
        return None
    votes, largest, weights = np.zeros(bank.items), 0.0, np.ones(bank.n)
    if bank.log_weights is not None:
        largest = float(np.max(bank.log_weights))
        weights = np.exp(bank.log_weights - largest)
    waiting = np.empty((bank.items, min(count, bank.n)), dtype=np.float32)
    for rows in ranges(bank.n, waiting.shape[1]):
        held = waiting.reshape(-1)[: bank.items * (rows.stop - rows.start)]
        exponentials = held.reshape(bank.items, -1)
        sums = _exponentials(bank, beta, rows, exponentials)
        if not (np.max(sums) < LARGEST_SUM and np.min(sums) > 0):
            return None
        votes += exponentials @ (weights[rows] / sums).astype(np.float32)
    if np.min(votes) <= SMALLEST_SUM * bank.n:
        return None
    return np.asarray(np.log(votes) + largest)


def _exponentials(bank: EmbeddedBank, beta: float, rows: slice, found: Array) -> Array:
    """Write the exponentials of rows, and return the sum of each over the items.

    They are about the largest of the first items where the exponents are large: what is taken from
    a row enters its sum too, and leaves its votes.
    """
    sums, about = np.zeros(found.shape[1]), None
    with np.errstate(over="ignore", under="ignore"):
        for items, products, factors in bank.exponents_of(rows, beta):
            part = found[items]
            np.multiply(products, factors, out=part)
            if beta * bank.bound > SMALL_EXPONENT:
                about = np.max(part, axis=0) if about is None else about
                part -= about
            np.exp(part, out=part)
            sums += np.sum(part, axis=0, dtype=np.float64)
    return sums
