"""A fit report that draws itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from normalizers.errors import UnsupportedOperation
from normalizers.pictures.contents import plots_of
from normalizers.pictures.picture import DOTS_PER_INCH, check_picture, figure_of


class Report(dict[str, object]):
    """A fit report: a mapping by name, with a picture.

    Parameters
    ----------
    report : mapping
        What the fit found.
    fitted : mapping
        The fitted arrays.
    title : str
        What stands above the picture.
    """

    def __init__(
        self, report: Mapping[str, object], fitted: Mapping[str, object], title: str
    ) -> None:
        super().__init__(report)
        self._fitted, self._title = fitted, title

    def __reduce__(self) -> tuple[object, ...]:
        return Report, (dict(self), self._fitted, self._title)

    def plot(self, file: str | Path | None = None) -> Any:
        """Draw what the fit found: searched weight, spectrum, distribution, groups.

        Parameters
        ----------
        file : path, optional
            Where the picture is written (.png, .svg, .pdf).

        Returns
        -------
        matplotlib.figure.Figure
            The picture, to be shown or changed.

        Raises
        ------
        UnsupportedOperation
            The fit holds nothing to draw.
        MissingDependency
            matplotlib is not installed (extra ``plot``).
        """
        check_picture("report.png" if file is None else str(file))
        found = plots_of(self, self._fitted)
        if not found:
            raise UnsupportedOperation("this fit holds nothing to draw")
        figure = figure_of(found, self._title)
        if file is not None:
            figure.savefig(file, dpi=DOTS_PER_INCH)
        return figure
