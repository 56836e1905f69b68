"""What a parameter needs whose value holds other methods: its way into files, answers and fits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from normalizers.contract.fitted import NOT_FITTED, Fitted
from normalizers.statistics.base.statistics_set import Statistics


class References(ABC):
    """How a parameter that holds methods, or copies of versions, is written, read and checked.

    Attributes
    ----------
    owns_fit : bool
        Whether the statistics and the fitted arrays of the method are theirs alone.
    """

    owns_fit: ClassVar[bool] = False

    @abstractmethod
    def to_json(self, value: object) -> object:
        """Return the value as it stands in a manifest and in answers."""

    # Any: a table gives methods, which are made of parameters, which know their references.
    @abstractmethod
    def from_json(self, written: object, fitted: Fitted, table: Any) -> object:
        """Return the value that a manifest describes; copies find their arrays in `fitted`."""

    @abstractmethod
    def fill_missing(
        self, given: object, used: object, statistics: Statistics | None
    ) -> tuple[object, object]:
        """Return the given and the resolved value, both read from a file, as they were written."""

    @abstractmethod
    def conflict(self, given: object, used: object, statistics: Statistics | None) -> str | None:
        """Return where in a given value the resolved one does not follow it, or None.

        The place is told as it goes on after the parameter's name; it may be empty.
        """

    @abstractmethod
    def inconsistent_array(
        self, value: object, fitted: Fitted, statistics: Statistics | None
    ) -> str | None:
        """Return the name of a fitted array of theirs that is not what it should be, or None."""

    def unfitted(self, value: object) -> Fitted:
        """Return the arrays that a version without a fit carries for them."""
        return NOT_FITTED

    def affecting(self, value: object, affects: str) -> object:
        """Return what in them affects this; None where the parameter counts as a whole."""
        return None

    def deciding(self, value: object) -> object:
        """Return what in them decides which statistics are kept; None as for `affecting`."""
        return None
