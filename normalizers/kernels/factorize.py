"""Ids as numbers: every distinct id of a request becomes one number once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from operator import itemgetter

import numpy as np

from normalizers.data.arrays import Array, string_array
from normalizers.data.ragged import Ragged
from normalizers.kernels import segments


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
    # One look at each id: what is new gets the next number by itself.
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    as_met = [_numbers(part.values.tolist(), numbers) for part in lists]
    names = sorted(numbers)
    rank = np.empty(len(names), dtype=np.int64)
    rank[_numbers(names, numbers)] = np.arange(len(names))
    shared = string_array(names)
    return [
        FactorizedIds(shared, part.with_values(rank[met]))
        for part, met in zip(lists, as_met, strict=True)
    ]


def _numbers(names: Sequence[str], numbers: defaultdict[str, int]) -> Array:
    # One call for all names: `map` calls once a name, which takes twice as long.
    found = itemgetter(*names)(numbers) if len(names) > 1 else [numbers[name] for name in names]
    return np.fromiter(found, dtype=np.int64, count=len(names))
