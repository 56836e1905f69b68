"""A picture of a version, drawn by matplotlib (extra ``plot``) without a screen."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from normalizers.errors import InvalidParams, MissingDependency
from normalizers.pictures.plots import Plot

ENDINGS = (".png", ".svg", ".pdf")
PANEL_WIDTH, PANEL_HEIGHT = 6.0, 4.0
DOTS_PER_INCH = 120


def check_picture(path: str) -> None:
    """Refuse an ending that no picture has, and a machine that draws none.

    Raises
    ------
    InvalidParams
        Another ending.
    MissingDependency
        matplotlib is not installed.
    """
    if PurePath(path).suffix.lower() not in ENDINGS:
        raise InvalidParams(f"{path}: a picture ends in {', '.join(ENDINGS)}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MissingDependency(
            "a picture needs a package that is not installed: pip install 'normd[plot]'"
        ) from None


def form_of_picture(path: str) -> str:
    """Return the form that the ending of a path tells."""
    return PurePath(path).suffix.lower().removeprefix(".")


def draw(plots: Sequence[Plot], title: str, form: str) -> bytes:
    """Return the picture of some plots."""
    content = io.BytesIO()
    figure_of(plots, title).savefig(content, format=form, dpi=DOTS_PER_INCH)
    return content.getvalue()


def figure_of(plots: Sequence[Plot], title: str) -> Any:
    """Return the figure of some plots, beside each other."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    size = (PANEL_WIDTH * len(plots), PANEL_HEIGHT)
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title)
    for place, plot in enumerate(plots, start=1):
        axes = figure.add_subplot(1, len(plots), place)
        axes.set_title(plot.title)
        plot.draw(axes)
    return figure
