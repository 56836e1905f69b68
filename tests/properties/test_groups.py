"""Laws of group normalizers: labels are names only, groups are apart, columns are apart."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from normalizers import GroupZScore
from tests.properties.samples import EXAMPLES, SEEDS, SHIFTS, same_bits

LABELS = ("de", "fr", "it", "sw")
NAMES = st.lists(st.text(min_size=1, max_size=4), min_size=4, max_size=4, unique=True)
POWERS = st.sampled_from([2.0**-40, 0.5, 2.0, 2.0**40])
ROWS, COLUMNS = 32, 2
BOUND = 1e-9


def sample(seed):
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=(ROWS, COLUMNS)) * 64) / 8
    x[:8, 0] += np.arange(8)  # no column of a group is constant
    x[:8, 1] -= np.arange(8)
    return x, [LABELS[index % len(LABELS)] for index in range(ROWS)]


@EXAMPLES
@given(seed=SEEDS, names=NAMES)
def test_labels_are_names_only(seed, names) -> None:
    x, groups = sample(seed)
    renamed = [names[LABELS.index(group)] for group in groups]
    expected = GroupZScore().fit(x, groups=groups).transform(x, groups=groups)
    found = GroupZScore().fit(x, groups=renamed).transform(x, groups=renamed)
    assert same_bits(found, expected)


@EXAMPLES
@given(seed=SEEDS, group=st.sampled_from(LABELS))
def test_a_group_is_as_if_alone(seed, group) -> None:
    x, groups = sample(seed)
    own = np.array(groups) == group
    alone = GroupZScore().fit(x[own], groups=[group] * own.sum())
    together = GroupZScore().fit(x, groups=groups)
    expected = together.transform(x, groups=groups)[own]
    assert same_bits(alone.transform(x[own], groups=[group] * own.sum()), expected)


@EXAMPLES
@given(seed=SEEDS, power=POWERS, shift=SHIFTS, group=st.sampled_from(LABELS))
def test_unit_and_origin_of_a_group_do_not_matter(seed, power, shift, group) -> None:
    x, groups = sample(seed)
    own = np.array(groups) == group
    moved = np.where(own[:, None], x * power + shift * power, x)
    expected = GroupZScore().fit(x, groups=groups).transform(x, groups=groups)
    found = GroupZScore().fit(moved, groups=groups).transform(moved, groups=groups)
    np.testing.assert_allclose(found, expected, atol=BOUND)


@EXAMPLES
@given(seed=SEEDS)
def test_a_column_is_as_if_alone(seed) -> None:
    x, groups = sample(seed)
    expected = GroupZScore().fit(x, groups=groups).transform(x, groups=groups)
    for column in range(COLUMNS):
        alone = GroupZScore().fit(x[:, column], groups=groups)
        assert same_bits(alone.transform(x[:, column], groups=groups), expected[:, column])


@EXAMPLES
@given(seed=SEEDS, ddof=st.sampled_from([0, 1]))
def test_anchors_have_mean_zero_and_deviation_one(seed, ddof) -> None:
    x, groups = sample(seed)
    y = GroupZScore(ddof=ddof).fit(x, groups=groups).transform(x, groups=groups)
    for group in LABELS:
        own = y[np.array(groups) == group]
        np.testing.assert_allclose(own.mean(axis=0), 0, atol=BOUND)
        np.testing.assert_allclose(own.std(axis=0, ddof=ddof), 1, atol=BOUND)


@EXAMPLES
@given(seed=SEEDS)
def test_two_keys_are_one_joined_key(seed) -> None:
    x, groups = sample(seed)
    years = [str(2000 + index // 4 % 2) for index in range(ROWS)]
    pairs = [list(pair) for pair in zip(groups, years, strict=True)]
    joined = [f"{group}/{year}" for group, year in pairs]
    two = GroupZScore(group_by=["language", "year"]).fit(x, groups=pairs)
    one = GroupZScore().fit(x, groups=joined)
    assert same_bits(two.transform(x, groups=pairs), one.transform(x, groups=joined))


@EXAMPLES
@given(seed=SEEDS)
def test_rows_come_back(seed) -> None:
    x, groups = sample(seed)
    method = GroupZScore().fit(x, groups=groups)
    back = method.inverse_transform(method.transform(x, groups=groups), groups=groups)
    np.testing.assert_allclose(back, x, atol=BOUND)
