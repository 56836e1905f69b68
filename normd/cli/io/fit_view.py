"""A version as it is shown: its report, its fitted arrays, and answers by it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from normalizers.data.arrays import Array
from normd.cli.files.source import Source
from normd.cli.io.backend import Backend, file_backend, is_version_file, stored_backend
from normd.cli.io.block_transform import BlockTransform, concatenate
from normd.cli.io.mapping import ColumnChoice
from normd.cli.io.reading import Block, Reader
from normd.cli.target import Target

GROUPS = "groups"


@dataclass(frozen=True)
class Fit:
    """A version as it is reported.

    Parameters
    ----------
    ref, method : str
        What it is called, and its method.
    report : mapping
        The fit report.
    fitted : mapping
        The fitted arrays.
    backend : Backend
        Answers by it.
    """

    ref: str
    method: str
    report: Mapping[str, object]
    fitted: Mapping[str, object]
    backend: Backend


@contextmanager
def opened_fit(place: Target, ref: str) -> Iterator[Fit]:
    """Open a stored version or a version file."""
    if is_version_file(ref):
        file = file_backend(ref, "transform")
        version = file.version
        yield Fit(ref, version.method.name, version.report, version.fitted.arrays, file)
        return
    with place.client() as client:
        backend = stored_backend(client, ref, "transform")
        yield Fit(ref, backend.method.name, client.report(ref), client.fitted(ref), backend)


@dataclass(frozen=True)
class Sides:
    """The rows of a file, and the answer for them.

    Parameters
    ----------
    before, after : object
        The main field and the main output, as they are.
    groups : sequence of str or None
        The group of each row, where rows have one label.
    """

    before: object
    after: object
    groups: Sequence[str] | None


def both_sides(backend: Backend, given: Source, chosen: ColumnChoice) -> tuple[Array, Array]:
    """Return all numbers of the main field of a file, and of the main output for it."""
    sides = answered(backend, given, chosen)
    return flat(sides.before), flat(sides.after)


def answered(backend: Backend, given: Source, chosen: ColumnChoice) -> Sides:
    """Return the rows of a file and the answer for them."""
    reader = Reader(backend.takes, chosen)
    blocks = list(reader.blocks([given], cut=backend.row_by_row))
    pieces = BlockTransform(backend, {}).pieces(iter(blocks), lambda rows: None)
    outputs = concatenate([piece.output for piece in pieces])
    main = backend.takes.main.name
    before = concatenate([{main: block.values.get(main)} for block in blocks])
    labels = [block.values.get(GROUPS) for block in blocks]
    rows = [str(label) for part in labels if isinstance(part, list) for label in part]
    groups = rows if rows and len(rows) == len(flat(before[main])) else None
    return Sides(before[main], next(iter(outputs.values())), groups)


def answers_to(backend: Backend, rows: object, n: int) -> Array:
    """Return all numbers of the main output for `n` rows of the main field."""
    block = Block({backend.takes.main.name: rows}, {}, (), n)
    pieces = BlockTransform(backend, {}).pieces(iter([block]), lambda rows: None)
    outputs = concatenate([piece.output for piece in pieces])
    return flat(next(iter(outputs.values())))


def flat(value: object) -> Array:
    """Return all numbers of a value, however deep they lie in lists."""
    if isinstance(value, list):
        return np.concatenate([flat(item) for item in value]) if value else np.empty(0)
    return np.asarray(value, dtype=np.float64).reshape(-1)
