"""Steps that stand side by side: each works on some columns of a table, in their places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from normalizers.contract import lookup
from normalizers.contract.answer import Answer, Options
from normalizers.contract.fields import Field, Fields
from normalizers.contract.fitted import Fitted
from normalizers.contract.method import Method
from normalizers.contract.resolution import is_invertible
from normalizers.data.arrays import Array
from normalizers.data.batch import Batch
from normalizers.errors import InvalidInput, InvalidParams, ShapeError
from normalizers.messages import did_you_mean, quoted
from normalizers.pipeline.chain import DENSE, FAMILY, require_few_steps
from normalizers.pipeline.steps import COLUMNS, STEPS, Step, fitted_step, read_step
from normalizers.runtime.apply import require_representable, screened
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.statistics.steps import Steps

SERIES, TABLE_AXES = "series", 2
# What looks at more than a row at once is no method of a column among others.
OF_WINDOWS = frozenset({"window", "causal", "learned"})
NO_LIST = "a list of {'columns': [...], 'method': ..., 'params': {...}} is expected, one or more"


def read_column_steps(written: object, path: str) -> list[Step]:
    """Return the steps, each with the columns that it works on, after every check."""
    if not isinstance(written, (list, tuple)) or not written:
        raise InvalidParams(NO_LIST, path=path)
    require_few_steps(written, path)
    if all(isinstance(item, Step) for item in written):
        return [cast(Step, item) for item in written]
    return [_read(item, f"{path}[{place}]") for place, item in enumerate(written)]


def _read(item: object, path: str) -> Step:
    if isinstance(item, Step):
        return item
    if not isinstance(item, Mapping) or COLUMNS not in item:
        raise InvalidParams(NO_LIST, path=path)
    columns = read_columns(item[COLUMNS], f"{path}.{COLUMNS}")
    rest = {name: value for name, value in item.items() if name != COLUMNS}
    step = read_step(rest, path, lookup.built_in())
    if step.version is not None:
        raise InvalidParams("a step of columns is fitted here: name a method", path=path)
    _check(step.method, path)
    return replace(step, columns=columns)


def read_columns(written: object, path: str) -> tuple[str | int, ...]:
    """Return names of columns, or their positions, each once."""
    if not isinstance(written, (list, tuple)) or not written:
        raise InvalidParams("a list of columns is expected: names, or positions from 0", path=path)
    for place, column in enumerate(written):
        whole = isinstance(column, int) and not isinstance(column, bool) and column >= 0
        if not whole and not (isinstance(column, str) and column):
            raise InvalidParams("a column is a name or a position from 0", path=f"{path}[{place}]")
        if column in written[:place]:
            raise InvalidParams(f"{quoted(column)} stands here twice", path=f"{path}[{place}]")
    return tuple(written)


def _check(method: Method, path: str) -> None:
    """Refuse a method that does not answer numbers of columns with numbers in their places."""
    reason = None
    if method.family == FAMILY:
        reason = "is made of steps itself; write them here, in their order"
    elif method.weight_fields and not method.fittable:
        reason = "needs weights that were trained elsewhere"
    elif not method.traits.preserves_columns or not _of_columns(method.takes, method.gives):
        reason = "does not answer a table of numbers with one of the same columns"
    elif method.fittable and not _of_columns(method.fits, method.gives):
        reason = "is fitted on more than the columns"
    elif OF_WINDOWS.intersection(method.kinds):
        reason = "looks at more than a row at once"
    if reason is not None:
        raise InvalidParams(f"'{method.name}' {reason}; it is no step of columns", path=path)


def _of_columns(taken: Fields, given: Fields) -> bool:
    """Return whether one table is all that must be sent, and one of its shape all that comes."""
    main, out = taken[taken.main], given[given.main]
    needed = [field for name, field in taken.items() if field.required and name != taken.main]
    same = main.kind == out.kind and len(main.shape) == len(out.shape)
    table = main.kind in DENSE and (main.kind == SERIES or len(main.shape) == TABLE_AXES)
    return table and same and not needed and len(given) == 1


def is_series(method: Method) -> bool:
    """Return whether a method takes series: a table is then one of as many steps as it has rows."""
    return method.takes[method.takes.main].kind == SERIES


def taken(method: Method, rows: Array) -> Array:
    """Return columns of a table as a method takes them."""
    return rows[None] if is_series(method) else rows


def given_back(method: Method, found: Array) -> Array:
    """Return what a method answered to columns of a table as columns of a table."""
    return found[0] if is_series(method) else found


def places_of(step: Step, batch: Batch, path: str) -> Array:
    """Return where the columns of a step stand in a table.

    Raises
    ------
    InvalidInput
        A name that the table has not, or names where its columns have none.
    ShapeError
        A position beyond its last column.
    """
    names, width = batch.columns, batch.array(_main(batch)).shape[1]
    if names is not None and len(names) != width:
        # Names may be those of the fit: nothing else tells how wide its table was.
        raise ShapeError(f"the columns are {', '.join(names)}, and these are {width}", path=path)
    places: list[int] = []
    for column in step.columns or ():
        if isinstance(column, int):
            if column >= width:
                raise ShapeError(f"there is no column {column}: these are {width}", path=path)
            places.append(column)
        elif names is None:
            raise InvalidInput(
                f"{quoted(column)} is a name, and these columns have none: send 'columns'",
                path=path,
            )
        elif column not in names:
            known = did_you_mean(column, names)
            raise InvalidInput(f"there is no column {quoted(column)}{known}", path=path)
        else:
            places.append(names.index(column))
    return np.array(places, dtype=np.intp)


def _main(batch: Batch) -> str:
    return next(iter(batch))


def step_rows(step: Step, x: Array, places: Array, fields: Fields, path: str) -> Batch:
    """Return the columns of a step as its method takes them, after its own policies.

    A missing value is refused with its place in the whole table.
    """
    field = fields.main
    rows = x[:, places]
    if not np.isfinite(rows).all():
        whole = np.zeros_like(x)
        whole[:, places] = rows
        told = Fields(**{field: Field("floats", ("m", "c"))})
        rows = screened(step.method, told, Batch({field: whole}), path).array(field)[:, places]
    return Batch({field: taken(step.method, rows)})


def answered(
    step: Step, index: int, answer: Answer, x: Array, places: Array
) -> tuple[Array, Answer]:
    """Return the table with what a step answered in its places, and its flags by rows.

    What a step flags of columns has a name of the step's own.
    """
    given = step.method.gives.main
    found = np.asarray(answer.canonical(given), dtype=np.float64)
    require_representable(found)
    y = x.copy()
    y[:, places] = given_back(step.method, found)
    return y, replace(answer, flags=dict(_flags(step, index, answer, places)))


def _flags(step: Step, index: int, answer: Answer, places: Array) -> Iterator[tuple[str, Array]]:
    for name, found in answer.flags.items():
        if is_series(step.method):
            # A flag of the one series names its channels.
            channels = np.unique(found[:, -1]) if found.ndim > 1 else np.arange(len(places))
            yield f"{STEPS}.{index}.{name}", places[channels]
        elif name in step.method.traits.column_flags:
            yield f"{STEPS}.{index}.{name}", places[found]
        else:
            yield name, np.unique(found[:, 0]) if found.ndim > 1 else found


def path_of(steps: Sequence[Step], index: int, path: str) -> str:
    """Return where a value of a step's columns is told to stand: a step before may have made it."""
    before = {column for step in steps[:index] for column in step.columns or ()}
    return f"{STEPS}.{index}" if before.intersection(steps[index].columns or ()) else path


