"""What golden cases ask for and the service does not offer yet; only ever shortened."""

from __future__ import annotations

from dataclasses import dataclass

from tests.golden.case import Case

DATE = "2026-11-30"


@dataclass(frozen=True)
class Gap:
    """A golden method, or one value of one of its parameters, that is not built yet.

    Parameters
    ----------
    area, method : str
        The golden file and the golden spelling of the method.
    param, value : str, object
        When the method is built: the parameter and its value that are not; no value means any.
    """

    area: str
    method: str
    param: str = ""
    value: object = None

    def covers(self, case: Case) -> bool:
        """Whether this is why the case cannot run."""
        if (case.area, case.method) != (self.area, self.method):
            return False
        if not self.param:
            return True
        return self.param in case.params and self.value in (None, case.params[self.param])


UNSUPPORTED: tuple[Gap, ...] = ()


def named(case: Case) -> bool:
    """Whether the list names what the case asks for."""
    return any(gap.covers(case) for gap in UNSUPPORTED)


def stale(cases: list[Case]) -> list[Gap]:
    """Return the entries that none of `cases`, the unsupported ones, needs any more."""
    return [gap for gap in UNSUPPORTED if not any(gap.covers(case) for case in cases)]
