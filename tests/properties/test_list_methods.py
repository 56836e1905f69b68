"""Laws of every list normalizer: units, offsets, direction, order, neighbours, the way back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.normalizer import Normalizer
from tests.effort import examples
from tests.properties.samples import EXAMPLES as MORE
from tests.properties.samples import FACTORS, GRID, POWERS, SCORES, SHIFTS, same_bits

SHIFT_FREE = (
    "min_max", "banded_min_max", "sum", "z_score", "dbsf", "z_sigmoid", "normal_cdf", "rank",
    "reciprocal_rank", "percentile", "boltzmann",
)  # fmt: skip
SCALE_FREE = (*SHIFT_FREE, "l2", "max", "gamma_cdf")
BY_ORDER = ("rank", "reciprocal_rank", "percentile", "boltzmann")
FIXED_MAPS = ("identity", "sigmoid", "positive_map")
EVERY = (*SCALE_FREE, *FIXED_MAPS, "tmm")
MIRRORED = tuple(name for name in EVERY if name not in ("gamma_cdf", "max", "tmm"))
FITTED = ("min_max", "z_score", "dbsf", "z_sigmoid", "normal_cdf", "gamma_cdf", "max", "tmm",
          "percentile", "boltzmann")  # fmt: skip
WAYS_BACK = (
    "min_max", "banded_min_max", "sum", "z_score", "dbsf", "z_sigmoid", "normal_cdf", "l2", "max",
    "gamma_cdf", "identity", "sigmoid",
)  # fmt: skip
REQUIRED = {"tmm": {"theoretical_min": -1001.0}}
POSITIVE = ("max", "gamma_cdf")
BOUND = 1e-12
FEW = settings(MORE, max_examples=examples(12))
DIRECTIONS = st.booleans()
POSITIVES = st.lists(st.integers(1, 8000).map(lambda number: number / 8), min_size=1, max_size=12)


def made(name: str, **params: object) -> Normalizer:
    return CATALOGUE.create(name, {**REQUIRED.get(name, {}), **params})


def suited(name: str, scores: list[float]) -> list[float]:
    """Return scores that the method takes: some are for positive ones only."""
    return [abs(score) + 1.0 for score in scores] if name in POSITIVE else scores


def up_only(name: str, up: bool) -> bool:
    """Return a direction that the method takes."""
    return up or name in ("max", "tmm")


@pytest.mark.parametrize("name", SCALE_FREE)
@FEW
@given(scores=SCORES, power=POWERS, factor=FACTORS, up=DIRECTIONS)
def test_the_unit_of_scores_changes_nothing(name, scores, power, factor, up) -> None:
    method = made(name, higher_is_better=up_only(name, up))
    sent = np.array(suited(name, scores))
    expected = method.transform(sent)
    np.testing.assert_allclose(method.transform(sent * factor), expected, rtol=1e-9, atol=BOUND)
    if name != "gamma_cdf":  # its logarithms round
        assert same_bits(method.transform(sent * power), expected)


@pytest.mark.parametrize("name", SHIFT_FREE)
@FEW
@given(scores=SCORES, shift=SHIFTS, up=DIRECTIONS)
def test_an_offset_of_all_scores_changes_nothing(name, scores, shift, up) -> None:
    method = made(name, higher_is_better=up)
    for offset in (shift, 2.0**48):
        assert same_bits(method.transform(np.array(scores) + offset), method.transform(scores))


@pytest.mark.parametrize("name", MIRRORED)
@FEW
@given(scores=SCORES)
def test_lower_is_better_is_the_negated_list(name, scores) -> None:
    mirrored = made(name, higher_is_better=False).transform(scores)
    assert same_bits(mirrored, made(name).transform(-np.array(scores)))


@pytest.mark.parametrize("name", EVERY)
@FEW
@given(scores=SCORES, up=DIRECTIONS)
def test_a_better_score_never_gets_less(name, scores, up) -> None:
    up = up_only(name, up)
    ordered = sorted(suited(name, scores))
    values = made(name, higher_is_better=up).transform(ordered)
    steps = np.diff(values) if up else -np.diff(values)
    assert (steps[np.diff(ordered) > 0] >= 0).all()
    assert np.isfinite(values).all()


@pytest.mark.parametrize("name", FITTED)
@FEW
@given(sample=POSITIVES, scores=POSITIVES, up=DIRECTIONS)
def test_a_better_score_never_gets_less_against_a_sample(name, sample, scores, up) -> None:
    up = up_only(name, up)
    ordered = sorted(scores)
    values = made(name, higher_is_better=up).fit(sample).transform(ordered)
    steps = np.diff(values) if up else -np.diff(values)
    assert (steps >= -BOUND).all()
    assert (steps[np.diff(ordered) == 0] == 0).all()


@pytest.mark.parametrize("name", EVERY)
@FEW
@given(lists=st.lists(SCORES, min_size=2, max_size=5), up=DIRECTIONS)
def test_the_bits_of_a_list_do_not_depend_on_its_neighbours(name, lists, up) -> None:
    sent = [suited(name, scores) for scores in lists]
    method = made(name, higher_is_better=up_only(name, up))
    for alone, beside in zip(sent, method.transform([*sent, []]), strict=False):
        assert same_bits(method.transform(alone), beside)


@pytest.mark.parametrize("name", BY_ORDER)
@FEW
@given(scores=SCORES, up=DIRECTIONS)
def test_only_the_order_of_scores_counts(name, scores, up) -> None:
    method = made(name, higher_is_better=up)
    mapped = np.cbrt(scores) + np.array(scores)
    assert same_bits(method.transform(mapped), method.transform(scores))


@pytest.mark.parametrize("name", WAYS_BACK)
@FEW
@given(scores=SCORES, up=DIRECTIONS)
def test_scores_come_back(name, scores, up) -> None:
    sent = suited(name, [score / 100 for score in scores])
    method = made(name, higher_is_better=up_only(name, up))
    answer = method.apply_to(scores=sent)
    names = [
        field for field in method.version_.resolved_method.inverse_takes if field in answer.output
    ]
    back = method.inverse_transform(**{field: answer.output[field] for field in names})
    kept = np.ones(len(sent), dtype=bool)
    undone = method.version_.inverse({field: answer.output[field] for field in names})
    for _, position in np.atleast_2d(undone.flags.get("clipped", np.empty((0, 2), dtype=int))):
        kept[position] = False
    np.testing.assert_allclose(back[kept], np.array(sent)[kept], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", SCALE_FREE)
@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e300])
def test_no_size_is_too_large_or_too_small(name, size) -> None:
    scores = np.array(suited(name, [0.25, 1.0, -1.0]))
    plain, scaled = (made(name).transform(sent) for sent in (scores, scores * size))
    np.testing.assert_allclose(scaled, plain, rtol=BOUND, atol=BOUND)


@pytest.mark.parametrize("name", SHIFT_FREE)
def test_an_offset_of_1e15_costs_no_digits(name) -> None:
    shifted = made(name).transform([1e15, 1e15 + 0.25, 1e15 + 1.0])
    assert same_bits(shifted, made(name).transform([0.0, 0.25, 1.0]))


@FEW
@given(scores=SCORES, k=st.sampled_from([-0.5, 0.0, 1.0, 60.0]))
def test_the_band_is_that_of_reciprocal_ranks(scores, k) -> None:
    assume(max(scores) > min(scores))
    banded = made("banded_min_max", k=k).transform(scores)
    ranks = made("reciprocal_rank", k=k).transform(scores)
    np.testing.assert_allclose(banded.min(), ranks.min() / ranks.max(), rtol=BOUND)
    assert banded.max() == 1.0


@FEW
@given(scores=SCORES)
def test_shares_of_a_sum_add_up_to_one(scores) -> None:
    assume(max(scores) > min(scores))
    np.testing.assert_allclose(made("sum").transform(scores).sum(), 1.0)


@FEW
@given(columns=st.lists(st.lists(GRID, min_size=3, max_size=3), min_size=2, max_size=20))
def test_columns_of_a_quantile_transform_are_lists_of_their_own(columns) -> None:
    rows = np.array(columns)
    together = CATALOGUE.create("quantile_transform", {"n_quantiles": 5}).fit(rows).transform(rows)
    for index, column in enumerate(rows.T):
        alone = CATALOGUE.create("quantile_transform", {"n_quantiles": 5}).fit(scores=column)
        assert same_bits(alone.transform(scores=column), together[:, index])
