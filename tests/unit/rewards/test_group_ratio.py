"""Values in units of the mean of their cell."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import GroupRatio
from normalizers.errors import InvalidInput

X = [10.0, 0.0, 20.0, 2.0, 4.0, 0.0, 0.0]
CELLS = [["phys", "2019"]] * 3 + [["math", "2019"]] * 2 + [["math", "2020"]] * 2
BY = ["field", "year"]


def test_a_cell_of_mean_0_has_no_ratio() -> None:
    answer = GroupRatio(scope="request", group_by=BY).apply_to(X, groups=CELLS)
    np.testing.assert_allclose(answer.output["y"], [1, 0, 2, 2 / 3, 4 / 3, np.nan, np.nan])
    assert answer.flags["missing"].tolist() == [5, 6]
    np.testing.assert_allclose(answer.output["mean_ratio"], [1.0])
    with pytest.raises(InvalidInput) as refused:
        GroupRatio(scope="request", group_by=BY, zero_denominator="error").transform(
            X, groups=CELLS
        )
    assert refused.value.path == "input.groups[5]"


def test_cells_are_stored_and_merge_by_weighted_means() -> None:
    whole = GroupRatio(group_by=BY).fit(X, groups=CELLS)
    parts = [GroupRatio(group_by=BY).fit(X[a:b], groups=CELLS[a:b]) for a, b in ((0, 4), (4, 7))]
    np.testing.assert_allclose(parts[0].merge(parts[1]).fitted_["mean"], whole.fitted_["mean"])
    assert whole.transform([5.0], groups=[["phys", "2019"]]).tolist() == [0.5]
    assert whole.inverse_transform([0.5], groups=[["phys", "2019"]]).tolist() == [5.0]
    with pytest.raises(InvalidInput, match="unknown_group"):
        whole.transform([5.0], groups=[["bio", "2019"]])
    passed = GroupRatio(group_by=BY, unknown_group="pass").fit(X, groups=CELLS)
    assert passed.transform([5.0], groups=[["bio", "2019"]]).tolist() == [5.0]


def test_a_row_in_two_cells_has_the_weighted_mean_of_its_ratios() -> None:
    answer = GroupRatio(scope="request").apply_to(
        [6.0, 6.0, 2.0, 4.0],
        groups=["a", "b", "a", "b"],
        sample_weights=[0.5, 0.5, 1.0, 1.0],
        entries=["p", "p", "q", "r"],
    )
    a, b = (0.5 * 6 + 2) / 1.5, (0.5 * 6 + 4) / 1.5
    p = 0.5 * 6 / a + 0.5 * 6 / b
    np.testing.assert_allclose(answer.output["y"], [p, p, 2 / a, 4 / b])
    np.testing.assert_allclose(answer.output["mean_ratio"], [1.0])


def test_fits_take_weights() -> None:
    fitted = GroupRatio(weight_kind="reliability").fit(
        [6.0, 2.0], groups=["a", "a"], sample_weights=[1.0, 3.0]
    )
    assert fitted.fitted_["mean"].tolist() == [[3.0]]


def test_the_way_back_of_a_request_takes_what_divided() -> None:
    method = GroupRatio(scope="request")
    answer = method.apply_to([1.0, 3.0, None], groups=["a", "a", "a"])
    back = method.inverse_transform(answer.output["y"], scale=answer.output["scale"])
    np.testing.assert_allclose(back, [1.0, 3.0, np.nan])


def test_no_bit_depends_on_the_order_of_rows() -> None:
    random = np.random.default_rng(1)
    x, cells = random.lognormal(size=100), random.integers(0, 5, size=100)
    method, order = GroupRatio(scope="request"), random.permutation(100)
    whole = np.asarray(method.transform(x, groups=cells))
    np.testing.assert_array_equal(method.transform(x[order], groups=cells[order]), whole[order])
