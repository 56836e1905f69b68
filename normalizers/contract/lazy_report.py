"""A part of a fit report that is written when somebody reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property


class LazyReport(Mapping[str, object]):
    """What a fit report says of many groups: a fit that nobody asks for it does not pay for it.

    Parameters
    ----------
    told : callable
        Returns the report; called once, at the first look.

    Examples
    --------
    >>> from normalizers.contract.lazy_report import LazyReport
    >>> {**LazyReport(lambda: {"groups": 2})}
    {'groups': 2}
    """

    def __init__(self, told: Callable[[], Mapping[str, object]]) -> None:
        self._told = told

    def __getitem__(self, name: str) -> object:
        return self._report[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._report)

    def __len__(self) -> int:
        return len(self._report)

    def __reduce__(self) -> tuple[type[dict[str, object]], tuple[dict[str, object]]]:
        """Return plain values: what writes the report holds on to the data, and no file does."""
        return dict, (self._report,)

    @cached_property
    def _report(self) -> dict[str, object]:
        return dict(self._told())
