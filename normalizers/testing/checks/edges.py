"""Edges: nothing, one, no spread, all the same; the answer is declared, never a silent NaN."""

from __future__ import annotations

import numpy as np

from normalizers.contract.answer import Answer
from normalizers.contract.fields import RAGGED_KINDS
from normalizers.errors import FitError, InvalidInput
from normalizers.testing import samples
from normalizers.testing.capabilities import (
    anonymous,
    batch_invariant,
    by_unit,
    fitted,
    lists_of_scores,
    numeric,
    numeric_input,
    of,
)
from normalizers.testing.cases import Case, numbers_of
from normalizers.testing.compare import assert_close
from normalizers.testing.refusals import raises
from normalizers.testing.samples import Values

CONSTANT = 2.5
TIE_BOUND = 1e-12
NO_SPREAD = {"constant", "degenerate", "insufficient"}


def check_zero_units(case: Case) -> None:
    """No rows, lists or windows give none."""
    nothing = samples.taken(case.takes, case.given(), [])
    answer = case.answer(nothing)
    if by_unit(case):
        assert numbers_of(answer.output[case.output]).size == 0
    assert not answer.flags.get("missing", ())


@of(numeric_input)
def check_one_empty_list(case: Case) -> None:
    """An empty list among others stays empty and leaves the others alone."""
    if case.kind != "lists":
        return
    given = samples.taken(case.takes, case.given(), [0, 0, 1])
    emptied = {
        name: [value[0], value[1][:0], value[2]]  # type: ignore[index]
        if case.takes[name].kind in RAGGED_KINDS
        else value
        for name, value in given.items()
    }
    output = case.answer(emptied).output[case.output]
    assert len(output[1]) == 0  # type: ignore[index, arg-type]
    assert len(output[0]) == len(given[case.main][0])  # type: ignore[index, arg-type]


@of(fitted)
def check_zero_rows_are_no_fit(case: Case) -> None:
    """A fit on nothing says that there is too little."""
    with raises((FitError, InvalidInput)):
        case.fitted_on(samples.taken(case.fits, case.fit_values(), []))


@of(fitted)
def check_one_row_fits_or_is_refused(case: Case) -> None:
    """A fit on one row works, or is refused as too little; its answers are finite."""
    one = samples.taken(case.fits, case.fit_values(), [0])
    try:
        version = case.fitted_on(one)
    except (FitError, InvalidInput):
        return
    _assert_finite_arrays(version.fitted.arrays)
    _assert_declared(case, case.answer(_known_units(case, one), version))


def check_one_unit(case: Case) -> None:
    """One row, list, window or query alone is answered."""
    _assert_declared(case, case.answer(samples.taken(case.takes, case.given(), [0])))


@of(numeric)
def check_constant_input(case: Case) -> None:
    """Numbers without spread give the documented value, flagged where it has a parameter."""
    version = case.fitted_on() if not case.with_fit else _constant_fit(case)
    if version is None:
        return
    answer = case.answer(_constant(case, case.takes, case.given()), version)
    _assert_declared(case, answer)
    assert not np.isnan(numbers_of(answer.output[case.output])).all()
    if {"on_constant", "constant_value"} & case.cls.parameters.keys():
        assert NO_SPREAD & answer.flags.keys(), (
            f"{case.main} holds {CONSTANT} throughout: flag it as one of {sorted(NO_SPREAD)}, of "
            "which 'constant' means that the maximum equals the minimum, whatever divides; "
            f"flagged is {sorted(answer.flags) or 'nothing'}"
        )


@of(numeric, batch_invariant, by_unit)
def check_all_ties(case: Case) -> None:
    """Equal units get equal answers, equal scores in a list too."""
    units = [0] * 4
    output = case.answer(samples.taken(case.takes, case.given(), units)).output[case.output]
    for part in output:  # type: ignore[union-attr]
        assert_close(part, output[0], 0.0 if case.same_bits else TIE_BOUND)  # type: ignore[index]
    if lists_of_scores(case) and anonymous(case):
        tied = case.answer(_constant(case, case.takes, case.given())).output[case.output]
        assert all(len(np.unique(part)) == 1 for part in tied)  # type: ignore[union-attr]


def _constant(case: Case, fields, values: Values) -> Values:  # type: ignore[no-untyped-def]
    return samples.mapped(fields, values, lambda x: case.usable(np.full_like(x, CONSTANT)))


def _constant_fit(case: Case):  # type: ignore[no-untyped-def]
    try:
        version = case.fitted_on(_constant(case, case.fits, case.fit_values()))
    except (FitError, InvalidInput):
        return None
    _assert_finite_arrays(version.fitted.arrays)
    return version


def _known_units(case: Case, fit: Values) -> Values:
    """Return the fitted row itself where a transform takes the same fields."""
    if not case.takes.keys() <= fit.keys():
        return samples.taken(case.takes, case.given(), [0])
    return {name: fit[name] for name in case.takes if name in fit}


def _assert_finite_arrays(arrays) -> None:  # type: ignore[no-untyped-def]
    for name, array in arrays.items():
        assert array.dtype.kind != "f" or np.isfinite(array).all(), name


def _assert_declared(case: Case, answer: Answer) -> None:
    """No infinity; a missing value only where it is flagged."""
    numbers = numbers_of(answer.output[case.output])
    if numbers.dtype.kind == "f":
        assert not np.isinf(numbers).any()
        assert not np.isnan(numbers).any() or "missing" in answer.flags
