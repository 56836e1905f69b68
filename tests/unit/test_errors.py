"""Where an error says it is."""

from __future__ import annotations

import pytest

from normalizers.errors import Fault, FitError, InvalidInput, ShapeError, located, relocated


def test_every_place_of_an_error_is_moved_and_its_class_and_positions_stay() -> None:
    faults = [Fault("input.x[1]", "no number"), Fault("input.y", "missing")]
    with pytest.raises(InvalidInput) as caught, relocated(lambda path: f"fit{path[5:]}"):
        raise InvalidInput("see input.x", path="input.x[1]", faults=faults, positions=[(1,)])
    assert (caught.value.path, str(caught.value)) == ("fit.x[1]", "see input.x")
    assert [fault.path for fault in caught.value.faults] == ["fit.x[1]", "fit.y"]
    assert caught.value.positions == [(1,)]


def test_places_in_messages_move_too_where_that_is_asked() -> None:
    def move(text: str) -> str:
        return text.replace("input.", "")

    with (
        pytest.raises(ShapeError, match=r"^x has 2 axes$") as caught,
        relocated(move, in_message=True),
    ):
        raise ShapeError("input.x has 2 axes", path="input.x")
    assert caught.value.faults == (Fault("x", "x has 2 axes"),)


def test_an_error_without_a_place_gets_one_and_another_keeps_its_own() -> None:
    for path, expected in (("", "fit"), ("fit.x", "fit.x")):
        with pytest.raises(FitError) as caught, located("fit"):
            raise FitError("all rows are equal", path=path)
        assert caught.value.path == expected
        assert caught.value.faults == (Fault(expected, "all rows are equal"),)
