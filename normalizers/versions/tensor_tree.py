"""Trees of arrays as the flat named tensors of one safetensors file, and back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np
from safetensors.numpy import load, save

from normalizers.data.arrays import Array, as_stored
from normalizers.errors import CorruptVersion
from normalizers.versions.shared_ids import restored
from normalizers.versions.text_arrays import join_text, split_text


def flat(tree: Mapping[str, object], without: Collection[str] = ()) -> dict[str, Array]:
    """Return the arrays of a tree by path, ``statistics.scatter.mean``, as they are written.

    Those of paths in `without` are left out. Lists count as objects whose names are indices;
    object arrays of ``str`` become UTF-8 bytes and offsets.
    """
    found: dict[str, Array] = {}
    for path, array in leaves(tree):
        if path in without:
            continue
        if array.dtype == object:
            found.update(split_text(path, array))
        else:
            found[path] = as_stored(array)
    return found


def leaves(tree: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, Array]]:
    """Yield the path and array of every leaf, sorted by name on each level."""
    for name in sorted(tree):
        value, path = tree[name], f"{prefix}{name}"
        if isinstance(value, Mapping):
            yield from leaves(value, f"{path}.")
        elif isinstance(value, (list, tuple)):
            yield from leaves({str(i): item for i, item in enumerate(value)}, f"{path}.")
        else:
            yield path, np.asarray(value)


def nested(
    tensors: Mapping[str, Array], places: Mapping[str, object] | None = None
) -> dict[str, object]:
    """Return the tree that `flat` was made from; lists come back as objects of indices.

    `places` says where else an array of text stands.

    Raises
    ------
    CorruptVersion
        A path that stands below an array, or text that does not decode.
    """
    tree: dict[str, object] = {}
    for path, array in restored(join_text(tensors), places or {}).items():
        *parents, leaf = path.split(".")
        node = tree
        for parent in parents:
            child = node.setdefault(parent, {})
            if not isinstance(child, dict):
                raise CorruptVersion(f"'{path}' stands below an array")
            node = child
        if leaf in node:
            raise CorruptVersion(f"'{path}' stands above other arrays")
        node[leaf] = array
    return tree


def serialized(tensors: Mapping[str, Array], metadata: Mapping[str, str] | None = None) -> bytes:
    """Return named arrays of any strides and byte order as safetensors bytes.

    The only caller of ``save``, which writes strided arrays wrong without an error.
    """
    ready = {name: as_stored(array) for name, array in tensors.items()}
    return bytes(save(ready, metadata=None if metadata is None else dict(metadata)))


def pack(tree: Mapping[str, object]) -> bytes:
    """Return a tree of arrays as safetensors bytes without metadata."""
    return serialized(flat(tree))


def unpack(content: bytes) -> dict[str, object]:
    """Return the tree that `pack` was given."""
    return nested(load(content))
