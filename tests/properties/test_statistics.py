"""The laws of every statistic: identity, order, split, storage, removal."""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from normalizers.data.arrays import string_array
from normalizers.data.ragged import Ragged
from normalizers.kernels.segments import centred_moments
from normalizers.kernels.windows import carried, rolling
from normalizers.statistics import (
    Counts,
    Extrema,
    Grouped,
    ItemQuantiles,
    Knots,
    LogSumExp,
    Moments,
    Quantiles,
    Sample,
    Scatter,
    TopK,
    Trials,
)
from tests.effort import is_deep

# Every kind of statistic has these laws.
FEW_EXAMPLES = settings(max_examples=200 if is_deep() else 20)
COLUMNS = 2
MOST_ROWS = 6
BOUND = 1e-12  # of the largest entry, for a mean of at most 1e3 standard deviations

numbers = st.floats(-1e3, 1e3).map(lambda value: round(value, 6))
gappy = st.one_of(numbers, st.just(np.nan))


def rows_of(elements):
    shape = st.tuples(st.integers(0, MOST_ROWS), st.just(COLUMNS))
    return arrays(np.float64, shape, elements=elements)


def labels_of(rows):
    return string_array([f"g{int(np.nan_to_num(abs(row[0]))) % 3}" for row in rows])


def labelled(rows):
    return Grouped(Moments()).update(labels_of(rows), rows) if len(rows) else Grouped(Moments())


def knotted(rows):
    coarse = np.round(rows[:, 0], -2)
    return Knots().update(coarse, rows[:, 1], np.abs(np.round(rows[:, 1])))


def knotted_by_label(rows):
    empty = Grouped(Knots())
    full = rows[~np.isnan(rows).any(axis=1)]
    return empty.update(labels_of(full), full[:, 0], full[:, 1]) if len(full) else empty


def counted(rows):
    return Counts().update(np.round(rows[:, 0], -2))


def tried(rows):
    grid = np.arange(float(COLUMNS))[:, None]
    return Trials().started("map", "", ("k",), grid).update(np.abs(rows) / 1e3)


STATISTICS = {
    "moments": (gappy, lambda rows: Moments().update(rows), Moments()),
    "extrema": (gappy, lambda rows: Extrema().update(rows), Extrema()),
    "quantiles": (gappy, lambda rows: Quantiles().update(rows), Quantiles()),
    "scatter": (numbers, lambda rows: Scatter().update(rows), Scatter()),
    "log_sum_exp": (numbers, lambda rows: LogSumExp(beta=20.0).update(rows), LogSumExp(beta=20.0)),
    "top_k": (numbers, lambda rows: TopK(k=3).update(rows), TopK(k=3)),
    "item_quantiles": (numbers, lambda rows: ItemQuantiles().update(rows), ItemQuantiles()),
    "grouped": (gappy, labelled, Grouped(Moments())),
    "knots": (gappy, knotted, Knots()),
    "grouped knots": (gappy, knotted_by_label, Grouped(Knots())),
    "counts": (gappy, counted, Counts()),
    "trials": (numbers, tried, Trials()),
    "sample": (gappy, lambda rows: Sample("xy").update(*rows.T), Sample("xy")),
}
KINDS = [pytest.param(*laws, id=name) for name, laws in STATISTICS.items()]
SUBTRACTED = ("moments", "scatter", "grouped", "counts", "trials")
REMOVABLE = [pytest.param(*STATISTICS[name], id=name) for name in SUBTRACTED]
every_kind = pytest.mark.parametrize("elements, of, empty", KINDS)


def assert_same(one, other, bound=0.0):
    mine, theirs = one.to_arrays(), other.to_arrays()
    assert mine.keys() == theirs.keys()
    for name, array in mine.items():
        if array.dtype == object or array.dtype.kind == "i":
            assert array.tolist() == theirs[name].tolist()
        else:
            finite = array[np.isfinite(array)]
            atol = bound * np.max(np.abs(finite), initial=1e-3)
            np.testing.assert_allclose(array, theirs[name], rtol=bound, atol=atol)


@every_kind
@FEW_EXAMPLES
@given(data=st.data())
def test_an_empty_part_changes_nothing(elements, of, empty, data):
    part = of(data.draw(rows_of(elements)))
    assert_same(part.merge(empty), part)
    assert_same(empty.merge(part), part)
    assert empty.merge(empty).is_empty


