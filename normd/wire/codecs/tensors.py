"""An answer's arrays apart from the JSON they stand in, for forms that carry them as binary."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

import numpy as np

from normalizers.data.arrays import Array
from normd.wire.codecs.arrays import is_numeric
from normd.wire.codecs.document import DecodeLimits, Tree
from normd.wire.codecs.errors import TooLarge
from normd.wire.codecs.json_nesting import VALUES_SETTING
from normd.wire.codecs.paths import Keys, tensor_keys

T = TypeVar("T")

# A list of these alone holds no array: labels of a million rows are not looked at one by one.
SCALARS = frozenset({str, int, float, bool, type(None)})

# Members of an answer that tell about it; they stay JSON whatever they hold.
ALWAYS_JSON = frozenset({"flags", "warnings", "explain", "report", "effective_params"})


def split(tree: Tree, take: Callable[[object], T | None]) -> tuple[dict[Keys, T], object]:
    """Return what `take` makes a tensor of, by its place, and the rest of `tree`.

    In a list, None holds the place of a tensor.
    """
    splitting = _Splitting(take)
    rest = splitting.rest(tree, ())
    return splitting.tensors, rest


def numeric(node: object) -> Array | None:
    """Return `node` if it is an array of numbers."""
    return node if isinstance(node, np.ndarray) and is_numeric(node) else None


def natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key of tensor names by which index 2 comes before index 10."""
    return [(len(key), key) for key in tensor_keys(name)]


def check_values(values: int, bounds: DecodeLimits) -> None:
    """Refuse more values than one request may hold."""
    if values > bounds.values:
        raise TooLarge(
            "too many values in one request", limit=bounds.values, setting=VALUES_SETTING
        )


class _Splitting(Generic[T]):
    def __init__(self, take: Callable[[object], T | None]) -> None:
        self.take = take
        self.tensors: dict[Keys, T] = {}

    def rest(self, node: object, keys: Keys) -> object:
        if len(keys) == 1 and keys[0] in ALWAYS_JSON:
            return node
        if isinstance(node, Mapping):
            children = {str(key): child for key, child in node.items()}
            return {
                key: self.rest(child, (*keys, key))
                for key, child in children.items()
                if not self._takes(child, (*keys, key))
            }
        if isinstance(node, Sequence) and not isinstance(node, str | bytes):
            if set(map(type, node)) <= SCALARS:
                return node
            return [
                None if self._takes(child, (*keys, index)) else self.rest(child, (*keys, index))
                for index, child in enumerate(node)
            ]
        return node

    def _takes(self, node: object, keys: Keys) -> bool:
        tensor = self.take(node) if keys[0] not in ALWAYS_JSON else None
        if tensor is None:
            return False
        self.tensors[keys] = tensor
        return True
