"""Series in long data frames: id, time, value, as the command line takes them by ``--list``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.long_frames import LongFrame, quantile_columns
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput

if TYPE_CHECKING:
    from normalizers.contract.answer import Answer
    from normalizers.contract.fields import Field, Fields
    from normalizers.versions.version import Version

SERIES, GROUPS = "series", "groups"
QUANTILES, LEVELS = "quantiles", "levels"
SPREADS = ("std", "variance")
WINDOW_AXES = 3


class LongSeries:
    """Fit, transform and back for frames with one row a step of a series."""

    if TYPE_CHECKING:

        @property
        def version_(self) -> Version:
            """The immutable version of the present fit."""

        @property
        def fits(self) -> Fields:
            """What a fit takes."""

        def fit(self, x: object = None, y: object = None, **fields: object) -> Self:
            """Fit on `x`."""

        def apply_to(self, x: object = None, **fields: object) -> Answer:
            """Return the whole answer."""

        def inverse_to(self, y: object = None, **fields: object) -> Answer:
            """Return the whole answer of the way back."""

    def fit_long(
        self, frame: object, series: str, values: str | Sequence[str], time: str | None = None
    ) -> Self:
        """Fit on a long frame: of each series by itself where the method stores groups.

        Parameters
        ----------
        frame : pandas.DataFrame or polars.DataFrame
            One row a step.
        series : str
            The column that tells which series a row belongs to.
        values : str or sequence of str
            The columns of numbers, one a channel.
        time : str, optional
            The column that orders the steps of a series; without it they stand in order.
        """
        long, names = LongFrame.of(frame, series, time), _names(values)
        fields = self.fits
        field = fields[fields.main]
        if field.kind == SERIES:
            return self.fit(long.windows(long.table(names)), layout="NTC")
        groups = {GROUPS: long.labels} if GROUPS in fields else {}
        return self.fit(_rows(long, names, field), **groups)

    def transform_long(
        self, frame: object, series: str, values: str | Sequence[str], time: str | None = None
    ) -> Any:
        """Return the frame with its values normalized, series by series.

        What leads back stands beside them in columns called ``loc``, ``scale`` and so on, with
        several channels ``loc_0``, ``loc_1``.

        Parameters
        ----------
        frame, series, values, time
            As of `fit_long`.

        Returns
        -------
        data frame
            Of the same kind, its rows in their order. Further columns stay.
        """
        long, names = LongFrame.of(frame, series, time), _names(values)
        takes = self.version_.takes
        field = takes[takes.main]
        if field.kind != SERIES:
            groups = {GROUPS: long.labels} if GROUPS in takes else {}
            return _framed(long, self.apply_to(_rows(long, names, field), **groups).output, names)
        table = long.table(names)
        if len(names) == 1 and field.ragged:
            given: object = long.by_series(table[:, 0])
            answer = self.apply_to(given, layout="ragged")
        else:
            answer = self.apply_to(long.windows(table), layout="NTC")
        output = {name: value for name, value in answer.output.items() if name != "state"}
        return _framed(long, _by_series(long, output), names)

    def inverse_long(
        self,
        frame: object,
        series: str,
        values: str | Sequence[str] = (),
        time: str | None = None,
        **beside: object,
    ) -> Any:
        """Return the frame with its values, or a forecast, in the units that they had.

        Parameters
        ----------
        frame, series, values, time
            As of `fit_long`. Columns ``loc`` and ``scale`` are read, ``std`` and ``variance``
            too, and columns called ``q10``, ``q50`` are quantiles of one channel.
        **beside : array_like
            What the way back takes beside them, and no column holds: a state.

        Returns
        -------
        data frame
            Of the same kind, without what led back.
        """
        long, names = LongFrame.of(frame, series, time), _names(values)
        fields = self.version_.inverse_takes
        if not fields:
            raise InvalidInput(f"{type(self).__name__} has no way back with these parameters")
        field = fields[fields.main]
        if field.kind != SERIES:
            groups = {GROUPS: long.labels} if GROUPS in fields else {}
            answer = self.inverse_to(_rows(long, names, field), **groups, **beside)
            return _framed(long, answer.output, names)
        channels = max(len(names), 1)
        sent, used = _beside_forecast(long, fields, channels)
        quantiles = quantile_columns(long.columns) if QUANTILES in fields and channels == 1 else []
        if quantiles:
            sent[QUANTILES] = long.windows(long.table(quantiles)[:, None])
            sent[LEVELS] = [float(str(name)[1:]) / 100 for name in quantiles]
        if names:
            sent[fields.main] = long.windows(long.table(names))
        answer = self.inverse_to(**sent, **beside, layout="NTC")
        columns = {fields.main: names, QUANTILES: quantiles}
        output = {name: value for name, value in answer.output.items() if name != "state"}
        return _framed(long, _by_series(long, output), names, columns, used)


def _names(values: str | Sequence[str]) -> list[str]:
    return [values] if isinstance(values, str) else list(values)


def _rows(long: LongFrame, names: Sequence[str], field: Field) -> Array:
    """Return rows of columns; one column is a flat list where the method takes one.

    Raises
    ------
    InvalidInput
        The method takes no rows, but lists of scores, say.
    """
    if field.kind != "floats":
        raise InvalidInput("long frames are for series, and for rows of columns")
    table = long.table(names)
    return table[:, 0] if len(names) == 1 and field.flat == "column" else table


def _beside_forecast(
    long: LongFrame, fields: Fields, channels: int
) -> tuple[dict[str, object], list[str]]:
    """Return what leads a forecast back, from columns of its name, and these columns."""
    sent: dict[str, object] = {}
    used: list[str] = []
    for name, field in fields.items():
        if field.kind != SERIES or len(field.shape) != WINDOW_AXES or name == fields.main:
            continue
        columns = [name] if channels == 1 else [f"{name}_{place}" for place in range(channels)]
        if not all(column in long.columns for column in columns):
            continue
        table = long.table(columns)
        if field.shape[1] == "1":
            sent[name] = long.once(table, columns[0])[:, None]
        else:
            # Behind the last step of a series nothing is led back, and a scale is above 0 there.
            padded = _padding(long)[..., None]
            sent[name] = np.where(padded, 1.0, long.windows(table))
        used += [] if name in SPREADS else columns
    return sent, used


def _padding(long: LongFrame) -> Array:
    return np.isnan(long.windows(np.zeros(len(long))))


def _by_series(long: LongFrame, output: Mapping[str, object]) -> dict[str, object]:
    """Return outputs in the rows of the frame, shape (rows,) or (rows, c)."""
    return {name: long.in_rows(_parts(long, value)) for name, value in output.items()
            if isinstance(value, list | Ragged | np.ndarray)}  # fmt: skip


def _parts(long: LongFrame, value: object) -> list[Array]:
    if isinstance(value, np.ndarray) and value.ndim == 1:  # a number a series
        return [value[place : place + 1] for place in range(len(value))]
    parts = [np.asarray(part) for part in cast("Sequence[Array]", value)]
    return [part if len(part) == 1 else part[: len(rows)]
            for part, rows in zip(parts, long.rows, strict=True)]  # fmt: skip


def _framed(
    long: LongFrame,
    output: Mapping[str, object],
    names: Sequence[str],
    columns: Mapping[str, Sequence[str]] | None = None,
    without: Sequence[str] = (),
) -> Any:
    """Return the frame with an output in its columns: the main one in those of the values."""
    made: dict[str, Array] = {}
    for place, (name, value) in enumerate(output.items()):
        array = np.asarray(value)
        table = array.reshape(len(long), -1)
        known = names if not place and name not in SPREADS else ()
        if columns is not None and name == QUANTILES:
            known = columns[QUANTILES]
        several = [f"{name}_{index}" for index in range(table.shape[1])]
        called = list(known) if len(known) == table.shape[1] else several
        if len(called) == 1 and not known:
            called = [name]
        made |= {each: table[:, index] for index, each in enumerate(called)}
    return long.with_columns(made, without)
