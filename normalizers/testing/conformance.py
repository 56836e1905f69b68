"""`check_method`: a class is asked whether it keeps what methods promise."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.normalizer import Normalizer
from normalizers.testing.capabilities import applies
from normalizers.testing.cases import Case, cases_of
from normalizers.testing.checks import CHECKS, Check, name_of
from normalizers.testing.hint import Hint

CHECKS_FOLDER = str(Path(__file__).with_name("checks"))


@dataclass(frozen=True)
class Failure:
    """A check that a method does not pass.

    Parameters
    ----------
    check : str
        Its name, as `skips` takes it.
    case : str
        The method, and with which example or fields where it has several.
    promise : str
        What the check asks.
    found : str
        What was found instead, and the line that found it.
    """

    check: str
    case: str
    promise: str
    found: str

    def __str__(self) -> str:
        return f"{self.check} ({self.case}): {self.promise}\n    {self.found}"


class ConformanceError(AssertionError):
    """A method does not keep what methods promise; `failures` says what, one for each check."""

    def __init__(self, method: str, failures: list[Failure]) -> None:
        listed = "\n".join(map(str, failures))
        super().__init__(f"{method} does not pass {len(failures)} checks\n{listed}")
        self.failures = failures


def check_method(
    cls: type[Normalizer],
    *,
    hint: Hint | None = None,
    skips: Mapping[str, str] | None = None,
) -> int:
    """Check that a class is a method: its declaration, its numbers, its errors, its file.

    The checks are those that every method of this package passes: fits that merge, answers that
    depend on nothing but the fit and the unit, missing values, constants, huge numbers, the way
    back, the file, scikit-learn's face. Data are drawn from what the class declares, always the
    same; a method of one of the bases takes some seconds.

    Parameters
    ----------
    cls : type of Normalizer
        The method, which need not be installed.
    hint : Hint, optional
        What the declaration cannot say of the data that it works with.
    skips : mapping of str to str, optional
        Checks that cannot hold, each with the reason. One that passes may not stand here.

    Returns
    -------
    int
        How many checks were done.

    Raises
    ------
    ConformanceError
        With everything that it does not pass.
    ValueError
        No case can be built: the example does not work, or a name is taken.

    See Also
    --------
    normalizers.testing.Hint : constraints between parameters and data.

    Examples
    --------
    >>> from normalizers import MinMax
    >>> from normalizers.testing import check_method
    >>> check_method(MinMax) > 40
    True
    """
    catalogue = CATALOGUE if CATALOGUE.get(cls.name) is cls else CATALOGUE.with_methods(cls)
    cases = cases_of(catalogue, [cls], {cls.name: hint} if hint else {})
    known = {} if skips is None else skips
    _require_known(known)
    done = [(case, check) for case in cases for check in CHECKS if applies(check, case)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        failures = list(_failures(done, known))
    if failures:
        raise ConformanceError(cls.name, failures)
    return len(done)


def _failures(done: list[tuple[Case, Check]], skips: Mapping[str, str]) -> Iterator[Failure]:
    broken = set()
    for case, check in done:
        found = _found(case, check)
        if found is not None and name_of(check) not in skips:
            yield Failure(name_of(check), case.name, _promise(check), found)
        if found is not None:
            broken.add(name_of(check))
    for name in sorted(skips.keys() - broken):
        yield Failure(name, "every case", "a skip is needed", "it passes: remove the skip")


def _found(case: Case, check: Check) -> str | None:
    """Return what a check finds wrong; None where it passes."""
    try:
        check(case)
    except Exception as error:
        last = _last_of_the_checks(error)
        text = str(error) or (last.line or "")
        return (
            f"{type(error).__name__}: {text} [{last.name}, line {last.lineno} of {last.filename}]"
        )
    return None


def _last_of_the_checks(error: Exception) -> traceback.FrameSummary:
    """Return the line of a check that failed, not one of what it compares by."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(CHECKS_FOLDER)]
    return (ours or frames)[-1]


def _promise(check: Check) -> str:
    return (check.__doc__ or "").strip().partition("\n")[0]


def _require_known(skips: Mapping[str, str]) -> None:
    known = {name_of(check) for check in CHECKS}
    unknown = sorted(skips.keys() - known)
    if unknown:
        raise ValueError(
            f"no check is called {', '.join(unknown)}; there are {', '.join(sorted(known))}"
        )
