"""Ids of items that stand at several places of a version, and once in its file."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import CorruptVersion

# A gallery may have millions of ids, which statistics and fitted arrays both name. Labels of
# groups are few: they stand where they are used.
SHARED = "item_ids"


def shared_ids(arrays: Mapping[str, Array]) -> dict[str, str]:
    """Return for the place of each array of ids that stands elsewhere too that other place."""
    places: dict[str, str] = {}
    known: list[tuple[str, Array]] = []
    # Fitted arrays follow from statistics, which stand last in the order of names.
    for path, array in sorted(arrays.items(), key=lambda entry: entry[0], reverse=True):
        if not _is_ids(path):
            continue
        source = next((name for name, held in known if _same(held, array)), None)
        if source is None:
            known.append((path, array))
        else:
            places[path] = source
    return places


def restored(arrays: Mapping[str, Array], places: Mapping[str, object]) -> dict[str, Array]:
    """Return the arrays of a file with those that stand elsewhere too at both places.

    Raises
    ------
    CorruptVersion
        A place that is taken, or another that holds no ids.
    """
    found = dict(arrays)
    for path, source in places.items():
        held = arrays.get(source) if isinstance(source, str) and _is_ids(source) else None
        if held is None or held.dtype != object or path in arrays or not _is_ids(path):
            raise CorruptVersion("the file's ids do not stand where its manifest says")
        found[path] = held
    return found


def _is_ids(path: str) -> bool:
    return path.rpartition(".")[2] == SHARED


def _same(mine: Array, theirs: Array) -> bool:
    """Return whether two arrays are one in memory.

    A file of an earlier release holds equal ids twice, and is written again as it was.
    """
    return mine.size > 0 and mine.shape == theirs.shape and np.may_share_memory(mine, theirs)