@every_kind
@FEW_EXAMPLES
@given(data=st.data())
def test_order_and_grouping_of_parts_do_not_matter(elements, of, empty, data):
    one, two, three = (of(data.draw(rows_of(elements))) for _ in range(3))
    expected = one.merge(two).merge(three)
    assert_same(expected, one.merge(two.merge(three)), BOUND)
    assert_same(expected, three.merge(one).merge(two), BOUND)


@every_kind
@FEW_EXAMPLES
@given(data=st.data())
def test_parts_add_up_to_one_pass(elements, of, empty, data):
    rows = data.draw(rows_of(elements))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=3)))
    parts = [of(part) for part in np.split(rows, cuts)]
    assert_same(reduce(lambda mine, theirs: mine.merge(theirs), parts), of(rows), BOUND)


@every_kind
@FEW_EXAMPLES
@given(data=st.data())
def test_members_describe_the_same_value(elements, of, empty, data):
    part = of(data.draw(rows_of(elements)))
    members = part.to_arrays()
    assert_same(empty.from_arrays(members, "statistics"), part)
    listed = {name: array.tolist() for name, array in members.items()}
    assert_same(empty.from_arrays(listed, "statistics"), part)


@pytest.mark.parametrize("elements, of, empty", REMOVABLE)
@given(data=st.data())
def test_removal_undoes_a_merge(elements, of, empty, data):
    kept, removed = (of(data.draw(rows_of(elements))) for _ in range(2))
    left = kept.merge(removed).minus(removed)
    assert left.n == kept.n
    everything = kept.minus(kept)
    assert everything.is_empty
    assert everything.to_arrays() == {}


@given(st.lists(st.lists(st.integers(0, 400), max_size=60), max_size=5), st.integers(1, 12))
def test_ranks_of_a_sketch_are_within_its_stated_error(parts, limit):
    columns = [np.array(part, dtype=np.float64)[:, None] for part in parts]
    sketch = reduce(lambda whole, x: whole.merge(Quantiles(limit).update(x)), columns, Quantiles())
    again = reduce(lambda whole, x: whole.merge(Quantiles(limit).update(x)), columns, Quantiles())
    assert_same(sketch, again)
    if sketch.is_empty:
        return
    assert len(sketch.values) <= max(limit, 3)
    asked = np.arange(-1.0, 402.0)
    every = np.sort(np.concatenate(columns)[:, 0])
    for kind, side in (("strict", "left"), ("weak", "right")):
        ranks = sketch.share_below(asked, kind) * sketch.n
        exact = np.searchsorted(every, asked, side=side)
        assert np.abs(ranks - exact).max() <= sketch.rank_error[0] + BOUND * sketch.n


@given(rows_of(gappy), st.integers(-60, 60))
def test_a_power_of_two_scales_moments_exactly(rows, exponent):
    plain, scaled = Moments().update(rows), Moments().update(np.ldexp(rows, exponent))
    np.testing.assert_array_equal(np.ldexp(plain.mean, exponent), scaled.mean)
    np.testing.assert_array_equal(np.ldexp(plain.m2, 2 * exponent), scaled.m2)
    np.testing.assert_array_equal(plain.constant, scaled.constant)


@given(st.lists(st.lists(st.floats(-1e308, 1e308), max_size=20), max_size=6))
def test_a_list_never_sees_its_neighbours(parts):
    together = centred_moments(Ragged.of(parts))
    for index, part in enumerate(parts):
        alone = centred_moments(Ragged.of([part]))
        assert [field[0] for field in alone] == [field[index] for field in together]


@given(
    arrays(np.float64, st.tuples(st.just(1), st.integers(0, 25)), elements=gappy),
    st.integers(1, 12),
    st.integers(0, 25),
    st.booleans(),
)
def test_rolling_statistics_do_not_see_the_chunks(series, window, cut, include_current):
    whole = rolling(series, window, include_current=include_current)
    head, tail = series[:, :cut], series[:, cut:]
    state = carried(head, window, include_current=include_current)
    chunks = (
        rolling(head, window, include_current=include_current),
        rolling(tail, window, state, start=head.shape[1], include_current=include_current),
    )
    for first, second, both in zip(*chunks, whole, strict=True):
        np.testing.assert_array_equal(np.concatenate([first, second], axis=1), both)
