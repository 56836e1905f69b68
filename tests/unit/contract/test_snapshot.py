"""What a snapshot of values notices."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import MinMax
from normalizers.contract.snapshot import Snapshot


def snapshot(*values: object) -> Snapshot:
    taken = Snapshot.of(values)
    assert taken is not None
    return taken


def test_the_same_objects_are_what_they_were() -> None:
    values = (None, 60.0, "best", [0.4, 0.6], {"a": [1.0]})
    assert snapshot(*values).holds(values)


@pytest.mark.parametrize(("before", "after"), [(1, True), (1, 1.0), (0.5, 0.25), (None, 0)])
def test_equal_numbers_of_other_types_are_others(before: object, after: object) -> None:
    assert not snapshot(before).holds((after,))


@pytest.mark.parametrize(
    ("held", "other"), [([1], [True]), ([1.0], [1]), ({"a": 1.0}, {"b": 1.0}), ([[1]], [[2]])]
)
def test_a_list_that_holds_something_else_is_noticed(held: object, other: object) -> None:
    values = [held]
    before = snapshot(*values)
    if isinstance(held, list):
        held[:] = other  # type: ignore[call-overload]
    else:
        held.clear()  # type: ignore[attr-defined]
        held.update(other)  # type: ignore[attr-defined]
    assert not before.holds(values)


@pytest.mark.parametrize("value", [np.array([1.0]), MinMax(), [MinMax()], {"a": object()}])
def test_of_objects_that_may_change_unseen_there_is_none(value: object) -> None:
    assert Snapshot.of((1.0, value)) is None
