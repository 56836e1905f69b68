"""Where an answer stands in a table: in the stead of the columns it is made of, or beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from normalizers.messages import quoted
from normd.cli.errors import Misuse
from normd.cli.files.piece import Cells
from normd.cli.io.reading import Block

INTO = "--into"


def check_into(into: str, block: Block) -> None:
    """Refuse a name that is taken, and an input in which nothing has a name.

    Raises
    ------
    Misuse
        There is no place for a new column.
    """
    if not block.columns:
        raise Misuse(
            f"{INTO} {into}: the columns of the input have no names to stand beside; --header "
            "names those of csv and tsv"
        )
    if into in block.order:
        raise Misuse(f"{INTO} {into}: the input has a column {quoted(into)}; choose another name")


def passthrough(block: Block, output: Mapping[str, object]) -> dict[str, Cells]:
    """Return all columns of the input, but those that other outputs than the main one replace."""
    _, *others = output
    replaced = {column for name in others for column in block.columns.get(name, ())}
    numbers = {
        name: column.values() for name, column in block.numbers.items() if name not in replaced
    }
    return {**block.kept, **numbers}


def new_names(into: str, old: Sequence[str], value: object) -> list[str]:
    """Return the names of new columns: one, or one beside each of the `old`.

    Examples
    --------
    >>> import numpy as np
    >>> from normd.cli.io.output_columns import new_names
    >>> new_names("z", ["bleu", "comet"], np.ones((3, 2)))
    ['z_bleu', 'z_comet']
    """
    width = value.shape[1] if isinstance(value, np.ndarray) and value.ndim > 1 else 1
    if width == 1:
        return [into]
    endings = old if len(old) == width else range(width)
    return [f"{into}_{ending}" for ending in endings]


def list_names(block: Block, output: Mapping[str, object], into: str | None) -> dict[str, str]:
    """Return the outputs that stand in columns of lists, as the input had them."""
    main = next(iter(output))
    found = {name: names for name, names in block.columns.items() if name in output}
    if isinstance(output[main], list) or np.ndim(output[main]) > 1:  # type: ignore[arg-type]
        found[main] = block.names
    listed = {
        name: names[0]
        for name, names in found.items()
        if len(names) == 1 and names[0] in block.numbers and block.numbers[names[0]].has_lists
    }
    return {**listed, main: into} if into is not None and main in listed else listed
