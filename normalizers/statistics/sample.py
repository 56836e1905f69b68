"""The rows themselves, for what no sum can tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Self, final

import numpy as np

from normalizers.data.arrays import Array, readonly
from normalizers.errors import FitError, NonFiniteError, ShapeError
from normalizers.statistics.base import posted
from normalizers.statistics.base.statistic import Members, Statistic


@final
class Sample(Statistic):
    """Rows of named fields in canonical order; ``Sample(fields)`` is empty.

    Parameters
    ----------
    fields : sequence of str
        Names of the fields of a row.
    row_limit : int
        Most rows that are kept; more are refused.
    rows : mapping from field to array of shape (n,) or (n, d), optional
        The rows.

    Notes
    -----
    A row with a missing value is left out. Rows are sorted by their fields in the order these are
    named, so that nothing solved from them depends on how they came. Merging is exact. Rows
    cannot be subtracted. Cost O(n log n).

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import Sample
    >>> sample = Sample(["scores"]).update(np.array([3.0, 1.0])).update(np.array([2.0]))
    >>> sample["scores"].tolist()
    [1.0, 2.0, 3.0]
    """

    name: ClassVar[str] = "sample"
    ROW_LIMIT: ClassVar[int] = 1_000_000  # the default of sample_limit

    def __init__(
        self,
        fields: Sequence[str],
        row_limit: int = ROW_LIMIT,
        rows: Mapping[str, Array] | None = None,
    ) -> None:
        self.fields = tuple(fields)
        self.row_limit = row_limit
        self._rows = {name: readonly(array) for name, array in (rows or {}).items()}

    def __getitem__(self, field: str) -> Array:
        return self._rows[field]

    def __repr__(self) -> str:
        return f"Sample({', '.join(self.fields)}; n={self.n})"

    @property
    def n(self) -> int:
        """Rows kept."""
        return len(self._rows[self.fields[0]]) if self._rows else 0

    @property
    def limit(self) -> int:
        """How many rows can be kept."""
        return self.row_limit

    def identity(self) -> Mapping[str, object]:
        """Return the limit and, when not empty, the fields with their widths."""
        widths = {f"width of {name}": _width(array) for name, array in self._rows.items()}
        return {"row_limit": self.row_limit, "fields": list(self.fields), **widths}

    def update(self, *columns: Array) -> Self:
        """Return the sample with rows added, one array of shape (n,) or (n, d) a field."""
        # + 0.0: -0.0 and 0.0 are one value, whose rows sort together.
        arrays = [np.asarray(column, dtype=np.float64) + 0.0 for column in columns]
        _require_one_length(arrays, "")
        if any(np.isinf(array).any() for array in arrays):
            raise NonFiniteError("a sample takes finite or missing values; one is infinite")
        lost = np.any([np.isnan(_table(array)).any(axis=1) for array in arrays], axis=0)
        rows = {name: array[~lost] for name, array in zip(self.fields, arrays, strict=True)}
        return self.merge(self._of(rows))

    def merge(self, other: Self) -> Self:
        """Return the rows of both parts, exactly.

        Raises
        ------
        FitError
            They are more than the limit.
        """
        return self.merge_all([other])

    def merge_all(self, others: Sequence[Self]) -> Self:
        """Return the rows of all parts, exactly; they are sorted once."""
        for other in others:
            self.require_same(other)
        parts: list[Self] = [self, *others]
        seen = [part for part in parts if not part.is_empty]
        if len(seen) < 2:
            return seen[0] if seen else self
        for other in seen[1:]:
            seen[0].require_same(other)
        return self._of({name: np.concatenate([p[name] for p in seen]) for name in self.fields})

    def to_arrays(self) -> dict[str, Array]:
        """Return the rows by field; {} when there are none."""
        return dict(self._rows) if self.n else {}

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the sample of posted rows by field, in any order."""
        if not members:
            return self._of({})
        posted.refuse_unknown(members, self.fields, path)
        rows = {}
        for name in self.fields:
            place = f"{path}.{name}"
            rows[name] = posted.numbers(posted.require(members, name, path), place) + 0.0
            posted.require_finite(rows[name], place, missing=False)
        _require_one_length(list(rows.values()), path)
        return self._of(rows)

    def _of(self, rows: Mapping[str, Array]) -> Sample:
        order = _canonical(rows)
        if len(order) > self.row_limit:
            raise FitError(
                f"a sample of {len(order)} rows is more than the {self.row_limit} that are kept; "
                "raise 'sample_limit' or send fewer rows"
            )
        ordered = {name: array[order] for name, array in rows.items()} if len(order) else {}
        return Sample(self.fields, self.row_limit, ordered)


def _canonical(rows: Mapping[str, Array]) -> Array:
    """Return the order of rows sorted by their fields."""
    # Sorted rows make the sample the same bits in any order of merging; lexsort takes its last key
    # first.
    keys = [column for array in rows.values() for column in _table(array).T]
    return np.lexsort(keys[::-1]) if keys else np.zeros(0, dtype=np.int64)


def _table(array: Array) -> Array:
    return array[:, None] if array.ndim == 1 else array


def _width(array: Array) -> int | None:
    return array.shape[1] if array.ndim > 1 else None


def _require_one_length(arrays: Sequence[Array], path: str) -> None:
    if any(array.ndim not in (1, 2) for array in arrays):
        raise ShapeError("a field of a sample has the shape (n,) or (n, d)", path=path)
    if len({len(array) for array in arrays}) > 1:
        raise ShapeError("the fields of a sample are not of equal length", path=path)
