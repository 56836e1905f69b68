"""Ids as numbers: every distinct id of a request becomes one number once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from operator import itemgetter
from typing import Any

import numpy as np

from normalizers.data.arrays import Array, string_array
from normalizers.data.ragged import Ragged
from normalizers.kernels import segments

# Up to so many ids a dictionary is as fast as Arrow, which may have to be imported first.
MANY = 20_000


@dataclass(frozen=True)
class FactorizedIds:
    """Lists of ids.

    Parameters
    ----------
    names : object array of str, shape (n,)
        Distinct ids in code point order, those of other lists among them.
    codes : Ragged
        Where each id stands among the names; codes are ordered as their ids are.
    """

    names: Array
    codes: Ragged

    @cached_property
    def ids(self) -> Ragged:
        """The lists of ids themselves."""
        return self.codes.with_values(self.names[self.codes.values])

    def take(self, places: Array) -> FactorizedIds:
        """Return the same lists with their ids in another order, by flat index."""
        return replace(self, codes=self.codes.with_values(self.codes.values[places]))

    def filter(self, which: Array) -> FactorizedIds:
        """Return the lists without the ids that are not kept, a mask of shape (N,)."""
        return replace(self, codes=segments.compress(self.codes, which))


def factorize(lists: Sequence[Ragged]) -> list[FactorizedIds]:
    """Return lists of ids as numbers, with the names of all of them.

    Examples
    --------
    >>> from normalizers.kernels.factorize import factorize
    >>> from normalizers.data.ragged import Ragged
    >>> first, second = factorize([Ragged.of([["b", "a"]], object), Ragged.of([["c"]], object)])
    >>> first.names.tolist(), first.codes.values.tolist(), second.codes.values.tolist()
    (['a', 'b', 'c'], [1, 0], [2])
    """
    parts = [part.values for part in lists]
    many = sum(map(len, parts)) >= MANY
    names, codes = (_by_arrow(parts) if many else None) or _by_table(parts)
    shared = string_array(names)
    return [
        FactorizedIds(shared, part.with_values(own)) for part, own in zip(lists, codes, strict=True)
    ]


def _by_table(parts: Sequence[Array]) -> tuple[list[str], list[Array]]:
    """Return the distinct ids in order, and which of them each id of each part is."""
    # One look at each id: what is new gets the next number by itself.
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    as_met = [_numbers(part.tolist(), numbers) for part in parts]
    names = sorted(numbers)
    rank = np.empty(len(names), dtype=np.int64)
    rank[_numbers(names, numbers)] = np.arange(len(names))
    return names, [rank[met] for met in as_met]


def _by_arrow(parts: Sequence[Array]) -> tuple[list[str], list[Array]] | None:
    """Return the same in less than half the time, None where Arrow is not installed."""
    arrow = _arrow()
    if arrow is None:
        return None
    coded = arrow.array(np.concatenate(parts), type=arrow.large_string()).dictionary_encode()
    # Arrow orders text by its bytes of UTF-8, and so by code points.
    order = arrow.compute.array_sort_indices(coded.dictionary)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order.to_numpy()] = np.arange(len(order))
    stops = np.cumsum([len(part) for part in parts])[:-1]
    codes = rank[coded.indices.to_numpy(zero_copy_only=False)]
    return coded.dictionary.take(order).to_pylist(), np.split(codes, stops)


@cache
def _arrow() -> Any:
    if find_spec("pyarrow") is None:
        return None
    import_module("pyarrow.compute")
    return import_module("pyarrow")


def _numbers(names: Sequence[str], numbers: defaultdict[str, int]) -> Array:
    # One call for all names: `map` calls once a name, which takes twice as long.
    found = itemgetter(*names)(numbers) if len(names) > 1 else [numbers[name] for name in names]
    return np.fromiter(found, dtype=np.int64, count=len(names))
