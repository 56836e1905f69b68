"""Numbers that are not ordinary: missing, infinite, huge, tiny; order."""

from __future__ import annotations

import re

import numpy as np

from normalizers.contract.answer import Answer
from normalizers.errors import NonFiniteError, NormalizerError
from normalizers.testing import samples
from normalizers.testing.capabilities import (
    choices,
    fitted,
    lists_of_scores,
    monotone,
    numeric,
    of,
    scale_free,
    screened,
    squares,
)
from normalizers.testing.cases import Case, numbers_of
from normalizers.testing.compare import assert_close, assert_identical
from normalizers.testing.refusals import raises
from normalizers.testing.samples import Values

# Where a value is lost: unit 1 and its first number.
LOST = 1
# Powers of two near 1e300 and 1e-300, so that scaling itself is exact.
HUGE, TINY = 2.0**996, 2.0**-996
# Beyond what stored second moments can hold.
TOO_HUGE, TOO_TINY = 2.0**500, 2.0**-500
TOO_FAR = re.compile("1e-?140")
SCALE_BOUND = 1e-12
SORTED = np.array([-2.0, -1.0, -1.0, 0.25, 0.5, 0.5, 3.0])


@of(screened)
def check_nan_policy_reject_names_the_position(case: Case) -> None:
    """A missing value is refused with its place, in a transform and in a fit."""
    params = _policies(case, "reject", None)
    with raises(NonFiniteError) as caught:
        case.answer(_with(case, np.nan), case.fitted_on(params=params))
    _assert_names_the_place(case, caught.value)
    if case.with_fit and case.fits[next(iter(case.fits))].screened:
        with raises(NonFiniteError) as caught:
            case.fitted_on(_with(case, np.nan, fit=True), params)
        assert caught.value.path.startswith("fit.")
        assert caught.value.positions


@of(screened, numeric)
def check_nan_policy_answers_missing_in_place(case: Case) -> None:
    """Every other policy gives a missing value back in its place, flagged, and nothing else."""
    for policy in _other_policies(case):
        version = case.fitted_on(params=_policies(case, policy, None))
        answer = case.answer(_with(case, np.nan), version)
        units = _units(answer.output[case.output])
        assert np.isnan(numbers_of(units[LOST])).any(), policy
        assert _missing(answer) == {LOST} | _missing(case.answer(version=version)), policy
        if case.resolved_method.traits.batch_invariant:
            _assert_others_unchanged(case, units, version)


@of(screened, fitted)
def check_nan_policy_omit_leaves_the_value_out_of_the_fit(case: Case) -> None:
    """A fit with a value left out is finite, and is the same when it is left out twice."""
    if "omit" not in choices(case, "nan_policy"):
        return
    version = case.fitted_on(_with(case, np.nan, fit=True), _policies(case, "omit", None))
    for array in version.fitted.arrays.values():
        assert array.dtype.kind != "f" or np.isfinite(array).all()
    assert not np.isinf(numbers_of(case.answer(version=version).output[case.output])).any()


@of(screened)
def check_infinities(case: Case) -> None:
    """An infinity is refused with its place, or as missing as the policies say."""
    for value in (np.inf, -np.inf):
        with raises(NonFiniteError) as caught:
            case.answer(_with(case, value), case.fitted_on(params=_policies(case, "reject", None)))
        _assert_names_the_place(case, caught.value)
    if "reject" in choices(case, "inf_policy"):
        for policy in _other_policies(case):
            version = case.fitted_on(params=_policies(case, policy, "reject"))
            with raises(NonFiniteError):
                case.answer(_with(case, np.inf), version)
    if "as_nan" in choices(case, "inf_policy"):
        for policy in _other_policies(case):
            version = case.fitted_on(params=_policies(case, policy, "as_nan"))
            infinite, lost = (case.answer(_with(case, v), version) for v in (np.inf, np.nan))
            assert_identical(infinite.output, lost.output)
            assert_identical(dict(infinite.flags), dict(lost.flags))


