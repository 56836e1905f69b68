"""Answers of blocks as the answer of the whole."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from normalizers.contract.answer import Rendered
from normalizers.data.arrays import Array
from normalizers.data.batch import Notice
from normalizers.data.ragged import Ragged
from normd.client.answers import ServedAnswer
from normd.client.methods import STEPS

Span = tuple[int, int]


def combine(
    answers: Sequence[ServedAnswer],
    spans: Sequence[Span],
    *,
    axis: int | None,
    shifted: bool,
    of_columns: Collection[str] = (),
) -> ServedAnswer:
    """Return one answer of several.

    Parameters
    ----------
    answers : sequence of ServedAnswer
        In the order of their blocks.
    spans : sequence of (start, stop)
        The units of each block.
    axis : int or None
        The axis of outputs that holds the units; None for lists.
    shifted : bool
        Whether positions of flags count units, rather than windows that all blocks share.
    of_columns : collection of str
        Flags that name columns, which all blocks share.
    """
    if len(answers) == 1:
        return answers[0]
    sizes = [stop - start for start, stop in spans]
    last = answers[-1]
    outputs: dict[str, Rendered] = {}
    for name in last.output:
        parts = [answer.output[name] for answer in answers]
        is_steps = name == STEPS and isinstance(parts[0], Mapping)
        outputs[name] = cast(Rendered, _steps(parts, sizes)) if is_steps else _output(parts, axis)
    starts = [start if shifted else 0 for start, _ in spans]
    return replace(
        last,
        output=outputs,
        flags=_flags([answer.flags for answer in answers], starts, of_columns),
        warnings=_warnings([noted for answer in answers for noted in answer.warnings]),
        report=_report([answer.report for answer in answers], sizes),
    )


def _output(parts: Sequence[Rendered], axis: int | None) -> Rendered:
    """Return a joined output; what is no array, such as carried state, is the last block's."""
    first = parts[0]
    if isinstance(first, Ragged):
        return _ragged(cast("Sequence[Ragged]", parts))
    if isinstance(first, list):
        return [part for block in cast("Sequence[list[Array]]", parts) for part in block]
    if not isinstance(first, np.ndarray):
        return parts[-1]
    return np.concatenate(cast("Sequence[Array]", parts), axis=min(axis or 0, first.ndim - 1))


def _steps(parts: Sequence[object], sizes: Sequence[int]) -> object:
    """Return what the steps of a pipeline gave beside their main outputs, by unit."""
    first = parts[0]
    if isinstance(first, Mapping):
        blocks = cast("Sequence[Mapping[str, object]]", parts)
        return {name: _steps([block[name] for block in blocks], sizes) for name in first}
    by_unit = all(
        isinstance(part, np.ndarray) and part.shape[:1] == (size,)
        for part, size in zip(parts, sizes, strict=True)
    )
    return np.concatenate(cast("Sequence[Array]", parts)) if by_unit else parts[-1]


def _ragged(parts: Sequence[Ragged]) -> Ragged:
    starts = np.cumsum([0, *(part.offsets[-1] for part in parts)])
    edges = [part.offsets[1:] + start for part, start in zip(parts, starts[:-1], strict=True)]
    values = np.concatenate([part.values for part in parts])
    return Ragged(values, np.concatenate([[0], *edges]).astype(np.int64))


def _flags(
    parts: Sequence[Mapping[str, Array]], starts: Sequence[int], of_columns: Collection[str]
) -> dict[str, Array]:
    names = sorted({name for part in parts for name in part})
    return {
        name: _positions(
            [
                (part[name], 0 if name in of_columns else start)
                for part, start in zip(parts, starts, strict=True)
                if name in part
            ]
        )
        for name in names
    }


def _positions(parts: Sequence[tuple[Array, int]]) -> Array:
    moved = []
    for places, start in parts:
        shift = np.zeros(places.shape[1:], dtype=np.int64)
        shift[(0,) * shift.ndim] = start
        moved.append(places + shift)
    return np.unique(np.concatenate(moved), axis=0)


def _warnings(notices: Sequence[Notice]) -> tuple[Notice, ...]:
    return tuple(noted for index, noted in enumerate(notices) if noted not in notices[:index])


def _report(
    parts: Sequence[Mapping[str, object] | None], sizes: Sequence[int]
) -> Mapping[str, object] | None:
    """Return the report that all blocks share, else one for each of them."""
    if all(part == parts[0] for part in parts):
        return parts[0]
    blocks = [{"units": size, **(part or {})} for part, size in zip(parts, sizes, strict=True)]
    return {"blocks": blocks}
