"""Windows in every layout, ragged ones too."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import WindowZScore, errors
from tests.unit.series.windows.window_z_score.samples import NAN, PAIR

LAYOUTS = {
    "NTC": (PAIR, (2, 1, 2)),
    "NCT": (PAIR.transpose(0, 2, 1), (2, 2, 1)),
    "NT": (PAIR[:, :, 0], (2, 1)),
    "TC": (PAIR[0], (1, 2)),
    "T": (PAIR[0, :, 0], (1,)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("as_list", [False, True])
def test_answers_and_inverses_come_in_the_layout_of_the_request(layout: str, as_list: bool) -> None:
    x, shape = LAYOUTS[layout]
    method = WindowZScore()
    answer = method.apply_to(x=x.tolist() if as_list else x, layout=layout)
    assert answer["y"].shape == x.shape
    assert answer["loc"].shape == answer["scale"].shape == shape
    located = {"loc": answer["loc"], "scale": answer["scale"]}
    back = method.inverse_transform(answer["y"], **located, layout=layout)
    assert back == pytest.approx(x, rel=1e-14)
    time = layout.index("T")
    timeless = {name: np.squeeze(numbers, axis=time) for name, numbers in located.items()}
    back = method.inverse_transform(answer["y"], **timeless, layout=layout)
    assert back == pytest.approx(x, rel=1e-14)


def test_layouts_that_cannot_be_told_are_refused() -> None:
    with pytest.raises(errors.ShapeError, match=r"options\.layout NT or TC"):
        WindowZScore().transform(PAIR[0])
    with pytest.raises(errors.ShapeError):
        WindowZScore().transform(PAIR, layout="NT")
    with pytest.raises(errors.ShapeError):
        WindowZScore().transform(5.0)
    with pytest.raises(errors.InvalidParams):
        WindowZScore().transform(PAIR, layout="CTN")


def test_flags_name_window_and_channel_in_every_layout() -> None:
    x = np.array([[[1.0, 2.0], [3.0, 2.0]], [[4.0, NAN], [4.0, NAN]]])
    flags = {"constant": [[0, 1], [1, 0]], "empty": [[1, 1]], "missing": [[1, 1]]}
    for layout, axes in (("NTC", (0, 1, 2)), ("NCT", (0, 2, 1))):
        answer = WindowZScore().apply_to(x=x.transpose(axes), layout=layout)
        assert {name: where.tolist() for name, where in answer.flags.items()} == flags


@pytest.mark.parametrize(
    "fields",
    [
        {"x": [1.0, 3.0, 5.0, 5.0], "offsets": [0, 2, 2, 4]},
        {"x": [1.0, 3.0, 5.0, 5.0], "lengths": [2, 0, 2], "layout": "ragged"},
        {"x": [[1.0, 3.0], [], [5.0, 5.0]], "layout": "ragged"},
    ],
)
def test_ragged_series(fields: dict[str, object]) -> None:
    answer = WindowZScore().apply_to(**fields)
    parts = [part.tolist() for part in answer["y"]]
    assert parts == [[-1.0, 1.0], [], [0.0, 0.0]]
    assert answer["loc"].tolist() == [2.0, 0.0, 5.0]
    assert answer["scale"].tolist() == [1.0, 1.0, 1.0]
    assert answer.flags["empty"].tolist() == [[1, 0]]
    assert answer.flags["constant"].tolist() == [[2, 0]]


def test_ragged_series_come_back() -> None:
    method = WindowZScore()
    answer = method.apply_to(x=[1.0, 3.0, NAN, 5.0, 6.0], offsets=[0, 3, 5], mask=[1, 1, 1, 1, 1])
    assert answer.flags["missing"].tolist() == [[0, 0]]
    forecast = method.inverse_transform(
        [0.0, 1.0, -1.0], offsets=[0, 1, 3], loc=answer["loc"], scale=answer["scale"]
    )
    assert forecast.values.tolist() == [2.0, 6.0, 5.0]
    same = method.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    assert same.values.tolist() == pytest.approx([1.0, 3.0, NAN, 5.0, 6.0], nan_ok=True)
    with pytest.raises(errors.ShapeError, match=r"1 for n, but .y. has 2"):
        method.inverse_transform([0.0, 1.0], offsets=[0, 1, 2], loc=[1.0], scale=[1.0])
