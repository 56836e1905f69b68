"""Missing values and infinities: what a method's policies do before its arithmetic starts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from normalizers.contract.fields import Fields
from normalizers.data.arrays import Array, all_finite
from normalizers.data.batch import Batch, InputForm, Value
from normalizers.data.ragged import Ragged
from normalizers.errors import NonFiniteError, position_text

MAX_POSITIONS = 20


def screen(
    fields: Fields, batch: Batch, *, nan_policy: str, inf_policy: str, path: str, hint: str = ""
) -> Batch:
    """Return the batch with infinities as NaN where that is asked, or refuse it.

    `nan_policy` ``reject`` refuses a missing value with its position, the others leave it as NaN;
    `inf_policy` ``as_nan`` makes an infinity a missing value, which then follows `nan_policy`.

    Raises
    ------
    NonFiniteError
        Naming the first position and carrying the first twenty.
    """
    changed: dict[str, Value] = {}
    for name, values in _numbers(fields, batch):
        if all_finite(values):
            continue
        infinite = np.isinf(values)
        place, form = f"{path}.{name}", batch.form(name)
        if infinite.any():
            if inf_policy == "reject":
                raise _refusal("an infinity", infinite, batch[name], place, "", form)
            if nan_policy != "reject":
                changed[name] = _replaced(batch[name], np.where(infinite, np.nan, values))
        lost = ~np.isfinite(values)
        if nan_policy == "reject" and lost.any():
            raise _refusal("a missing or infinite value", lost, batch[name], place, hint, form)
    return batch.replace(**changed) if changed else batch


def _numbers(fields: Fields, batch: Batch) -> Iterator[tuple[str, Array]]:
    for name, field in fields.items():
        if name in batch and field.numeric and field.screened:
            value = batch[name]
            if isinstance(value, Ragged):
                yield name, value.values
            elif isinstance(value, np.ndarray):
                yield name, value


def _replaced(value: Value, numbers: Array) -> Value:
    return value.with_values(numbers) if isinstance(value, Ragged) else numbers


def _refusal(
    what: str, where: Array, value: Value, path: str, hint: str, form: InputForm
) -> NonFiniteError:
    if isinstance(value, Ragged):
        positions = value.positions(np.flatnonzero(where))[:MAX_POSITIONS]
    else:
        positions = np.argwhere(where)[:MAX_POSITIONS]
    count = int(where.sum())
    shown = form.as_written(positions[0].tolist())
    more = f" ({count} of them)" if count > 1 else ""
    place = path + position_text(shown)
    return NonFiniteError(
        f"{what} at {place}{more}{hint}", path=place, positions=positions.tolist()
    )
