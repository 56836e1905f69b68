"""Fitting is a merge: the same statistics whatever the split, the order, the repetition."""

from __future__ import annotations

import itertools
from functools import reduce

import numpy as np

from normalizers.contract.method import UNKNOWN_STATISTICS
from normalizers.contract.resolution import empty_statistics
from normalizers.errors import InvalidInput, InvalidParams, NotFitted
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.testing import samples
from normalizers.testing.capabilities import (
    fitted,
    fitted_in_any_order,
    keeps_no_rows,
    keeps_no_values,
    merges,
    needs_fit,
    of,
    squares,
)
from normalizers.testing.cases import Case
from normalizers.testing.compare import assert_close, assert_identical
from normalizers.testing.refusals import raises
from normalizers.testing.samples import Values
from normalizers.versions import fitting

# Published bounds: statistics in units of their largest entry; what is solved from them, in units
# of the condition number.
STATISTICS_BOUND = 1e-12
SOLUTION_BOUND = 1e-15 * 100
FAR_BOUND = 1e-15
PARTS = (2, 3, 10)
BATCHES = 10


@of(needs_fit)
def check_unfitted_raises_not_fitted(case: Case) -> None:
    """Without a fit nothing is transformed."""
    estimator = case.estimator()
    assert not estimator.__sklearn_is_fitted__()
    with raises(NotFitted):
        estimator.apply_to(**case.given())
    with raises(NotFitted):
        fitting.stateless(case.estimator())


@of(fitted)
def check_fit_twice_same_state(case: Case) -> None:
    """The same data give the same bits, in a fresh estimator and in a used one."""
    estimator = case.estimator().fit(**case.fit_values())
    first = estimator.version_
    assert_identical(dict(first.fitted.arrays), dict(case.version.fitted.arrays))
    assert_identical(first.statistics.to_arrays(), case.version.statistics.to_arrays())
    again = estimator.fit(**case.fit_values()).version_
    assert_identical(dict(again.fitted.arrays), dict(first.fitted.arrays))


@of(merges)
def check_fit_equals_merge_of_splits(case: Case) -> None:
    """2, 3 and 10 parts, one of them empty, in any order, equal one fit of everything."""
    for spelling, params in _streaming(case):
        version = case.fitted_on(params=params)
        for parts in PARTS:
            merged = reduce(_merge, _statistics(case, params, _shuffled(case, parts)))
            assert_close(
                merged.to_arrays(),
                version.statistics.to_arrays(),
                STATISTICS_BOUND,
                f"{spelling} in {parts} parts",
            )
            _assert_same_solution(case, spelling, params, merged)


@of(merges, squares)
def check_merge_far_from_zero(case: Case) -> None:
    """Data far from zero merge within a bound that grows with the mean over the deviation."""
    for mean in (1e3, 1e6):
        values = samples.mapped(case.fits, case.fit_values(), lambda x, mean=mean: x + mean)
        parts = [case.statistics_of(part) for part in _split(case, values, PARTS[-1])]
        bound = max(STATISTICS_BOUND, FAR_BOUND * mean)
        whole = case.statistics_of(values).to_arrays()
        assert_close(reduce(_merge, parts).to_arrays(), whole, bound)


@of(merges)
def check_merge_of_versions_equals_merge_of_statistics(case: Case) -> None:
    """Merging versions, estimators and statistics is one mechanism."""
    left, right = _halves(case)
    ours, theirs = case.fitted_on(left), case.fitted_on(right)
    merged = fitting.merge(case.method, [ours, theirs])
    expected = ours.statistics.merge(theirs.statistics)
    assert_identical(merged.statistics.to_arrays(), expected.to_arrays())
    one, other = (case.estimator().fit(**part) for part in (left, right))
    assert_identical(one.merge(other).statistics_.to_arrays(), expected.to_arrays())


@of(merges)
def check_identity_element(case: Case) -> None:
    """Merging with empty statistics changes nothing; two empties stay empty."""
    empty = empty_statistics(case.version.resolved_method)
    kept = case.version.statistics
    assert_identical(kept.merge(empty).to_arrays(), kept.to_arrays())
    assert_identical(empty.merge(kept).to_arrays(), kept.to_arrays())
    assert empty.is_empty
    assert empty.merge(empty).is_empty
    assert empty.merge(empty).n == 0


@of(fitted_in_any_order)
def check_fit_ignores_the_order_of_rows(case: Case) -> None:
    """Permuted rows give the same statistics within the bound."""
    values = case.fit_values()
    permuted = case.fitted_on(samples.permuted(case.fits, values, 5))
    assert_close(
        permuted.statistics.to_arrays(), case.version.statistics.to_arrays(), STATISTICS_BOUND
    )
    _assert_same_answer(case, case.cls.name, permuted, case.version)


