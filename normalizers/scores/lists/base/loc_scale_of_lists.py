"""The ``loc`` and ``scale`` of lists: among the answers, and sent back with the values."""

from __future__ import annotations

from dataclasses import replace

from normalizers.contract import Answer, Fields, floats, like, lists
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import ShapeError
from normalizers.kernels import segments
from normalizers.kernels.loc_scale import restore


def loc_scale_fields(values: str, loc: str, scale: str) -> Fields:
    """Return one value a score, and two numbers a list, with what they say of themselves."""
    return Fields(
        values=like("scores", lists(help=values)),
        loc=floats("q", help=f"by list, {loc}"),
        scale=floats("q", help=f"by list, {scale}"),
    )


def with_loc_scale(answer: Answer, loc: Array, scale: Array) -> Answer:
    """Return the answer with what its inverse needs."""
    return replace(answer, output={**answer.output, "loc": loc, "scale": scale})


def from_loc_and_scale(values: Ragged, loc: Array, scale: Array) -> Array:
    """Return scores from values and the ``loc`` and ``scale`` of their lists."""
    require_one_a_list(values, loc=loc, scale=scale)
    return restore(
        values.values, segments.broadcast(loc, values), segments.broadcast(scale, values)
    )


def require_one_a_list(values: Ragged, **arrays: Array) -> None:
    """Refuse what was sent beside lists and has not one number for each of them."""
    for name, array in arrays.items():
        if len(array) != len(values):
            raise ShapeError(
                f"there are {len(values)} lists, but '{name}' has {len(array)}",
                path=f"input.{name}",
            )
