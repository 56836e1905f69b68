"""Fields beside the main one, side outputs, and the way back."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from normalizers import GroupZScore, WindowZScore
from normalizers.contract.resolution import is_invertible
from normalizers.errors import InvalidInput, ShapeError, UnsupportedOperation
from tests.unit.pipeline.samples import ROWS, SCORES, array, pipeline


def test_groups_are_shared_by_name() -> None:
    chain = pipeline("group_z_score", "group_z_score")
    chain.fit([1.0, 2.0, 3.0, 5.0], groups=list("aabb"))
    first = GroupZScore().fit([1.0, 2.0, 3.0, 5.0], groups=list("aabb"))
    assert chain.transform([1.0, 9.0], groups=["a", "b"]).tolist() == pytest.approx(
        first.transform([1.0, 9.0], groups=["a", "b"]).tolist()
    )
    with pytest.raises(InvalidInput, match="the field 'groups' is missing") as caught:
        chain.transform([1.0, 9.0])
    assert caught.value.path == "input.groups"
    with pytest.raises(ShapeError, match="'groups' has 1 for"):
        chain.transform([1.0, 9.0], groups=["a"])


def test_a_mask_reaches_every_step() -> None:
    x = np.array([1.0, 2.0, 100.0, 4.0])
    mask = [1, 1, 0, 1]
    chain = pipeline("window_z_score", "window_z_score").apply_to(x, mask=mask)
    first = WindowZScore().apply_to(x, mask=mask)
    second = WindowZScore().apply_to(first["y"], mask=mask)
    np.testing.assert_allclose(array(chain["y"]), array(second["y"]))


@pytest.mark.parametrize(
    ("layout", "shape"),
    [("NTC", (2, 5, 3)), ("NCT", (2, 3, 5)), ("NT", (2, 5)), ("TC", (5, 3)), ("T", (5,))],
)
def test_side_outputs_stand_under_steps_and_are_taken_back(
    layout: str, shape: tuple[int, ...]
) -> None:
    x = np.random.default_rng(3).normal(size=shape)
    chain = pipeline("window_z_score", "window_z_score")
    answer = chain.apply_to(x, layout=layout)
    sides = answer.output["steps"]
    assert isinstance(sides, Mapping)
    assert {index: set(outputs) for index, outputs in sides.items()} == {
        "0": {"loc", "scale"},
        "1": {"loc", "scale"},
    }
    back = chain.inverse_transform(answer["y"], steps=sides, layout=layout)
    np.testing.assert_allclose(back, x, atol=1e-12)
    time = {"NTC": 1, "NCT": 2, "NT": 1, "TC": 0, "T": 0}[layout]
    forecast = np.take(array(answer["y"]), [0, 1], axis=time)
    shorter = chain.inverse_transform(forecast, steps=sides, layout=layout)
    np.testing.assert_allclose(shorter, np.take(x, [0, 1], axis=time), atol=1e-12)


def test_ragged_series_go_and_come_back() -> None:
    chain = pipeline("window_z_score", "window_z_score")
    answer = chain.apply_to([[1.0, 2.0, 4.0], [5.0, 7.0]], layout="ragged")
    back = chain.inverse_transform(answer["y"], steps=answer.output["steps"], layout="ragged")
    assert [part.tolist() for part in back] == [
        pytest.approx([1.0, 2.0, 4.0]),
        pytest.approx([5.0, 7.0]),
    ]


def test_lists_go_and_come_back() -> None:
    chain = pipeline("min_max", {"method": "min_max", "params": {"higher_is_better": False}})
    answer = chain.apply_to([SCORES, [2.0, 7.0]])
    back = chain.inverse_transform(answer["values"], steps=answer.output["steps"])
    assert [part.tolist() for part in back] == [pytest.approx(SCORES), pytest.approx([2.0, 7.0])]


@pytest.mark.parametrize(
    ("steps", "place", "what"),
    [
        (None, "input.steps", "step 1 is missing"),
        ({"0": {}}, "input.steps", "step 1 is missing"),
        ({"1": 3}, "input.steps", "step 1 is missing"),
        ({"1": {"loc": 0.0}}, "input.steps.1.scale", "'scale' is missing"),
        ({"1": {"loc": 0.0, "scale": 1.0, "x": 1}}, "input.steps.1.x", "unknown field 'x'"),
        ({"1": {"loc": "a", "scale": 1.0}}, "input.steps.1.loc", "not a string"),
        ({"1": {"loc": [[1.0, 2.0]], "scale": 1.0}}, "input.steps.1.scale", "'loc' has 2"),
        ({"7": {}}, "input.steps.7", "no such step; the last one is 1"),
        ([1], "input.steps", "an object is expected"),
    ],
)
def test_side_outputs_that_are_not_those_answered_are_refused(
    steps: object, place: str, what: str
) -> None:
    with pytest.raises(InvalidInput, match=what) as caught:
        pipeline("window_z_score", "window_z_score").inverse_transform([1.0, 2.0], steps=steps)
    assert caught.value.path == place


def test_a_pipeline_is_invertible_when_every_step_is() -> None:
    assert is_invertible(pipeline("min_max", "min_max"))
    blunt = pipeline("whitening", {"method": "whitening", "params": {"post": "l2"}}).fit(ROWS)
    assert not is_invertible(blunt)
    with pytest.raises(UnsupportedOperation, match="no inverse"):
        blunt.inverse_transform(ROWS)
