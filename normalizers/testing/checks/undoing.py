"""The way back, where there is one."""

from __future__ import annotations

import numpy as np

from normalizers.contract.resolution import is_invertible
from normalizers.errors import NormalizerError, UnsupportedOperation
from normalizers.testing import samples
from normalizers.testing.capabilities import invertible, of
from normalizers.testing.cases import UNITS, Case, numbers_of
from normalizers.testing.compare import assert_close
from normalizers.testing.refusals import raises
from normalizers.testing.samples import Values

TIME = 1
STATE = "state"


@of(invertible)
def check_inverse_round_trip(case: Case) -> None:
    """What the transform answered gives back what it was given, as far as the method says."""
    if case.version.resolved_method.traits.way_back == "onward":
        _check_way_on(case)
        return
    given = _seen(case)
    answer = case.answer(given)
    back = case.version.inverse(case.returned(answer, given))
    sent, found = (numbers_of(values[case.main]) for values in (given, back.output))
    missing = np.isnan(numbers_of(answer.output[case.output]))
    traits = case.version.resolved_method.traits
    if traits.way_back == "lossy":
        again = case.answer({**given, **back.output})
        answered = (numbers_of(each.output[case.output]) for each in (answer, again))
        assert_close(*answered, traits.way_back_bound)
        return
    if missing.any():
        np.testing.assert_array_equal(np.isnan(found), missing)
    kept = ~missing
    if traits.way_back == "kept":
        kept &= numbers_of(answer.output[case.output]) != 0
    assert kept.any()
    assert_close(sent[kept], found[kept], traits.way_back_bound)


def _check_way_on(case: Case) -> None:
    """The rows that follow come back from their answer and the state before them."""
    rows = np.asarray(case.given()[case.main])
    head, tail = np.split(rows, [rows.shape[TIME] // 2], axis=TIME)
    state = case.answer({case.main: head}).output[STATE]
    whole = case.answer({case.main: tail, STATE: state})
    back = case.version.inverse({case.output: whole.output[case.output], STATE: state})
    assert_close(tail, np.asarray(back.output[case.main]), 1e-9)
    led, gone = (answer.output[STATE] for answer in (back, whole))
    for name in gone.keys() - {"method", "binding"}:
        np.testing.assert_allclose(np.asarray(led[name]), np.asarray(gone[name]), rtol=1e-9)


@of(invertible)
def check_inverse_names_what_is_missing(case: Case) -> None:
    """Nothing to go back from is an error of the input."""
    with raises(NormalizerError):
        case.version.inverse({})


def check_no_inverse_is_refused(case: Case) -> None:
    """Without a way back the request is refused as such."""
    if not is_invertible(case.version.resolved_method):
        with raises(UnsupportedOperation, match="inverse"):
            case.version.inverse(case.given())


def _seen(case: Case) -> Values:
    """Return rows of the fit itself where a transform takes the same: those come back exactly."""
    if case.with_fit and case.takes.keys() == case.fits.keys():
        return samples.taken(case.fits, case.fit_values(), range(UNITS))
    return case.given()
