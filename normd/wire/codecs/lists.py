"""Ragged outputs as forms without nested lists carry them: flat, with ``offsets`` beside them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged, offsets_of
from normd.wire.codecs.document import Tree

OUTPUT = "output"
OFFSETS = "offsets"


def with_offsets(tree: Tree, *, nested: bool) -> Tree:
    """Return an answer whose ragged outputs are flat arrays with their common ``offsets``.

    Parameters
    ----------
    tree : mapping
        An answer; one without ragged outputs is returned as it is.
    nested : bool
        Whether lists of arrays are made flat too; a form with nested lists writes them as such.
    """
    output = tree.get(OUTPUT)
    if not isinstance(output, Mapping):
        return tree
    kinds = (Ragged, list) if nested else (Ragged,)
    if set(map(type, output.values())).isdisjoint(kinds):
        return tree
    flat: dict[str, object] = {}
    for name, value in output.items():
        if isinstance(value, kinds):
            ragged = joined(value)
            flat[name], flat[OFFSETS] = ragged.values, ragged.offsets
        else:
            flat[name] = value
    return {**tree, OUTPUT: flat}


def joined(parts: Ragged | list[Array]) -> Ragged:
    """Return lists as one flat array with offsets."""
    if isinstance(parts, Ragged):
        return parts
    values = np.concatenate(parts) if parts else np.empty(0)
    return Ragged(values, offsets_of([len(part) for part in parts]))