@of(fitted)
def check_posted_statistics_give_the_same_fit(case: Case) -> None:
    """What a fit keeps can be stored, posted and solved again, bit for bit."""
    posted = case.version.statistics.to_arrays()
    again = fitting.from_statistics(case.method, posted)
    assert_identical(again.statistics.to_arrays(), posted)
    assert_identical(dict(again.fitted.arrays), dict(case.version.fitted.arrays))


@of(keeps_no_values)
def check_memory_is_bounded_when_streaming(case: Case) -> None:
    """Statistics do not grow with the rows."""
    first = case.statistics_of(case.fit_values())
    whole = first
    # What all rows share is the same in every part.
    present = case.fit_values()
    shared = {
        name: value for name, value in present.items() if case.fits.part_of(name, present) is None
    }
    for seed in range(1, BATCHES):
        rows = {**case.fit_values(seed=seed), **shared}
        whole = whole.merge(case.statistics_of(rows))
    assert _size(whole) == _size(first)


@of(keeps_no_rows)
def check_memory_is_bounded_by_distinct_rows(case: Case) -> None:
    """Seeing the same rows again adds nothing but counts."""
    first = case.statistics_of(case.fit_values())
    assert _size(reduce(_merge, [first] * BATCHES)) == _size(first)


def _merge(left: Statistics, right: Statistics) -> Statistics:
    return left.merge(right)


def _streaming(case: Case) -> list[tuple[str, dict[str, object]]]:
    """Return the spellings whose parameters work and add up from parts."""
    found = [(case.cls.name, case.params)]
    if case.is_variant:
        return found
    for spelling, params in itertools.islice(case.spelled(), 1, None):
        joined = {**case.params, **params} if not _works(case, params) else params
        if _works(case, joined):
            found.append((spelling, joined))
    return found


def _works(case: Case, params: dict[str, object]) -> bool:
    method = case.cls(**params).validated() if _is_valid(case, params) else None
    if method is None or method.resolved(UNKNOWN_STATISTICS).ordered:
        return False
    try:
        fitting.partial(
            case.cls(**params), fitting.read_fit(case.cls(**params), {**case.fit_values()}), {}
        )
    except (InvalidInput, InvalidParams):
        # Without the parameters of the example a spelling may take other fields.
        return False
    return True


def _is_valid(case: Case, params: dict[str, object]) -> bool:
    try:
        case.cls(**params).validated()
    except InvalidParams:
        return False
    return True


def _split(case: Case, values: Values, parts: int) -> list[Values]:
    return samples.blocks(case.fits, values, parts)


def _halves(case: Case) -> tuple[Values, Values]:
    """Return two fits, each with half of every part: a version needs them all."""
    split = _split(case, case.fit_values(), 2)
    left, right = ({}, {})  # type: ignore[var-annotated]
    for first, second in zip(split[::2], split[1::2], strict=True):
        left |= first
        right |= second
    return left, right


def _shuffled(case: Case, parts: int) -> list[Values]:
    """Return the standard sample in parts, an empty one among them, in some order."""
    values = case.fit_values()
    nothing = [samples.taken(case.fits, part, []) for part in samples.parted(case.fits, values)]
    split = [*_split(case, values, parts), *nothing]
    order = np.random.default_rng(parts).permutation(len(split))
    return [split[index] for index in order]


def _statistics(case: Case, params: dict[str, object], parts: list[Values]) -> list[Statistics]:
    method = case.cls(**params).validated()
    return [fitting.partial(method, fitting.read_fit(method, part), {}) for part in parts]


def _assert_same_solution(
    case: Case, spelling: str, params: dict[str, object], merged: Statistics
) -> None:
    solved = fitting.solve(case.cls(**params).validated(), merged, {})
    _assert_same_answer(case, spelling, solved, case.fitted_on(params=params))


def _assert_same_answer(case: Case, spelling: str, one, other) -> None:  # type: ignore[no-untyped-def]
    condition = float(str(other.report.get("condition_number", 1.0)))
    bound = max(STATISTICS_BOUND, SOLUTION_BOUND * condition)
    mine, theirs = (version.transform(case.given()).output for version in (one, other))
    if spelling in case.hint.rotation_free:
        mine, theirs = (_gram(output[case.output]) for output in (mine, theirs))
    assert_close(mine, theirs, bound, spelling)
    if spelling not in case.hint.rotation_free:
        assert_close(dict(one.fitted.arrays), dict(other.fitted.arrays), bound, spelling)


def _gram(y: np.ndarray) -> np.ndarray:
    return y @ y.T


def _size(statistics: Statistics) -> int:
    return sum(array.nbytes for array in _arrays(statistics.to_arrays()))


def _arrays(tree: object) -> list[np.ndarray]:
    if isinstance(tree, np.ndarray):
        return [tree]
    if isinstance(tree, dict):
        return [array for child in tree.values() for array in _arrays(child)]
    if isinstance(tree, list):
        return [array for child in tree for array in _arrays(child)]
    return []
