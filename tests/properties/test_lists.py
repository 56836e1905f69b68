"""Laws of list normalizers: direction, scale and shift, ranks, shards, the way back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from normalizers import MinMax, Percentile
from tests.properties.samples import EXAMPLES, FACTORS, GRID, POWERS, SCORES, SHIFTS, same_bits

METHODS = pytest.mark.parametrize("cls", [MinMax, Percentile])
DIRECTIONS = st.booleans()
SAMPLE = st.lists(GRID, min_size=2, max_size=40)
KINDS = st.sampled_from(["strict", "weak", "mean", "rank"])
BOUND = 1e-12


@METHODS
@EXAMPLES
@given(scores=SCORES, power=POWERS, factor=FACTORS, up=DIRECTIONS)
def test_scaling_changes_nothing(cls, scores, power, factor, up) -> None:
    method = cls(higher_is_better=up)
    expected = method.transform(scores)
    assert same_bits(method.transform(np.array(scores) * power), expected)
    np.testing.assert_allclose(method.transform(np.array(scores) * factor), expected, atol=BOUND)


@METHODS
@EXAMPLES
@given(scores=SCORES, shift=SHIFTS, up=DIRECTIONS)
def test_shifting_changes_nothing(cls, scores, shift, up) -> None:
    method = cls(higher_is_better=up)
    assert same_bits(method.transform(np.array(scores) + shift), method.transform(scores))


@METHODS
@EXAMPLES
@given(scores=SCORES)
def test_lower_is_better_is_the_negated_list(cls, scores) -> None:
    mirrored = cls(higher_is_better=False).transform(scores)
    assert same_bits(mirrored, cls().transform(-np.array(scores)))


@METHODS
@EXAMPLES
@given(sample=SAMPLE, scores=SCORES, up=DIRECTIONS)
def test_fitted_values_are_monotone_and_bounded(cls, sample, scores, up) -> None:
    assume(max(sample) > min(sample))
    values = cls(higher_is_better=up).fit(sample).transform(sorted(scores))
    steps = np.diff(values)
    assert (steps >= 0).all() if up else (steps <= 0).all()
    assert ((values >= 0) & (values <= 1)).all()
    assert (steps[np.diff(sorted(scores)) == 0] == 0).all()


@METHODS
@EXAMPLES
@given(sample=SAMPLE, up=DIRECTIONS)
def test_scores_of_the_sample_come_back(cls, sample, up) -> None:
    method = cls(higher_is_better=up).fit(sample)
    back = method.inverse_transform(method.transform(sample))
    np.testing.assert_allclose(back, sample, rtol=BOUND, atol=1e-9)


@METHODS
@EXAMPLES
@given(sample=SAMPLE, scores=SCORES, cut=st.integers(0, 40))
def test_shards_give_the_same_bits(cls, sample, scores, cut) -> None:
    parts = [part for part in (sample[:cut], sample[cut:]) if part]
    sharded = cls(scope="fitted")
    for part in parts[::-1]:
        sharded.partial_fit(part)
    assert same_bits(sharded.transform(scores), cls().fit(sample).transform(scores))


@EXAMPLES
@given(scores=SCORES, kind=KINDS)
def test_a_strictly_increasing_map_changes_no_percentile(scores, kind) -> None:
    method = Percentile(kind=kind)
    mapped = np.cbrt(scores) + np.array(scores)
    assert same_bits(method.transform(mapped), method.transform(scores))


@EXAMPLES
@given(scores=SCORES)
def test_kinds_of_percentile_are_ordered(scores) -> None:
    strict, mean, weak = (
        Percentile(kind=kind).transform(scores) for kind in ("strict", "mean", "weak")
    )
    assert (strict <= mean).all()
    assert (mean <= weak).all()
    np.testing.assert_allclose(mean, (strict + weak) / 2, atol=BOUND)


@EXAMPLES
@given(scores=SCORES, power=POWERS, shift=SHIFTS)
def test_min_max_ends_move_with_the_scores(scores, power, shift) -> None:
    answer = MinMax().apply_to(scores=scores)
    scaled = MinMax().apply_to(scores=np.array(scores) * power)
    shifted = MinMax().apply_to(scores=np.array(scores) + shift)
    assert same_bits(scaled["loc"], np.asarray(answer["loc"]) * power)
    assert same_bits(scaled["scale"], np.asarray(answer["scale"]) * power)
    assert same_bits(shifted["loc"], np.asarray(answer["loc"]) + shift)
    assert same_bits(shifted["scale"], answer["scale"])


@EXAMPLES
@given(scores=SCORES)
def test_min_max_of_its_own_values_keeps_them(scores) -> None:
    assume(max(scores) > min(scores))
    values = MinMax().transform(scores)
    assert same_bits(MinMax().transform(values), values)