@of(scale_free)
def check_huge_and_tiny_magnitudes(case: Case) -> None:
    """Lists and windows of 1e300 and 1e-300 are computed as those of ordinary size."""
    if squares(case):
        return
    expected = _scaled_answer(case, 1.0)
    for factor in (HUGE, TINY):
        found = _scaled_answer(case, factor)
        if not np.allclose(found, expected, rtol=SCALE_BOUND, atol=SCALE_BOUND, equal_nan=True):
            assert_close(found / factor, expected, SCALE_BOUND)


@of(squares)
def check_stored_moments_refuse_what_they_cannot_hold(case: Case) -> None:
    """Data whose squares leave float64 are refused by name, never stored as 0 or infinity."""
    for factor in (TOO_HUGE, TOO_TINY):
        fit = samples.mapped(case.fits, case.fit_values(), lambda x, factor=factor: x * factor)
        with raises(NormalizerError, match=TOO_FAR):
            case.fitted_on(fit)


@of(monotone, lists_of_scores)
def check_monotone(case: Case) -> None:
    """A larger score never gets less; where lower is better it never gets more."""
    for params, sign in _directions(case):
        version = case.fitted_on(params=params)
        given = {**samples.taken(case.takes, case.given(), [0]), case.main: [case.usable(SORTED)]}
        values = numbers_of(case.answer(given, version).output[case.output])
        steps = sign * np.diff(values)
        assert (steps >= 0).all()
        assert (steps[np.diff(SORTED) == 0] == 0).all()
        assert values.max() > values.min()


def _policies(case: Case, nan: str | None, inf: str | None) -> dict[str, object]:
    asked = {"nan_policy": nan, "inf_policy": inf}
    known = {
        name: policy
        for name, policy in asked.items()
        if policy is not None and policy in choices(case, name)
    }
    return {**case.params, **known}


def _other_policies(case: Case) -> list[str]:
    return [policy for policy in choices(case, "nan_policy") if policy in ("omit", "propagate")]


def _with(case: Case, value: float, fit: bool = False) -> Values:
    """Return a sample whose unit 1 has `value` as its first number."""
    fields = case.fits if fit else case.takes
    values = case.fit_values() if fit else case.given()
    main = samples.wanted(fields)[0]
    unit = values[main][LOST]  # type: ignore[index]
    if np.ndim(unit):
        unit.flat[0] = value
    else:
        values[main][LOST] = value  # type: ignore[index]
    return values


def _assert_names_the_place(case: Case, refused: NonFiniteError) -> None:
    assert refused.path.startswith(f"input.{case.main}[{LOST}]"), refused.path
    assert refused.positions[0][0] == LOST
    assert str(LOST) in refused.message


def _missing(answer: Answer) -> set[int]:
    """Return the units that are flagged as missing."""
    return {int(np.ravel(place)[0]) for place in answer.flags.get("missing", ())}


def _units(output: object) -> list[object]:
    return list(output)  # type: ignore[call-overload]


def _assert_others_unchanged(case: Case, units: list[object], version: object) -> None:
    clean = _units(case.answer(version=version).output[case.output])  # type: ignore[arg-type]
    for index in range(len(units)):
        if index != LOST:
            bound = 0.0 if case.same_bits else SCALE_BOUND
            assert_close(units[index], clean[index], bound)


def _scaled_answer(case: Case, factor: float) -> np.ndarray:
    def scale(x: np.ndarray) -> np.ndarray:
        return x * factor

    fit = samples.mapped(case.fits, case.fit_values(), scale) if case.with_fit else None
    given = samples.mapped(case.takes, case.given(), scale)
    numbers = numbers_of(case.answer(given, case.fitted_on(fit)).output[case.output])
    assert not np.isinf(numbers).any()
    return numbers


def _directions(case: Case) -> list[tuple[dict[str, object], float]]:
    if "higher_is_better" not in case.cls.parameters:
        return [(case.params, 1.0)]
    return [({**case.params, "higher_is_better": up}, 1.0 if up else -1.0) for up in (True, False)]
