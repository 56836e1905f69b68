"""Log-probabilities in lists: read, checked, and normalized list by list."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, NonFiniteError
from normalizers.kernels import segments


def logs_of(lists: Ragged, path: str) -> Array:
    """Return log-probabilities, -inf of an impossible choice.

    Raises
    ------
    NonFiniteError
        One that is missing or +infinity.
    """
    values = lists.values
    wrong = np.isnan(values) | (values == np.inf)
    if wrong.any():
        _refuse(lists, wrong, "a log-probability is missing; leave the choice out", path)
    return values


def logs_of_shares(lists: Ragged, path: str) -> Array:
    """Return the logarithms of probabilities, -inf of 0.

    Raises
    ------
    InvalidInput
        One that is missing, negative or infinite.
    """
    values = lists.values
    wrong = ~((values >= 0) & (values < np.inf))
    if wrong.any():
        _refuse(lists, wrong, "a probability is missing, negative or infinite", path)
    with np.errstate(divide="ignore"):
        return np.log(values)


def log_sum(lists: Ragged, logs: Array) -> Array:
    """Return the logarithm of the sum of exponentials of each list, -inf of nothing; (q,)."""
    highest = highest_of(lists, logs)
    finite = np.where(np.isfinite(highest), highest, 0.0)
    # Exponentials of differences to the largest are at most 1.
    sums = segments.sums(lists.with_values(np.exp(logs - segments.broadcast(finite, lists))))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(sums) + finite)


def highest_of(lists: Ragged, values: Array) -> Array:
    """Return the largest value of each list, -inf of an empty one; shape (q,)."""
    found = segments.maxima(lists.with_values(values))
    return np.where(np.isnan(found), -np.inf, found)


def softmax(lists: Ragged, logs: Array) -> Array:
    """Return logarithms of shares of each list: log-softmax; a list of -inf stays so.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.data.ragged import Ragged
    >>> from normalizers.rewards.base.log_probabilities import softmax
    >>> np.exp(softmax(Ragged.of([[1e4, 1e4]]), np.array([1e4, 1e4]))).round(12).tolist()
    [0.5, 0.5]
    """
    total = log_sum(lists, logs)
    return logs - segments.broadcast(np.where(np.isfinite(total), total, 0.0), lists)


def _refuse(lists: Ragged, wrong: Array, message: str, path: str) -> None:
    places = lists.positions(np.flatnonzero(wrong)).tolist()
    part, place = places[0]
    where = f"{path}[{part}][{place}]"
    if np.isnan(lists.values[wrong]).any() or np.isinf(lists.values[wrong]).any():
        raise NonFiniteError(f"{message}: {where}", path=where, positions=places)
    raise InvalidInput(f"{message}: {where}", path=where)