def column_flags(steps: Sequence[Step]) -> frozenset[str]:
    """Return the flags that name columns: of each step its own."""
    return frozenset(
        f"{STEPS}.{index}.{name}"
        for index, step in enumerate(steps)
        for name in step.method.traits.column_flags
    )


def made_by_fits(steps: Sequence[Step]) -> list[frozenset[str | int]]:
    """Return for each step those of its columns that a fit of a step before had a part in."""
    made: set[str | int] = set()
    found: list[frozenset[str | int]] = []
    for step in steps:
        own = frozenset(step.columns or ())
        found.append(own & made)
        # A step may work on its columns together: one that a fit made makes the others too.
        if step.is_fitted_here or found[-1]:
            made |= own
    return found


def are_apart(steps: Sequence[Step]) -> bool:
    """Return whether no fitted step sees what another's fit gave: they add up side by side."""
    pairs = list(zip(steps, made_by_fits(steps), strict=True))
    fitted = {column for step in steps if step.is_fitted_here for column in step.columns or ()}
    # A name and a position may be one column: then nobody knows.
    alike = len({type(column) for column in fitted}) <= 1
    return alike and not any(step.is_fitted_here and made for step, made in pairs)


def decide(steps: Sequence[Step], resolved: Sequence[Step], batch: Batch) -> list[object]:
    """Return by step what the data of one whole fit decide, as far as no fit stands before it."""
    decided: list[object] = [{} for _ in steps]
    if are_apart(steps):
        for index, rows in _rows_apart(resolved, batch):
            decided[index] = steps[index].method.decide(rows)
    return decided


def accumulate(steps: Sequence[Step], kept: Steps, batch: Batch) -> Steps:
    """Return the statistics with a batch folded into every fitted step, in their order."""
    if are_apart(steps):
        for index, rows in _rows_apart(steps, batch):
            kept = kept.replace(index, steps[index].method.accumulate(kept.parts[index], rows))
        return kept
    x = batch.array(_main(batch))
    for index, step in enumerate(steps):
        places, path = places_of(step, batch, "fit.x"), path_of(steps, index, "fit")
        own = step
        if step.is_fitted_here:
            rows = step_rows(step, x, places, step.method.fits, path)
            own = replace(step, method=step.method.with_values(step.method.decide(rows)))
            kept = kept.replace(index, own.method.accumulate(kept.parts[index], rows))
        x = _passed(own, index, x, places, fitted_step(own, kept.parts[index]), path)
    return kept


def _rows_apart(steps: Sequence[Step], batch: Batch) -> Iterator[tuple[int, Batch]]:
    """Yield the place of each fitted step, and its rows, where no fit stands before them."""
    x, nothing = batch.array(_main(batch)), Statistics({})
    for index, (step, made) in enumerate(zip(steps, made_by_fits(steps), strict=True)):
        places, path = places_of(step, batch, "fit.x"), path_of(steps, index, "fit")
        if step.is_fitted_here:
            yield index, step_rows(step, x, places, step.method.fits, path)
        elif not made:  # else no fitted step looks at what it gives
            x = _passed(step, index, x, places, fitted_step(step, nothing), path)


def _passed(step: Step, index: int, x: Array, places: Array, own: Fitted, path: str) -> Array:
    rows = step_rows(step, x, places, step.method.takes, path)
    return answered(step, index, step.method.apply(own, rows, Options()), x, places)[0]


def are_invertible(steps: Sequence[Step]) -> bool:
    """Return whether the way back of every step takes nothing but what it answered."""
    return all(
        is_invertible(step.method)
        and not [
            name
            for name, field in step.method.inverse_takes.items()
            if field.required and name != step.method.inverse_takes.main
        ]
        for step in steps
    )
