"""Numbers that were read from a text at once, with the text beside them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import cast

from normalizers.data.arrays import Array


@dataclass(frozen=True, eq=False)
class ParsedNumbers:
    """Nested lists of numbers, as the array they are where a field wants numbers.

    A field of ids or labels wants them as they were written: ``[1, 2]`` are ids, ``[1.0, 2.0]``
    are not, and one array stands for both.

    Parameters
    ----------
    array : array of float64
        Bit for bit what the lists become.
    text : memoryview
        The lists in JSON.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.data.json_numbers import ParsedNumbers
    >>> ParsedNumbers(np.array([1.0, 2.5]), memoryview(b"[1, 2.5]")).lists()
    [1, 2.5]
    """

    array: Array
    text: memoryview

    def lists(self) -> list[object]:
        """Return the nested lists of the text."""
        return cast("list[object]", json.loads(bytes(self.text)))

    def rows(self) -> object:
        """Return what fields of ragged lists read: a flat array, a list of rows, or the lists."""
        match self.array.ndim:
            case 1:
                return self.array
            case 2:
                return list(self.array)
            case _:
                return self.lists()
