"""Another method for each column: names and positions, order, the way back, merges, refusals."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import ColumnTransformer, Standardization
from normalizers.data.arrays import Array
from normalizers.errors import NonFiniteError, NormalizerError
from normalizers.versions import fitting
from normalizers.versions.version import Version
from tests.unit.pipeline.samples import array, through_a_file

NAMES = ["price", "load", "flag"]
LOG = {"columns": ["price"], "method": "log"}
SPREAD = {"columns": ["load"], "method": "standardization"}


def rows() -> Array:
    random = np.random.default_rng(0)
    price, load = np.exp(random.normal(size=50)), random.normal(5, 2, size=50)
    return np.column_stack([price, load, random.integers(0, 2, 50)])


def version(*steps: object, x: Array | None = None, **params: object) -> Version:
    method = ColumnTransformer(steps=list(steps), **params)
    return fitting.fit(method, {"x": rows() if x is None else x, "columns": NAMES})


def test_each_step_works_on_its_columns_and_the_rest_pass() -> None:
    x = rows()
    y = array(version(LOG, SPREAD).transform({"x": x}).output["y"])
    np.testing.assert_array_equal(y[:, 0], np.log(x[:, 0]))
    np.testing.assert_array_equal(y[:, 1:2], Standardization().fit(x[:, 1:2]).transform(x[:, 1:2]))
    np.testing.assert_array_equal(y[:, 2], x[:, 2])


def test_a_later_step_works_on_what_an_earlier_one_gave() -> None:
    both = {"columns": ["price", "load"], "method": "standardization"}
    y = array(version(LOG, both).transform({"x": rows()}).output["y"])
    np.testing.assert_allclose(y[:, :2].mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(y[:, :2].std(axis=0), 1)


def test_positions_stand_for_columns_without_names() -> None:
    steps = [{"columns": [0], "method": "log"}, {"columns": [1], "method": "standardization"}]
    by_place = ColumnTransformer(steps=steps).fit(rows()).transform(rows())
    by_name = version(LOG, SPREAD).transform({"x": rows()}).output["y"]
    np.testing.assert_array_equal(by_place, by_name)


def test_the_way_back_gives_the_table() -> None:
    x = rows()
    fit = version(LOG, {"columns": ["price", "load"], "method": "robust_scaling"})
    back = fit.inverse({"y": array(fit.transform({"x": x}).output["y"])}).output["x"]
    np.testing.assert_allclose(array(back), x, rtol=1e-12)


def test_a_file_keeps_the_columns() -> None:
    fit = version(LOG, SPREAD)
    again = through_a_file(fit)
    assert again.columns == tuple(NAMES)
    assert again.explicit_params["steps"] == fit.explicit_params["steps"]
    np.testing.assert_array_equal(
        array(again.transform({"x": rows()}).output["y"]),
        array(fit.transform({"x": rows()}).output["y"]),
    )


def test_fits_of_columns_side_by_side_merge() -> None:
    x = rows()
    two = [LOG, SPREAD, {"columns": ["flag"], "method": "channel_max_abs"}]
    parts = [version(*two, x=x[:20]), version(*two, x=x[20:])]
    merged = fitting.merge(ColumnTransformer(steps=two), parts)
    np.testing.assert_allclose(
        array(merged.transform({"x": x}).output["y"]),
        array(version(*two).transform({"x": x}).output["y"]),
        rtol=1e-12,
        atol=1e-12,
    )


def test_a_fit_on_what_another_fit_gave_does_not_merge() -> None:
    two = [SPREAD, {"columns": ["load"], "method": "channel_max_abs"}]
    with pytest.raises(NormalizerError, match="does not merge"):
        fitting.merge(ColumnTransformer(steps=two), [version(*two), version(*two)])


def test_a_missing_value_is_told_by_its_place_in_the_table() -> None:
    x = rows()
    x[3, 1] = np.nan
    with pytest.raises(NonFiniteError, match=r"input\.x\[3\]\[1\]"):
        version(LOG, SPREAD).transform({"x": x})


def test_a_missing_value_in_a_column_of_no_step_passes_with_a_flag() -> None:
    x = rows()
    x[4, 2] = np.nan
    answer = version(LOG, SPREAD, nan_policy="propagate").transform({"x": x})
    assert answer.flags["missing"].tolist() == [4]


def test_what_a_step_flags_of_columns_names_those_of_the_table() -> None:
    x = rows()
    x[:, 1] = 7.0
    answer = version(LOG, SPREAD, x=x).transform({"x": x})
    assert answer.flags["steps.1.constant"].tolist() == [1]


def test_columns_of_no_step_are_refused_where_that_is_asked() -> None:
    with pytest.raises(NormalizerError, match="columns of no step: 'flag'"):
        version(LOG, SPREAD, remainder="error")


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([], "a list of"),
        (["log"], "a list of"),
        ([{"columns": [], "method": "log"}], "names, or positions from 0"),
        ([{"columns": [True], "method": "log"}], "a name or a position"),
        ([{"columns": ["a", "a"], "method": "log"}], "twice"),
        ([{"columns": ["a"], "method": "nothing_like_it"}], "unknown method"),
        ([{"columns": ["a"], "method": "window_z_score"}], "no step of columns"),
        ([{"columns": ["a"], "method": "min_max"}], "no step of columns"),
        ([{"columns": ["a"], "method": "pipeline", "params": {"steps": ["log"]}}], "itself"),
        ([{"columns": ["lod"], "method": "standardization"}], "did you mean 'load'"),
        ([{"columns": [7], "method": "standardization"}], "there is no column 7"),
    ],
)
def test_steps_that_cannot_be_are_refused(steps: list[object], told: str) -> None:
    with pytest.raises(NormalizerError, match=told):
        version(*steps)


def test_names_need_columns_with_names() -> None:
    with pytest.raises(NormalizerError, match="send 'columns'"):
        ColumnTransformer(steps=[SPREAD]).fit(rows())


@pytest.mark.parametrize("x", [[[1.0, 2.0]], [[1.0, 2.0, 0.0, 3.0]], [[]]])
def test_a_table_of_another_width_is_refused(x: list[list[float]]) -> None:
    with pytest.raises(NormalizerError, match="the columns are price, load, flag"):
        version(LOG, SPREAD).transform({"x": x})


def test_no_rows_give_no_rows() -> None:
    fit = version(LOG, SPREAD)
    assert array(fit.transform({"x": []}).output["y"]).shape[0] == 0
    assert array(fit.inverse({"y": []}).output["x"]).shape[0] == 0


def test_a_step_of_both_columns_makes_the_one_follow_from_the_other() -> None:
    both = {"columns": ["load", "flag"], "method": "squash"}
    steps = [SPREAD, both, {"columns": ["flag"], "method": "channel_max_abs"}]
    with pytest.raises(NormalizerError, match="does not merge"):
        fitting.merge(ColumnTransformer(steps=steps), [version(*steps), version(*steps)])
