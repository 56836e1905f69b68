"""Posted statistics of which one contradicts another, and those that only look so."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from normalizers import GroupZScore, Pipeline
from normalizers.errors import InvalidInput
from normalizers.versions import fitting

SCORES = st.one_of(st.none(), st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-100))
ROWS = st.lists(
    st.tuples(SCORES, st.sampled_from("abc"), st.one_of(st.none(), st.sampled_from([1.0, 2.0]))),
    min_size=1,
    max_size=20,
)
SHARED = {"keys": ["a", "b"], "n": 2}
MOMENTS = {**SHARED, "mean": [0.1, 1.0], "m2": [0.0, 0.5]}


@given(rows=ROWS, anchors=st.sampled_from(["scores", "level_means"]))
def test_statistics_of_rows_never_contradict_each_other(
    rows: list[tuple[float | None, str, float | None]], anchors: str
) -> None:
    scores, groups, levels = zip(*rows, strict=True)
    method = GroupZScore(anchors=anchors).validated()
    values = {"x": [list(scores)[i : i + 1] for i in range(len(rows))], "groups": list(groups)}
    if anchors == "level_means":
        values["qualities"] = [np.nan if level is None else level for level in levels]
    batch = fitting.read_fit(method, values)
    statistics = fitting.partial(method, batch, {})
    members = statistics.to_arrays()
    if all(members.values()):
        fitting.read_statistics(method, members)


def test_what_printing_and_float32_leave_is_no_contradiction() -> None:
    end = float(np.float32(0.1))
    extrema = {**SHARED, "min": [end, 0.5], "max": [end, 1.4999999]}
    fitting.read_statistics(GroupZScore(), {"moments": MOMENTS, "extrema": extrema})


def test_a_range_is_not_needed() -> None:
    fitting.read_statistics(GroupZScore(), {"moments": MOMENTS})
    fitting.read_statistics(GroupZScore(), {"moments": MOMENTS, "extrema": {}})


def test_one_ddof_and_one_n_hold_for_every_group() -> None:
    posted = {"keys": ["a", "b"], "n": 3, "mean": [1.0, 2.0], "std": [1.0, 2.0], "ddof": 1}
    version = fitting.from_statistics(GroupZScore(), {"moments": posted})
    assert version.fitted["scale"].tolist() == [[1.0], [2.0]]


def test_a_level_may_lack_rows_of_the_range_but_never_have_more() -> None:
    moments = {
        "group_by": ["group", "level"],
        "keys": [["a", "1"], ["a", "2"]],
        "n": [2, 2],
        "mean": [1.0, 2.0],
        "m2": [0.0, 0.0],
    }
    levels = GroupZScore(anchors="level_means")
    for n, refused in ((4, False), (9, False), (3, True)):
        extrema = {"keys": ["a"], "n": [n], "min": [1.0], "max": [2.0]}
        posted = {"moments": moments, "extrema": extrema}
        if refused:
            with pytest.raises(InvalidInput, match="n of 'a' is another"):
                fitting.read_statistics(levels, posted)
        else:
            fitting.read_statistics(levels, posted)


def test_the_statistics_of_a_step_are_checked() -> None:
    extrema = {**SHARED, "min": [5.0, 0.0], "max": [6.0, 2.0]}
    steps = [{"moments": MOMENTS, "extrema": extrema}]
    with pytest.raises(InvalidInput, match="outside its range") as caught:
        fitting.read_statistics(Pipeline(steps=["group_z_score"]).validated(), {"steps": steps})
    assert caught.value.path == "statistics.steps[0].moments"


@pytest.mark.parametrize(
    ("mean", "m2", "path"), [(2.5, 0.0, "m2"), (2.5, 4.4, "m2"), (1.5, 5.0, "mean")]
)
def test_r46_both_ends_are_of_the_rows_of_a_group(mean: float, m2: float, path: str) -> None:
    moments = {"keys": ["a"], "n": [4], "mean": [mean], "m2": [m2]}
    extrema = {"keys": ["a"], "n": [4], "min": [1.0], "max": [4.0]}
    with pytest.raises(InvalidInput, match="both ends are of its rows") as caught:
        fitting.read_statistics(GroupZScore(), {"moments": moments, "extrema": extrema})
    assert (caught.value.path or "").startswith(f"statistics.moments.{path}")
    possible = {**moments, "mean": [2.5], "m2": [4.5]}
    fitting.read_statistics(GroupZScore(), {"moments": possible, "extrema": extrema})
