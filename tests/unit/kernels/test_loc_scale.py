import numpy as np
import pytest

from normalizers.errors import InvalidParams
from normalizers.kernels.epsilon import effective_scale
from normalizers.kernels.loc_scale import degenerate, restore, standardize, without_spread


@pytest.mark.parametrize(
    "mode, expected",
    [
        ("none", [0.0, 0.1, 3.0]),
        ("add_var", [0.5, np.sqrt(0.26), np.sqrt(9.25)]),
        ("add_std", [0.25, 0.35, 3.25]),
        ("floor", [0.25, 0.25, 3.0]),
        ("zero_to_one", [1.0, 0.1, 3.0]),
        ("zero_to_eps", [0.25, 0.1, 3.0]),
        ("zero_to_one_then_add", [1.25, 0.35, 3.25]),
        ("below_to_one", [1.0, 1.0, 3.0]),
    ],
)
def test_effective_scale(mode, expected):
    scale = effective_scale(np.array([0.0, 0.1, 3.0]), 0.25, mode)
    np.testing.assert_allclose(scale, expected, rtol=1e-15)


def test_an_unknown_mode_is_refused():
    with pytest.raises(InvalidParams, match="did you mean 'add_std'"):
        effective_scale(np.array([1.0]), 1.0, "add_sd")


def test_differences_do_not_overflow():
    x = np.array([1.7e308, 0.0, -1.7e308, np.nan])
    y = standardize(x, -1.7e308, 1.7e308)
    np.testing.assert_array_equal(y, [2.0, 1.0, 0.0, np.nan])
    np.testing.assert_array_equal(restore(y, -1.7e308, 1.7e308), x)


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e300])
def test_the_way_back(size):
    x = np.array([1.0, 2.5, -4.0]) * size
    back = restore(standardize(x, 0.5 * size, 2.0 * size), 0.5 * size, 2.0 * size)
    np.testing.assert_allclose(back, x, rtol=1e-15)


def test_an_overflow_elsewhere_changes_no_bit():
    x = np.array([0.1, 0.7])
    with_overflow = standardize(np.append(x, 1.7e308), np.array([0.3, 0.3, -1.7e308]), 2.7)
    assert with_overflow[:2].tolist() == standardize(x, 0.3, 2.7).tolist()


def test_only_a_result_beyond_the_largest_float_is_infinite():
    assert standardize(np.array([1e300]), 0.0, 1e-300).tolist() == [np.inf]
    assert restore(np.array([1e300]), 0.0, 1e300).tolist() == [np.inf]


RULES = [
    ("scale_one", 0.0, 3.0, np.nan),
    ("keep", 3.0, 0.0, np.nan),
    ("zero", 0.0, 3.0, 0.0),
    ("half", 0.5, 3.0, 0.5),
    ("value", 7.0, 3.0, 7.0),
]


@pytest.mark.parametrize("rule, answer, loc, fixed", RULES)
def test_sets_without_spread_follow_one_rule(rule, answer, loc, fixed):
    scales = degenerate(np.array([3.0, 3.0]), np.array([0.0, 2.0]), on_constant=rule, value=7.0)
    np.testing.assert_array_equal(scales.loc, [loc, 3.0])
    np.testing.assert_array_equal(scales.scale, [1.0, 2.0])
    np.testing.assert_array_equal(scales.fixed, [fixed, np.nan])
    np.testing.assert_array_equal(scales.apply(np.array([3.0, 5.0])), [answer, 1.0])
    np.testing.assert_array_equal(scales.undo(np.array([answer, 1.0])), [3.0, 5.0])
    alike = np.array([3.0])
    assert without_spread(alike, alike - 3.0, rule, 7.0).tolist() == [answer]


@pytest.mark.parametrize("rule, answer, loc, fixed", RULES)
def test_a_plain_location_leads_a_fixed_answer_back(rule, answer, loc, fixed):
    scales = degenerate(np.array([3.0]), np.array([0.0]), on_constant=rule, value=7.0).plain()
    assert scales.apply(np.array([3.0])).tolist() == [answer]
    assert restore(np.array([answer]), scales.loc, scales.scale).tolist() == [3.0]


def test_too_few_values_have_a_rule_of_their_own():
    few = np.array([True, True, False])
    loc, scale = np.array([3.0, np.nan, 3.0]), np.array([np.nan, np.nan, 0.0])
    scales = degenerate(loc, scale, few, on_few="identity", on_constant="half")
    np.testing.assert_array_equal(scales.loc, [0.0, 0.0, 3.0])
    np.testing.assert_array_equal(scales.fixed, [np.nan, np.nan, 0.5])


def test_what_was_not_observed_gets_no_fixed_answer():
    scales = degenerate(np.zeros(2), np.zeros(2), on_constant="half")
    np.testing.assert_array_equal(scales.apply(np.array([0.0, np.nan])), [0.5, np.nan])
    seen = np.array([True, False])
    np.testing.assert_array_equal(scales.apply(np.zeros(2), seen), [0.5, 0.0])
