"""An answer's arrays apart from the JSON they stand in, for forms that carry them as binary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from app.codecs.arrays import is_numeric
from app.codecs.document import Bounds, Tree
from app.codecs.errors import TooLarge
from app.codecs.inspection import VALUES_SETTING
from app.codecs.paths import Keys, tensor_keys
from normalizers.arrays import Array

# Members of an answer that tell about it; they stay JSON whatever they hold.
ALWAYS_JSON = frozenset({"flags", "warnings", "explain", "report", "effective_params"})


def split(tree: Tree) -> tuple[dict[Keys, Array], object]:
    """Return the numeric arrays of `tree` by their place, and the rest of it.

    In a list, None holds the place of an array.
    """
    tensors: dict[Keys, Array] = {}
    rest = _without(tree, (), tensors)
    return tensors, rest


def natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key of tensor names by which index 2 comes before index 10."""
    return [(len(key), key) for key in tensor_keys(name)]


def check_values(values: int, bounds: Bounds) -> None:
    """Refuse more values than one request may hold."""
    if values > bounds.values:
        raise TooLarge(
            "too many values in one request", limit=bounds.values, setting=VALUES_SETTING
        )


def _without(node: object, keys: Keys, tensors: dict[Keys, Array]) -> object:
    if len(keys) == 1 and keys[0] in ALWAYS_JSON:
        return node
    if isinstance(node, Mapping):
        children = {str(key): child for key, child in node.items()}
        return {
            key: _without(child, (*keys, key), tensors)
            for key, child in children.items()
            if not _taken(child, (*keys, key), tensors)
        }
    if isinstance(node, Sequence) and not isinstance(node, str | bytes):
        return [
            None
            if _taken(child, (*keys, index), tensors)
            else _without(child, (*keys, index), tensors)
            for index, child in enumerate(node)
        ]
    return node


def _taken(node: object, keys: Keys, tensors: dict[Keys, Array]) -> bool:
    if not isinstance(node, np.ndarray) or not is_numeric(node) or keys[0] in ALWAYS_JSON:
        return False
    tensors[keys] = node
    return True
